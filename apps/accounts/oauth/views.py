"""Endpoints for clients: metadata, registration, tokens and revocation."""

from typing import Any

import orjson
from django.conf import settings
from django.core.exceptions import BadRequest, RequestDataTooBig, TooManyFieldsSent
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import patch_cache_control
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.generic import View
from oauth2_provider.settings import oauth2_settings
from oauth2_provider.views.base import RevokeTokenView, TokenView
from oauth2_provider.views.metadata import OAuthProtectedResourceMetadataView, OAuthServerMetadataView

from apps.accounts.models import Application
from apps.accounts.oauth.connections import exchange
from apps.accounts.oauth.parameters import form_parameters
from apps.accounts.oauth.registration import (
    MAX_REGISTRATION_BYTES,
    REGISTRATION_LIMIT,
    RegistrationError,
    register_client,
)
from apps.core.api import rate_limits
from apps.core.api.audience import Audience, origin_of, resource_of
from apps.core.api.scopes import OWNER_SCOPES
from apps.core.errors import TooManyRequests
from apps.core.request.client_ip import client_network
from apps.core.stores.valkey.counters import Limit

TOKEN_LIMIT = Limit("token-requests", count=120, window_seconds=60)
_METADATA_SECONDS = 3600
_NO_REGISTRATION = (
    "This server doesn't register clients. See its metadata for other ways to connect, or use an API key."
)


@method_decorator(csrf_exempt, name="dispatch")
class ServerMetadata(OAuthServerMetadataView):
    """RFC 8414: the authorization server's endpoints and features."""

    http_method_names = ("get", "head", "options")

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        described = orjson.loads(super().get(request, *args, **kwargs).content)
        return _document({**described, "service_documentation": f"{settings.PUBLIC_BASE_URL}/connect"})


@method_decorator(csrf_exempt, name="dispatch")
class ResourceMetadata(OAuthProtectedResourceMetadataView):
    """RFC 9728: the issuer of tokens for a resource, and its scopes."""

    http_method_names = ("get", "head", "options")
    audience = Audience.MCP

    def get_resource(self, request: HttpRequest) -> str:
        return resource_of(request, self.audience)

    def get_scopes_supported(self) -> list[str]:
        return [str(scope) for scope in OWNER_SCOPES]

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        described = orjson.loads(super().get(request, *args, **kwargs).content)
        pages = {"resource_name": "Slipway", "resource_documentation": f"{origin_of(request)}/connect"}
        return _document(described | pages)


class _PostView(View):
    """An endpoint for POST. Other methods are refused in the protocol's own format."""

    http_method_names = ("post", "options")

    def http_method_not_allowed(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = _error("invalid_request", "Send a POST.", status=405)
        response["Allow"] = ", ".join(name.upper() for name in self.http_method_names)
        return response


@method_decorator(csrf_exempt, name="dispatch")
@method_decorator(never_cache, name="dispatch")
class Registration(_PostView):
    """RFC 7591: a client registers and gets its identifier, without later access to its registration.

    Without its rate limits it would be open to abuse. While Valkey is down, nobody can register (503).
    """

    def post(self, request: HttpRequest) -> HttpResponse:
        if not oauth2_settings.DCR_ENABLED:
            return _error("access_denied", _NO_REGISTRATION, status=403)
        try:
            client = register_client(_metadata(request))
        except RegistrationError as refusal:
            return _error(refusal.code, refusal.detail)
        except RequestDataTooBig:
            return _error("invalid_client_metadata", "The registration is over 8 KB.", status=413)
        except TooManyRequests as error:
            return _too_many(error)
        return JsonResponse(_described(client), status=201)


@method_decorator(csrf_exempt, name="dispatch")
class Token(_PostView, TokenView):
    """Exchange codes and refresh tokens for access tokens. Each works for one request only."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if refusal := _refused_form(request):
            return refusal
        form = dict(form_parameters(request))
        if not (grant_type := form.get("grant_type")):
            return _error("invalid_request", "Use grant_type authorization_code or refresh_token.")
        # oauthlib treats an unknown type as a code.
        if grant_type not in oauth2_settings.OAUTH2_GRANT_TYPES_SUPPORTED:
            return _error("unsupported_grant_type", "Use grant_type authorization_code or refresh_token.")
        answer = exchange(form, lambda: super(Token, self).authorization_flow_token_response(request))
        return answer or _error("invalid_grant", "The code or token was just used by another request.")


@method_decorator(csrf_exempt, name="dispatch")
class Revocation(_PostView, RevokeTokenView):
    """RFC 7009: a client revokes its tokens."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response: HttpResponse = _refused_form(request) or super().post(request, *args, **kwargs)
        return response


def _metadata(request: HttpRequest) -> dict[str, Any]:
    body = request.read(MAX_REGISTRATION_BYTES + 1)
    rate_limits.record(request, REGISTRATION_LIMIT.try_take(client_network(request)))
    if len(body) > MAX_REGISTRATION_BYTES:
        raise RequestDataTooBig
    try:
        metadata = orjson.loads(body)
    except orjson.JSONDecodeError:
        metadata = None
    if request.content_type != "application/json" or not isinstance(metadata, dict):
        raise RegistrationError("invalid_client_metadata", "Send a JSON object as application/json.")
    return metadata


def _described(client: Application) -> dict[str, Any]:
    return {
        "client_id": client.client_id,
        "client_id_issued_at": int(client.created.timestamp()),
        "client_name": client.name,
        "redirect_uris": client.redirect_uris.split(),
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
        "scope": " ".join(OWNER_SCOPES),
    }


def _refused_form(request: HttpRequest) -> HttpResponse | None:
    """Reject forms that would make the toolkit fail."""
    try:
        # As in the API, an outage of Valkey signs nobody out.
        rate_limits.count(request, TOKEN_LIMIT, client_network(request))
        _check_form(request)
    except TooManyRequests as error:
        return _too_many(error)
    except (RequestDataTooBig, TooManyFieldsSent):
        return _error("invalid_request", "The request is too large.", status=413)
    except BadRequest as error:
        return _error("invalid_request", str(error))
    return None


def _check_form(request: HttpRequest) -> None:
    if request.content_type != "application/x-www-form-urlencoded" or request.META.get("QUERY_STRING"):
        raise BadRequest("Send the parameters form-encoded in the body.")
    try:
        form_parameters(request)
    except ValueError as error:
        raise BadRequest(str(error)) from None


def _document(content: dict[str, Any]) -> HttpResponse:
    response = JsonResponse(content)
    patch_cache_control(response, public=True, max_age=_METADATA_SECONDS)
    return response


def _error(code: str, detail: str, *, status: int = 400) -> HttpResponse:
    response = JsonResponse({"error": code, "error_description": detail}, status=status)
    response["Cache-Control"] = "no-store"
    return response


def _too_many(error: TooManyRequests) -> HttpResponse:
    response = _error("temporarily_unavailable", error.detail, status=429)
    response["Retry-After"] = str(error.retry_after)
    return response
