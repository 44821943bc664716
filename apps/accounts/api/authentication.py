"""Bearer authentication for the API and its OpenAPI description."""

import re
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from apps.accounts.actors import Credential
from apps.accounts.api_keys.credentials import resolve_bearer
from apps.accounts.models import User
from apps.core.api import rate_limits
from apps.core.api.audience import audience_of, resource_of
from apps.core.api.operation import operation_of
from apps.core.api.www_authenticate import invalid_token_challenge, sign_in_challenge, steps_to_a_key

# RFC 6750. Servers join repeated headers with commas, which these characters exclude.
_BEARER = re.compile(r"bearer +([A-Za-z0-9._~+/-]{1,512}=*)", re.IGNORECASE)
_NO_BEARER = "Send the header Authorization: Bearer <API key or access token>."
_WRONG = (
    "The API key or access token is invalid, expired, revoked or for another resource. Use a current "
    "one, or reconnect the app."
)


class CredentialRefused(exceptions.AuthenticationFailed):
    """401: the request's credential isn't valid here."""

    def __init__(self, request: Request, detail: str) -> None:
        super().__init__(detail)
        self.extra: dict[str, Any] = {"next_steps": steps_to_a_key(request)}


class BearerAuthentication(BaseAuthentication):
    """`Authorization: Bearer …` only. A wrong credential is refused even on public operations.

    Requests are counted after their credential is checked, so that failed attempts from the same address don't block
    a valid credential. Raises TooManyRequests (429).
    """

    def authenticate(self, request: Request) -> tuple[User, Credential] | None:
        credential = _credential(request)
        self.count(request, credential)
        return (credential.user, credential) if credential else None

    def count(self, request: Request, credential: Credential | None) -> None:
        """Count a request with a valid credential or none."""
        if credential:
            rate_limits.count_credential(request, credential.counted_as)
        else:
            rate_limits.count_address(request)

    def authenticate_header(self, request: Request) -> str:
        is_presented = "Authorization" in request.headers
        return invalid_token_challenge(request) if is_presented else sign_in_challenge(request)


class MessageAuthentication(BearerAuthentication):
    """Limit messages to /mcp that are not API requests, generously, by IP address."""

    def count(self, request: Request, credential: Credential | None) -> None:
        rate_limits.count_message(request)


def check_again(request: Request) -> Credential | None:
    """Return the credential of a request that has waited. Raises AuthenticationFailed (401) if it has ended."""
    return _credential(request)


class BearerScheme(OpenApiAuthenticationExtension):
    """Describe the credentials of an operation in the OpenAPI document, with the scopes of which one is enough."""

    target_class = BearerAuthentication
    name = "bearer"

    def get_security_requirement(self, auto_schema: Any) -> list[dict[str, list[str]]]:
        declared = operation_of(auto_schema.view)
        return [{self.name: [str(scope)]} for scope in declared.scopes] if declared else []

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "An API key from the account's settings, or an OAuth access token.",
        }


def _credential(request: Request) -> Credential | None:
    """Return the header's credential, or None. Counts a wrong one and raises AuthenticationFailed."""
    header = request.headers.get("Authorization")
    if header is None:
        return None
    bearer = _BEARER.fullmatch(header.strip())
    credential = resolve_bearer(bearer[1], resource_of(request, audience_of(request))) if bearer else None
    if credential is None:
        rate_limits.count_wrong_credential(request)
        raise CredentialRefused(request, _WRONG if bearer else _NO_BEARER)
    return credential
