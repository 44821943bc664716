"""Pages of the API reference."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from apps.core.api.problems import known_problems
from apps.sites import guide
from apps.sites.reference import operations
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.structured_data import crumbs

_NAME = "API reference"
_LONGEST_QUERY = 100


@require_safe
def index(request: SiteHttpRequest) -> HttpResponse:
    """List all operations, or those that `q` finds, and explain keys, errors, paging, retries and limits."""
    addresses = guide.Addresses.of(request)
    query = request.GET.get("q", "").strip()[:_LONGEST_QUERY]
    context = {
        "groups": operations.groups(),
        "webhooks_url": reverse("webhook_reference"),
        "query": query,
        "found": operations.search(query),
        "addresses": addresses,
        "snippets": guide.snippets(site=request.site, addresses=addresses),
        "problems": known_problems(),
        "key_variable": guide.KEY_VARIABLE,
        "canonical_url": request.site.url(reverse("api_reference")),
        "structured_data": [crumbs(request.site, (_NAME, reverse("api_reference")))],
    }
    return render(request, "sites/reference/index.html", context)


@require_safe
def operation(request: SiteHttpRequest, name: str) -> HttpResponse:
    """Show an operation with its fields, answer, errors and calls to copy."""
    result = operations.reference(name)
    if result is None:
        raise Http404
    addresses = guide.Addresses.of(request)
    call = operations.call_of(name, origin=addresses.origin)
    context = {
        "operation": result,
        "groups": operations.groups(),
        "webhooks_url": reverse("webhook_reference"),
        "new_key_url": reverse("api_key_new"),
        "snippets": operations.call_snippets(name, addresses=addresses),
        "call": call,
        "inputs": operations.call_inputs(name, call=call),
        "body": operations.call_body(call),
        "canonical_url": request.site.url(reverse("api_operation", args=[name])),
        "structured_data": [
            crumbs(request.site, (_NAME, reverse("api_reference")), (name, reverse("api_operation", args=[name])))
        ],
    }
    return render(request, "sites/reference/operation.html", context)
