"""Find the listing whose contributions somebody reads, and the names that are shown with them."""

from collections.abc import Iterable

from django.shortcuts import get_object_or_404

from apps.contributions.models import Contribution
from apps.core.errors import unknown_id
from apps.core.stores.valkey.generations import founder_name
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
    """Return a live listing for a page, or raise 404."""
    live = Listing.objects.public().filter(site=request.site, merged_into=None).select_related("company", "site")
    return get_object_or_404(live, slug=slug)


def names_of(rows: Iterable[Contribution]) -> set[str]:
    """Return the generations of the founders who wrote these, with whose names a page of them changes."""
    return {founder_name(row.author_id) for row in rows if hasattr(row.author, "founder_profile")}
