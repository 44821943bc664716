"""Let views declare the generations of their response, and the listing it counts a view for."""

from django.dispatch import Signal
from django.http import HttpRequest
from rest_framework.request import Request

from apps.core.stores.valkey.generations import EVERYTHING, LISTS, SITES

_NAMES = "slipway.generations"
_VIEW_OF = "slipway.view_of"
# In the environment of a request that was answered from the store, and for which nothing has to be counted but the view
# of a listing: its number, or None.
FROM_CACHE = "slipway.from_cache"
# In the environment of a request that was answered from the cache: the route of its view, for logs and metrics.
ROUTE = "slipway.route"

# Sent with `request` and `listing_id` when a page with counted views is served from the cache.
viewed_from_cache = Signal()


def belongs_to(request: HttpRequest | Request, *names: str) -> None:
    """Invalidate the cached response with these generations. With a listing's, it doesn't depend on `lists`."""
    request.META[_NAMES] = request.META.get(_NAMES, frozenset()) | set(names)


def generations_of(request: HttpRequest) -> list[str]:
    """Return all generations of a response to this request."""
    names: frozenset[str] = request.META.get(_NAMES, frozenset())
    shows_one_listing = any(name.startswith("listing:") for name in names)
    return sorted({EVERYTHING, SITES, *names} | (set() if shows_one_listing else {LISTS}))


def counts_view_of(request: HttpRequest, listing_id: int) -> None:
    """Count views of this response that are served from the cache for a listing."""
    request.META[_VIEW_OF] = listing_id


def view_of(request: HttpRequest) -> int | None:
    """Return the listing that the response counts as a view of."""
    result: int | None = request.META.get(_VIEW_OF)
    return result
