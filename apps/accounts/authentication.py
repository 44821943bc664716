"""Bearer authentication of the API, and how the schema describes it."""

import re
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from apps.accounts.api_keys.secret import checksum
from apps.accounts.credentials import Credential, resolve_bearer
from apps.accounts.models import User
from apps.core import request_limits
from apps.core.challenges import invalid_token_challenge, sign_in_challenge
from apps.core.resources import audience_of, resource_of

# RFC 6750. Servers put several headers of one name together with commas, which are not among the characters.
_BEARER = re.compile(r"bearer +([A-Za-z0-9._~+/-]{1,512}=*)", re.IGNORECASE)


class BearerAuthentication(BaseAuthentication):
    """`Authorization: Bearer …`, nowhere else; a wrong credential is refused even where none is needed.

    Every request is counted here, a wrong credential by its address. Raises TooManyRequests (429).
    """

    def authenticate(self, request: Request) -> tuple[User, Credential] | None:
        header = request.headers.get("Authorization")
        if header is None:
            request_limits.count_address(request)
            return None
        return self._check(request, header, counts=True)

    def authenticate_header(self, request: Request) -> str:
        is_presented = "Authorization" in request.headers
        return invalid_token_challenge(request) if is_presented else sign_in_challenge(request)

    def _check(self, request: Request, header: str, *, counts: bool) -> tuple[User, Credential]:
        """The account and credential of a header; `counts` False leaves the requests of a good one uncounted."""
        bearer = _BEARER.fullmatch(header.strip())
        if bearer is None:
            request_limits.count_wrong_credential(request)
            raise exceptions.AuthenticationFailed("Send the header Authorization: Bearer <API key or access token>.")
        raw = bearer[1]
        is_known = request_limits.admit(request, checksum(raw), counts=counts)
        credential = resolve_bearer(raw, resource_of(request, audience_of(request)))
        if credential is None:
            request_limits.count_wrong_credential(request)
            raise exceptions.AuthenticationFailed(
                "The API key or access token is not valid: it is unknown, expired, revoked or for another resource. "
                "Use a current one, or connect again."
            )
        if not is_known:
            request_limits.know(request, checksum(raw), credential.counted_as, counts=counts)
        return credential.user, credential


class MessageAuthentication(BearerAuthentication):
    """For messages to /mcp that are no requests to the API: counted by address, widely, whoever sends them."""

    def authenticate(self, request: Request) -> tuple[User, Credential] | None:
        request_limits.count_message(request)
        header = request.headers.get("Authorization")
        return None if header is None else self._check(request, header, counts=False)


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # registers itself, untyped
    target_class = BearerAuthentication
    name = "bearer"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "An API key from the account's API keys area, or an access token of an OAuth client.",
        }
