"""Bearer authentication of the API, and how the schema describes it."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from apps.accounts.credentials import Credential, resolve_bearer
from apps.accounts.models import User
from apps.core.resources import audience_of, resource_of


class BearerAuthentication(BaseAuthentication):
    """`Authorization: Bearer …`; a wrong credential is refused even where none is needed."""

    def authenticate(self, request: Request) -> tuple[User, Credential] | None:
        header = request.headers.get("Authorization")
        if header is None:
            return None
        scheme, _, raw = header.strip().partition(" ")
        if scheme.lower() != "bearer" or not raw.strip():
            raise exceptions.AuthenticationFailed("Send the header Authorization: Bearer <API_KEY>.")
        credential = resolve_bearer(raw.strip(), resource_of(request, audience_of(request)))
        if credential is None:
            raise exceptions.AuthenticationFailed(
                "The API key is not valid: it is unknown, expired or revoked. Use a current one from your account."
            )
        return credential.user, credential

    def authenticate_header(self, request: Request) -> str:
        presented = "Authorization" in request.headers
        return 'Bearer realm="slipway"' + (', error="invalid_token"' if presented else "")


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # registers itself, untyped
    target_class = BearerAuthentication
    name = "bearer"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "An API key from the account's API keys area.",
        }
