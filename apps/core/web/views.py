"""Health, and the API's description."""

from urllib.parse import urlsplit

import orjson
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.decorators import method_decorator
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.generic import View
from prometheus_client import CONTENT_TYPE_LATEST

from apps.core.api import schema
from apps.core.api.audience import origin_of
from apps.core.api.problems import problem, problem_response
from apps.core.operations.checks import health
from apps.core.operations.metrics import exposition
from apps.core.request.client_ip import client_address

# Private paths: robots are asked to stay away, and caches keep nothing of them.
PRIVATE_PATHS = (
    "/account",
    "/admin/",
    "/checkout/",
    "/claims/",
    "/drafts",
    "/newsletter/unsubscribe/",
    "/notifications",
    "/oauth/",
    "/orders",
    "/test-gateway/",
    "/unsubscribe/",
    "/webhooks/",
)

_PROXIES_ADD = {"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Forwarded", "Via"}


def healthz(request: HttpRequest) -> HttpResponse:
    """The process is alive."""
    return JsonResponse({"status": "ok"})


def readyz(request: HttpRequest) -> HttpResponse:
    """The installation can do its work. A 503 names the part that can't."""
    parts = health.readiness()
    is_ready = set(parts.values()) == {"ok"}
    return JsonResponse({"status": "ok" if is_ready else "not ready", "parts": parts}, status=200 if is_ready else 503)


def metrics(request: HttpRequest) -> HttpResponse:
    """Metrics for Prometheus: with METRICS_TOKEN if it is set, or else only from this machine."""
    if not _may_watch(request):
        return HttpResponse(status=403)
    return HttpResponse(exposition(), content_type=CONTENT_TYPE_LATEST)


def _may_watch(request: HttpRequest) -> bool:
    if settings.METRICS_TOKEN:
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        return constant_time_compare(given, settings.METRICS_TOKEN)
    # Requests through a proxy come from this machine, too.
    is_passed_on = settings.BEHIND_PROXY or not _PROXIES_ADD.isdisjoint(request.headers)
    return not is_passed_on and client_address(request) in {"127.0.0.1", "::1"} and _names_loopback(request)


def _names_loopback(request: HttpRequest) -> bool:
    """Return whether the request is for this machine. A website's name can lead here, too (DNS rebinding)."""
    try:
        host = urlsplit(f"//{request.headers.get('Host', '')}").hostname or ""
    except ValueError:
        return False
    return host in {"localhost", "127.0.0.1", "::1"} or host.endswith(".localhost")


def crawler(request: HttpRequest) -> HttpResponse:
    """Page about our crawler, for people who find it in their logs."""
    return render(request, "about/crawler.html", {"canonical_url": f"{origin_of(request)}{reverse('crawler')}"})


@cache_control(public=True, max_age=3600)
def robots(request: HttpRequest) -> HttpResponse:
    """Allow robots on everything public, point to the sitemap, and exclude private pages."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in PRIVATE_PATHS)]
    lines += ["", f"Sitemap: {origin_of(request)}{reverse('sitemap')}"]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@method_decorator(csrf_exempt, name="dispatch")
class OpenApi(View):
    """The OpenAPI 3.1 document."""

    def get(self, request: HttpRequest) -> HttpResponse:
        response = HttpResponse(orjson.dumps(schema.document()), content_type="application/json")
        response["Cache-Control"] = "public, max-age=300"
        return response


@csrf_exempt
def api_not_found(request: HttpRequest) -> HttpResponse:
    """Any other path under the API."""
    return problem_response(
        problem(
            404,
            "Nothing found at this URL.",
            instance=request.path,
            next_steps=["See /api/v1/openapi.json for all operations."],
        )
    )
