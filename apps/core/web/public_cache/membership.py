"""What views say about their answers: which generations they belong to, and whose view they are."""

from django.dispatch import Signal
from django.http import HttpRequest
from rest_framework.request import Request

from apps.core.valkey.generations import EVERYTHING, LISTS, SITES

_NAMES = "slipway.generations"
_VIEW_OF = "slipway.view_of"

# Sent with `request` and `listing_id` when a page whose views are counted is answered without its view.
viewed_from_cache = Signal()


def belongs_to(request: HttpRequest | Request, *names: str) -> None:
    """Have the answer go when one of these generations ends; one that names a listing shows no lists."""
    request.META[_NAMES] = request.META.get(_NAMES, frozenset()) | set(names)


def generations_of(request: HttpRequest) -> list[str]:
    """All generations that the answer to a request belongs to."""
    names: frozenset[str] = request.META.get(_NAMES, frozenset())
    shows_one_listing = any(name.startswith("listing:") for name in names)
    return sorted({EVERYTHING, SITES, *names} | (set() if shows_one_listing else {LISTS}))


def counts_view_of(request: HttpRequest, listing_id: int) -> None:
    """Have views of this answer that come from the cache counted for a listing."""
    request.META[_VIEW_OF] = listing_id


def view_of(request: HttpRequest) -> int | None:
    """The listing whose view the answer is."""
    found: int | None = request.META.get(_VIEW_OF)
    return found
