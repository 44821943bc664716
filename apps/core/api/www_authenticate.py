"""WWW-Authenticate: which credential a client needs, and where to get it (RFC 6750, RFC 9728)."""

from collections.abc import Iterable

from django.http import HttpRequest
from django.urls import reverse
from rest_framework.request import Request

from apps.core.api.audience import audience_of, metadata_url
from apps.core.api.scopes import OWNER_SCOPES, Scope


def sign_in_challenge(request: HttpRequest | Request) -> str:
    """Challenge for a request without a credential. Lists all owner scopes, so the person is asked only once."""
    return _challenge(request, scopes=OWNER_SCOPES)


def invalid_token_challenge(request: HttpRequest | Request) -> str:
    """Challenge for a request with an invalid credential."""
    description = "The API key or access token is invalid, expired, revoked or for another resource."
    return _challenge(request, scopes=OWNER_SCOPES, error="invalid_token", error_description=description)


def scope_challenge(request: HttpRequest | Request, *, required: str, granted: Iterable[str]) -> str:
    """Challenge for a credential that lacks a scope.

    Lists the scopes it has, too, because a new credential replaces it.
    """
    wanted = {required, *granted}
    scopes = [scope for scope in Scope if scope in wanted]
    description = f"This call needs the scope {required}."
    return _challenge(request, scopes=scopes, error="insufficient_scope", error_description=description)


def steps_to_a_key(request: HttpRequest | Request, *, scope: str = "") -> list[str]:
    """Return where to get a credential, with a scope if one lacks, as next steps of a 401 or 403."""
    page = request.build_absolute_uri(reverse("api_keys"))
    wanted, way = (f" with the scope {scope}", "reconnect the app and allow it") if scope else ("", "connect the app")
    return [f"Create an API key{wanted} on {page}, or {way}."]


def _challenge(request: HttpRequest | Request, *, scopes: Iterable[str], **error: str) -> str:
    said = {**error, "resource_metadata": metadata_url(request, audience_of(request)), "scope": " ".join(scopes)}
    return "Bearer " + ", ".join(f'{name}="{value}"' for name, value in said.items())
