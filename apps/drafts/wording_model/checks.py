"""System checks of the model's settings, so that incomplete ones are noticed."""

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register  # noqa: A004 - Django's own name

from apps.drafts.wording_model.endpoint import SETTING_NAMES, is_installed

_LOOPBACK = {"localhost", "127.0.0.1", "::1"}


@register()
def check_model(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Report incomplete settings, an invalid endpoint URL, or a missing client package."""
    return list(_problems())


@register(Tags.security, deploy=True)
def check_model_key(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """http is allowed for a model on the same network. The operator judges that."""
    if not _is_endpoint(settings.LLM_BASE_URL):
        return []
    address = urlsplit(settings.LLM_BASE_URL)
    if address.scheme == "https" or address.hostname in _LOOPBACK:
        return []
    return [Warning("LLM_BASE_URL doesn't use https, so LLM_API_KEY is sent unencrypted.", id="drafts.W001")]


def _problems() -> Iterator[CheckMessage]:
    given = [name for name in SETTING_NAMES if getattr(settings, name)]
    if not given:
        return
    if missing := [name for name in SETTING_NAMES if name not in given]:
        hint = f"Set {', '.join(missing)}, or unset {', '.join(given)}."
        yield Error(
            "The settings of the model for headline and summary are incomplete, so it isn't used.",
            hint=hint,
            id="drafts.E001",
        )
    if settings.LLM_BASE_URL and not _is_endpoint(settings.LLM_BASE_URL):
        hint = "Use a URL such as https://models.example.com/v1, without user name, query or fragment."
        yield Error("LLM_BASE_URL isn't a valid endpoint URL.", hint=hint, id="drafts.E002")
    if not is_installed():
        hint = "Install the extra model (docs/operations/running.md#extras)."
        yield Error("A model is set up, but its package isn't installed.", hint=hint, id="drafts.E003")


def _is_endpoint(address: str) -> bool:
    try:
        parts = urlsplit(address)
        has_port = parts.port != 0
    except ValueError:
        return False
    is_plain = not (parts.query or parts.fragment or "@" in parts.netloc)
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and has_port and is_plain
