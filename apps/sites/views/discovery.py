"""Documents that help programs find the site's interfaces and security contact."""

from datetime import timedelta
from typing import Any

import orjson
from django.conf import settings
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from apps.sites import guide
from apps.sites.requests import SiteHttpRequest

SERVER_CARD_TYPE = "application/mcp-server-card+json"
_EXPIRES_AFTER = timedelta(days=90)
_public = cache_control(public=True, max_age=3600)


@csrf_exempt
@require_safe
@_public
def server_card(request: SiteHttpRequest) -> HttpResponse:
    """Describe the MCP server before anybody connects (SEP-2127, schema v1)."""
    return _json(guide.server_card(request.site, guide.Addresses.of(request)), SERVER_CARD_TYPE)


@csrf_exempt
@require_safe
@_public
def ai_catalog(request: SiteHttpRequest) -> HttpResponse:
    """List what assistants can use here (Agentic Resource Discovery 0.91, AI Catalog 1.0)."""
    addresses = guide.Addresses.of(request)
    server: dict[str, Any] = {
        "identifier": f"urn:air:{request.site.host}:mcp:{request.site.key}",
        "displayName": f"{request.site.name} MCP server",
        "type": SERVER_CARD_TYPE,
        "url": f"{addresses.mcp}{guide.CARD_PATH}",
        "capabilities": [tool.name for tool in guide.tools()],
        "description": guide.description(request.site),
        "representativeQueries": [
            "Draft a product listing from my website",
            "Launch my product on a launch directory",
            "Which products launched this week?",
            "What does a paid launch cost with VAT?",
        ],
    }
    host = {"displayName": request.site.name, "documentationUrl": f"{addresses.origin}{reverse('connect')}"}
    return _json({"specVersion": "1.0", "host": host, "entries": [server]}, "application/json")


@require_safe
@_public
def security_txt(request: SiteHttpRequest) -> HttpResponse:
    """Say where to report security problems (RFC 9116)."""
    # The day, so that everybody gets the same text for a day.
    expires = (timezone.now() + _EXPIRES_AFTER).replace(hour=0, minute=0, second=0, microsecond=0)
    origin = guide.Addresses.of(request).origin
    lines = [
        f"Contact: {settings.SECURITY_CONTACT}",
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages: en",
        f"Canonical: {origin}{reverse('security_txt')}",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
@_public
def indexnow_key(request: SiteHttpRequest) -> HttpResponse:
    """Prove to search engines that the addresses sent to them with this key are the site's own."""
    if not settings.INDEXNOW_KEY:
        raise Http404
    return HttpResponse(settings.INDEXNOW_KEY, content_type="text/plain; charset=utf-8")


def _json(document: Any, content_type: str) -> HttpResponse:
    # Anybody's program may read what is public.
    return HttpResponse(orjson.dumps(document), content_type=content_type, headers={"Access-Control-Allow-Origin": "*"})
