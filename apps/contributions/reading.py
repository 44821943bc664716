"""Find the listing whose contributions somebody reads, and the names that are shown with them."""

from collections.abc import Iterable

from django.http import Http404, HttpRequest
from rest_framework.request import Request

from apps.contributions.models import Contribution
from apps.core.errors import NotFound, unknown_id
from apps.core.stores.valkey.generations import founder_name
from apps.core.web.public_cache import belongs_to
from apps.listings.models import Listing
from apps.sites.models import Site
from apps.sites.requests import SiteHttpRequest


def listing_of(site: Site, slug: str) -> Listing:
    """Return a live listing for the API, also by a slug that was merged. Raises NotFound (404) for any other."""
    live = Listing.objects.public().filter(site=site).select_related("company", "site")
    listing = live.filter(slug=slug).first() or live.filter(merged__slug=slug, merged__site=site).first()
    if listing is None:
        raise unknown_id("search_listings", "This site has no live listing with this slug.", kind="slug")
    return listing


def live_listing(request: SiteHttpRequest, slug: str) -> Listing:
    """Return a live listing for a page, also by a slug that was merged, or raise 404."""
    try:
        return listing_of(request.site, slug)
    except NotFound:
        raise Http404 from None


def depends_on_authors(request: HttpRequest | Request, rows: Iterable[Contribution]) -> None:
    """Invalidate a cached response with these contributions when one of their authors is renamed."""
    belongs_to(request, *{founder_name(row.author_id) for row in rows if hasattr(row.author, "founder_profile")})
