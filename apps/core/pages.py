"""Error pages, health, and the API's description."""

from typing import Any

import orjson
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from apps.core import health, schema
from apps.core.problems import OUTAGE_SECONDS, problem, problem_response

_PRIVATE_PATHS = (
    "/account",
    "/admin/",
    "/checkout/",
    "/claims/",
    "/drafts",
    "/newsletter/unsubscribe/",
    "/oauth/",
    "/orders",
    "/test-gateway/",
    "/unsubscribe/",
    "/webhooks/",
)
_OAUTH_CALLS = ("/oauth/token", "/oauth/register", "/oauth/revoke")


def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers."""
    return JsonResponse({"status": "ok"})


def readyz(request: HttpRequest) -> HttpResponse:
    """The installation can do its work; 503 names the part that cannot."""
    parts = health.readiness()
    is_ready = set(parts.values()) == {"ok"}
    return JsonResponse({"status": "ok" if is_ready else "not ready", "parts": parts}, status=200 if is_ready else 503)


def crawler(request: HttpRequest) -> HttpResponse:
    """What our crawler is, for whoever finds it in their logs."""
    return render(request, "about/crawler.html")


def robots(request: HttpRequest) -> HttpResponse:
    """Everything public may be read; what belongs to one person is not for search engines."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in _PRIVATE_PATHS)]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@csrf_exempt
@require_safe
def openapi(request: HttpRequest) -> HttpResponse:
    """The OpenAPI 3.1 document."""
    response = HttpResponse(orjson.dumps(schema.document()), content_type="application/json")
    response["Cache-Control"] = "public, max-age=300"
    return response


@csrf_exempt
def api_not_found(request: HttpRequest) -> HttpResponse:
    """Whatever else lies under the API's path."""
    return problem_response(
        problem(
            404,
            "There is nothing at this address.",
            instance=request.path,
            next_steps=["See /api/v1/openapi.json for all operations."],
        )
    )


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 404)


def too_large(request: HttpRequest, *, most_bytes: int) -> HttpResponse:
    """A form with a file that is refused unread; the browser's way back leads to what was typed."""
    return _page(request, 413, most=most_bytes // 2**20)


def too_many_requests(request: HttpRequest) -> HttpResponse:
    """A limit of allauth's is used up; most of them are a minute's."""
    response = _page(request, 429)
    response["Retry-After"] = "60"
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    if request.path.startswith("/api/"):
        return problem_response(problem(500, "The error is logged under this request_id.", instance=request.path))
    return _page(request, 500)


def unavailable(request: HttpRequest) -> HttpResponse:
    """This cannot be done while Valkey is out; programs are told as RFC 6749, section 5.2, has it."""
    if request.path in _OAUTH_CALLS:
        told = {"error": "temporarily_unavailable", "error_description": "Try again in a minute."}
        response: HttpResponse = JsonResponse(told, status=503, headers={"Cache-Control": "no-store"})
    else:
        response = _page(request, 503)
    response["Retry-After"] = str(OUTAGE_SECONDS)
    return response


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form was open too long, or came from elsewhere."""
    return render(request, "errors/403_csrf.html", {"reason": reason}, status=403)


def _page(request: HttpRequest, status: int, **context: Any) -> HttpResponse:
    return render(request, f"errors/{status}.html", context, status=status)
