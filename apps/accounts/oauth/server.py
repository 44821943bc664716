"""Rules of the authorization server on top of the toolkit: what codes and tokens are bound to."""

import json
import re
import secrets
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from oauth2_provider.models import get_access_token_model, get_grant_model, get_refresh_token_model
from oauth2_provider.oauth2_backends import OAuthLibCore
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauth2_provider.settings import oauth2_settings
from oauthlib.common import Request
from oauthlib.oauth2.rfc6749 import errors

from apps.accounts.api_keys.secret import checksum, family_of
from apps.accounts.clients.redirects import is_redirect_uri, is_same_redirect_uri
from apps.accounts.oauth.connections import end_token
from apps.accounts.oauth.parameters import Parameters, form_parameters
from apps.core.api.audience import Audience, canonical_resource
from apps.core.api.scopes import OWNER_SCOPES

ACCESS_TOKEN_MARK = "slat_"  # noqa: S105 - what tokens begin with, for those who search for leaked ones
REFRESH_TOKEN_MARK = "slrt_"  # noqa: S105 - as above
_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
# All form fields oauthlib may see. It treats any other name as an attribute of its own request.
_FIELDS = frozenset(
    {
        "client_id",
        "client_secret",
        "code",
        "code_verifier",
        "grant_type",
        "redirect_uri",
        "refresh_token",
        "resource",
        "scope",
        "token",
        "token_type_hint",
    }
)
# Errors for which oauthlib has only a code.
_EXPLANATIONS = {
    "invalid_client": "The client is unknown or blocked. Send client_id without a secret.",
    "invalid_grant": (
        "The code or refresh token is invalid, expired, revoked, already used or belongs to another client."
    ),
    "invalid_scope": f"Request any of {' '.join(OWNER_SCOPES)}. A refresh can't exceed the granted scopes.",
    "unauthorized_client": "Use response_type=code.",
    "unsupported_response_type": "Use response_type=code.",
}
_ANSWER_HEADERS = {"Content-Type": "application/json", "Cache-Control": "no-store", "Pragma": "no-cache"}


def new_access_token(request: Request) -> str:
    return ACCESS_TOKEN_MARK + secrets.token_urlsafe(32)


def new_refresh_token(request: Request) -> str:
    return REFRESH_TOKEN_MARK + secrets.token_urlsafe(32)


class ServerCore(OAuthLibCore):
    """The toolkit's bridge between Django and oauthlib. Codes are replaced by checksums on arrival."""

    def extract_body(self, request: HttpRequest) -> Parameters:
        """Return a token request's form with the code replaced by its checksum."""
        fields = [(name, value) for name, value in form_parameters(request) if name in _FIELDS]
        return [(name, checksum(value) if name == "code" else value) for name, value in fields]

    def create_token_response(self, request: HttpRequest) -> tuple[str | None, dict[str, str], str, int]:
        """Return the response as uncached JSON, which the toolkit omits for late errors."""
        uri, headers, body, status = super().create_token_response(request)
        return uri, {**_ANSWER_HEADERS, **headers}, _with_explanation(body), status

    def create_revocation_response(self, request: HttpRequest) -> tuple[str | None, dict[str, str], str, int]:
        uri, headers, body, status = super().create_revocation_response(request)
        return uri, headers, _with_explanation(body), status


