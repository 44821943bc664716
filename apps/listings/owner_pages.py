"""Access to an owner's pages, and their common head."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse

from apps.accounts.actors import account_of
from apps.listings.models import Listing
from apps.listings.services.locks import why_not_editable
from apps.sites.requests import SiteHttpRequest

Status = Listing.Status
_TABS = (
    ("manage_listing", "Overview"),
    ("launch", "Launch"),
    ("share_listing", "Share"),
    ("badges", "Badges"),
    ("edit_listing", "Edit"),
    ("listing_pictures", "Pictures"),
    ("edit_story", "Story"),
    ("listing_milestones", "Milestones"),
    ("new_update", "Post update"),
    ("listing_reviews", "Reviews"),
    ("listing_statistics", "Statistics"),
    ("buy", "Buy"),
    ("listing_history", "History"),
)


def own_listing(request: SiteHttpRequest, slug: str) -> Listing:
    """Return the account's own listing on the request's site, or raise 404."""
    own = Listing.objects.visible_to(account_of(request)).for_owner()
    return get_object_or_404(own, site=request.site, slug=slug, merged_into=None)


def head(listing: Listing, *, current: str) -> dict[str, Any]:
    """Return the context of templates/listings/owner/parts/head.html. `current` is the page's URL name."""
    return {
        "name": listing.company.name,
        "slug": listing.slug,
        "logo_key": listing.company.logo_key,
        "state": listing.status,
        "status_reason": listing.status_reason,
        "is_upcoming": listing.status in Listing.UPCOMING,
        "page_url": listing.path if listing.status == Status.LIVE else "",
        "tabs": [
            {"label": label, "url": address_of(listing, name), "is_current": name == current}
            for name, label in _TABS
            if is_open(listing, name)
        ],
    }


def is_open(listing: Listing, page: str) -> bool:
    """Return whether the page is available in the listing's status."""
    if page in {"edit_listing", "edit_story", "listing_milestones", "listing_pictures"}:
        return not why_not_editable(listing)
    if page == "listing_statistics":
        return listing.launched_at is not None
    if page == "launch":
        return listing.status in Listing.LAUNCHABLE or listing.is_upgradable
    if page == "share_listing":
        return listing.status in {Status.SCHEDULED, Status.LIVE}
    if page in {"badges", "buy"}:
        return listing.status in {*Listing.LAUNCHABLE, Status.LIVE}
    return page not in {"new_update", "listing_reviews"} or listing.status == Status.LIVE


def address_of(listing: Listing, page: str) -> str:
    """Return the path of one of the owner's pages. Orders know a listing by its id."""
    return reverse(page, args=[listing.pk if page == "buy" else listing.slug])


def to_overview(listing: Listing) -> HttpResponse:
    """Redirect from a page that is closed in the listing's status to the overview, which says why."""
    return redirect("manage_listing", slug=listing.slug)
