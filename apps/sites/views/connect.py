"""Pages for assistants and for the people who connect them."""

from typing import Any

import orjson
from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from apps.core.api.scopes import SCOPE_TEXTS
from apps.sites import guide
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.structured_data import crumbs


@require_safe
def connect(request: SiteHttpRequest) -> HttpResponse:
    """Show how to connect an assistant: the MCP address and steps for each known client."""
    addresses = guide.Addresses.of(request)
    tools = guide.tools()
    context = {
        "addresses": addresses,
        "snippets": guide.snippets(site=request.site, addresses=addresses),
        "public_tools": [tool for tool in tools if not tool.scope],
        "account_tools": [tool for tool in tools if tool.scope],
        "scope_texts": list(SCOPE_TEXTS.values()),
        "key_variable": guide.KEY_VARIABLE,
        "is_loopback": settings.IS_LOOPBACK,
        "new_key_url": reverse("api_key_new"),
        "canonical_url": request.site.url(reverse("connect")),
        "structured_data": [crumbs(request.site, ("Connect an assistant", reverse("connect")))],
    }
    return render(request, "sites/connect.html", context)


@require_safe
@cache_control(public=True, max_age=3600)
def llms_txt(request: SiteHttpRequest) -> HttpResponse:
    """Describe the site and its API for programs, in the llms.txt format."""
    addresses, operations = guide.Addresses.of(request), guide.operations().values()
    context = {
        "site": request.site,
        "addresses": addresses,
        "public_calls": [operation for operation in operations if not operation.scope],
        "not_tools": [operation for operation in operations if not operation.is_tool],
        "flow": guide.flow(),
        "pages": guide.public_pages(addresses.origin),
        "feeds": guide.public_feeds(addresses.origin),
        "keys_url": f"{addresses.origin}{reverse('api_keys')}",
        "oembed_url": f"{addresses.origin}{reverse('oembed')}",
    }
    return render(request, "sites/llms.txt", context, content_type="text/plain; charset=utf-8")


@require_safe
@cache_control(public=True, max_age=3600)
def api_catalog(request: SiteHttpRequest) -> HttpResponse:
    """List the site's interfaces and their descriptions (RFC 9727) as a linkset (RFC 9264)."""
    addresses = guide.Addresses.of(request)
    described = [{"href": f"{addresses.origin}{reverse('connect')}", "type": "text/html"}]
    rest: dict[str, Any] = {
        "anchor": addresses.rest,
        "service-desc": [{"href": addresses.openapi, "type": "application/json"}],
        "service-doc": described,
        "service-meta": [{"href": addresses.rest_metadata, "type": "application/json"}],
        "status": [{"href": f"{addresses.origin}{reverse('healthz')}", "type": "application/json"}],
    }
    mcp: dict[str, Any] = {
        "anchor": addresses.mcp,
        "service-doc": described,
        "service-meta": [{"href": addresses.mcp_metadata, "type": "application/json"}],
    }
    response = HttpResponse(
        orjson.dumps({"linkset": [rest, mcp]}),
        content_type='application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    )
    response["Link"] = f'<{addresses.origin}{reverse("api_catalog")}>; rel="api-catalog"'
    return response
