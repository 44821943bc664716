"""Find the listing whose contributions somebody reads, and the names that are shown with them."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from rest_framework.request import Request
from rest_framework.serializers import BaseSerializer

from apps.contributions.models import Contribution
from apps.core.api.pagination import paginate
from apps.core.errors import NotFound, unknown_id
from apps.core.stores.valkey.generations import company_name, founder_name, listing_name
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


def page_of_contributions(
    request: Request,
    query: Mapping[str, Any],
    listing: Listing,
    rows: QuerySet[Any],
    *,
    item: type[BaseSerializer[Any]],
) -> dict[str, Any]:
    """Return a page of a listing's contributions for the API. Changes of the listing and its authors invalidate it."""
    belongs_to(request, listing_name(listing.pk), company_name(listing.company_id))
    return paginate(
        rows,
        request=request,
        item=item,
        page=query["page"],
        per_page=query["per_page"],
        context={"listing": listing},
        look_at=partial(depends_on_authors, request),
    )