class Validator(OAuth2Validator):
    """Bind every grant and token to one resource and to an account that may sign in.

    `request.code` is always a checksum (see ServerCore).
    """

    def _extract_basic_auth(self, request: Request) -> None:
        """Ignore Basic authentication: no client has a secret, and the toolkit fails on invalid base64 or UTF-8."""

    def validate_code(
        self, client_id: str, code: str, client: Any, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        result: bool = super().validate_code(client_id, code, client, request, *args, **kwargs)
        return result and request.user.is_active

    def validate_refresh_token(
        self, refresh_token: str, client: Any, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        """Accept a used token from its own client for a minute. After that, reuse ends its family.

        Programs refresh twice at the same time, and repeat requests whose response they lost.
        """
        tokens = get_refresh_token_model().objects
        used = tokens.filter(token_checksum=checksum(refresh_token), revoked__isnull=False).first()
        if used is None:
            result: bool = super().validate_refresh_token(refresh_token, client, request, *args, **kwargs)
            return result and request.user.is_active
        grace = timedelta(seconds=oauth2_settings.REFRESH_TOKEN_GRACE_PERIOD_SECONDS)
        live = tokens.filter(token_family=used.token_family, revoked=None, access_token__isnull=False)
        request.sibling = live.select_related("access_token").order_by("-pk").first()
        if used.application_id != client.pk or used.revoked <= timezone.now() - grace or request.sibling is None:
            get_refresh_token_model().revoke_family(used.token_family)
            return False
        request.user, request.refresh_token, request.refresh_token_instance = used.user, refresh_token, used
        return bool(used.user.is_active)

    def get_original_scopes(self, refresh_token: str, request: Request, *args: Any, **kwargs: Any) -> Any:
        """Return the family's current scopes for a repeated token, because its own access token is gone."""
        sibling = getattr(request, "sibling", None)
        return sibling.access_token.scope if sibling else super().get_original_scopes(refresh_token, request)

    def _save_bearer_token(self, token: dict[str, Any], request: Request, *args: Any, **kwargs: Any) -> None:
        if getattr(request, "sibling", None):
            # The toolkit would return the earlier successor, of which only checksums are stored.
            earlier = get_access_token_model().objects.filter(source_refresh_token=request.refresh_token_instance)
            earlier.update(source_refresh_token=None)
        super()._save_bearer_token(token, request, *args, **kwargs)

    def validate_redirect_uri(
        self, client_id: str, redirect_uri: str, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        # Check with the actual port again: a registered loopback URI matches every port, including this server's.
        result: bool = super().validate_redirect_uri(client_id, redirect_uri, request, *args, **kwargs)
        return result and is_redirect_uri(redirect_uri)

    def get_default_redirect_uri(self, client_id: str, request: Request, *args: Any, **kwargs: Any) -> str:
        """Return the default for requests without a URI. For a code, it is the URI the code was sent to (OAuth 2.1)."""
        if request.http_method == "POST":
            sent_to: str = get_grant_model().objects.get(code=request.code, application=request.client).redirect_uri
            return sent_to
        registered: str = super().get_default_redirect_uri(client_id, request, *args, **kwargs)
        return registered

    def confirm_redirect_uri(
        self, client_id: str, code: str, redirect_uri: str, client: Any, *args: Any, **kwargs: Any
    ) -> bool:
        sent_to: str = get_grant_model().objects.get(code=code, application=client).redirect_uri
        if not is_same_redirect_uri(redirect_uri, sent_to):
            # oauthlib would return invalid_request, but RFC 6749, section 5.2, says invalid_grant.
            raise errors.InvalidGrantError("Send the same redirect_uri as in the authorization request.")
        return True

    def _create_authorization_code(self, request: Request, code: dict[str, str], expires: Any = None) -> Any:
        lifetime = timedelta(seconds=oauth2_settings.AUTHORIZATION_CODE_EXPIRE_SECONDS)
        return get_grant_model().objects.create(
            application=request.client,
            user=request.user,
            code=checksum(code["code"]),
            expires=timezone.now() + lifetime,
            redirect_uri=request.redirect_uri,
            scope=" ".join(request.scopes),
            code_challenge=request.code_challenge,
            code_challenge_method=request.code_challenge_method,
            resource=[request.bound_resource],
        )

    def _check_and_set_request_resource(self, request: Request) -> None:
        """Bind a token to its grant's resource, whatever the request says. Refuse a request for another one."""
        requested = {canonical_resource(uri) for name, uri in request.decoded_body or [] if name == "resource"}
        if request.grant_type == "refresh_token":
            bound = request.refresh_token_instance.resource
        else:
            bound = get_grant_model().objects.get(code=request.code, application=request.client).resource
        if requested - set(bound):
            raise errors.CustomOAuth2Error(
                error="invalid_target", description="Access was granted for another resource.", request=request
            )
        request.resource = bound

    def revoke_token(self, token: str, token_type_hint: str, request: Request, *args: Any, **kwargs: Any) -> None:
        if request.client is not None:
            end_token(raw=token, application=request.client)

    def _create_refresh_token(self, request: Request, refresh_token_code: str, access_token: Any, previous: Any) -> Any:
        created = get_refresh_token_model()(
            user=request.user,
            application=request.client,
            access_token=access_token,
            token_family=previous.token_family if previous else family_of(request.code),
            resource=request.resource,
        )
        self._set_token_value(created, refresh_token_code)
        created.save()
        return created


def explain(error: str, description: str | None) -> str:
    """Explain an error to the client's developer; `description` replaces the default text."""
    return description or _EXPLANATIONS.get(error, "")


def _with_explanation(body: str) -> str:
    if not body or "error" not in (answer := json.loads(body)):
        return body
    return json.dumps({**answer, "error_description": explain(answer["error"], answer.get("error_description"))})


def bound_resource(values: list[str]) -> str | None:
    """Return the canonical resource an authorization request is for, or None for a foreign one.

    Clients of 2025-03-26 name none and get the MCP server at the public URL.
    """
    if not values:
        return f"{settings.PUBLIC_BASE_URL}{Audience.MCP}"
    named = {canonical_resource(value) for value in values}
    return named.pop() if len(named) == 1 else None


def is_s256(challenge: str | None, method: str | None) -> bool:
    """Return whether a PKCE challenge uses SHA-256 (RFC 7636, section 4.2)."""
    return method == "S256" and bool(_CHALLENGE.fullmatch(challenge or ""))
