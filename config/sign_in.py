"""Providers that people can sign in with: a server that speaks OpenID Connect, GitHub and Google."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from config import env

# The name of the OpenID Connect server in addresses and in the database.
OIDC = "oidc"
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}


def providers() -> dict[str, Any]:
    """Return allauth's SOCIALACCOUNT_PROVIDERS with the providers whose variables are set.

    PAGE_ORIGIN is our own entry: where a provider's pages are. Raises ImproperlyConfigured for incomplete variables.
    """
    result: dict[str, Any] = {}
    oidc = _all_or_none(
        OIDC_ISSUER=env.text("OIDC_ISSUER").rstrip("/"),
        OIDC_CLIENT_ID=env.text("OIDC_CLIENT_ID"),
        OIDC_CLIENT_SECRET=env.text("OIDC_CLIENT_SECRET"),
    )
    if oidc:
        issuer, *client = oidc
        app = {"provider_id": OIDC, "name": env.text("OIDC_NAME", "single sign-on"), "settings": {"server_url": issuer}}
        result["openid_connect"] = _provider(client, env.text("OIDC_PAGE_ORIGIN") or _origin(issuer), **app)
    github = _all_or_none(
        GITHUB_CLIENT_ID=env.text("GITHUB_CLIENT_ID"), GITHUB_CLIENT_SECRET=env.text("GITHUB_CLIENT_SECRET")
    )
    if github:
        url = env.text("GITHUB_URL", "https://github.com").rstrip("/")
        result["github"] = _provider(github, _origin(url), name="GitHub")
        if url != "https://github.com":
            # GitHub's own API has another host than its pages, an Enterprise server's has not.
            result["github"]["GITHUB_URL"] = url
    google = _all_or_none(
        GOOGLE_CLIENT_ID=env.text("GOOGLE_CLIENT_ID"), GOOGLE_CLIENT_SECRET=env.text("GOOGLE_CLIENT_SECRET")
    )
    if google:
        result["google"] = _provider(google, "https://accounts.google.com", name="Google")
    return result


def groups(items: Sequence[str]) -> Mapping[str, str]:
    """Return the groups of the admin by what the server calls them, from items such as `moderators=Moderators`."""
    pairs = [[part.strip() for part in item.partition("=")] for item in items]
    if not all(claimed and group for claimed, _, group in pairs):
        raise ImproperlyConfigured(
            "OIDC_GROUPS must be a list such as slipway-moderators=Moderators,slipway-sales=Sales."
        )
    return {claimed: group for claimed, _, group in pairs}


def _all_or_none(**variables: str) -> list[str]:
    missing = [name for name, value in variables.items() if not value]
    if len(missing) == len(variables):
        return []
    if missing:
        raise ImproperlyConfigured(f"{' and '.join(missing)} must be set, too, or none of {', '.join(variables)}.")
    return list(variables.values())


def _provider(client: Sequence[str], page_origin: str, **app: Any) -> dict[str, Any]:
    client_id, secret = client
    return {
        "APPS": [{"client_id": client_id, "secret": secret, **app}],
        "OAUTH_PKCE_ENABLED": True,
        "PAGE_ORIGIN": page_origin,
    }


def _origin(url: str) -> str:
    """Return the origin of a provider's URL. Raises ImproperlyConfigured if it is not https or on loopback."""
    parts = urlsplit(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        raise ImproperlyConfigured(f"{url} must begin with https: people's identities come from there.")
    return f"{parts.scheme}://{parts.netloc}"
