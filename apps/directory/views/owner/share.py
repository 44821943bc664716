"""The last step of a launch: share a live or scheduled listing."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.launches.share import SHARED, launched
from apps.listings.owner_pages import head, own_listing, to_overview
from apps.sites.requests import SiteHttpRequest


@login_required
@require_safe
def share(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Show that the listing is live or scheduled, with its link, badge and story."""
    listing = own_listing(request, slug)
    if listing.status not in SHARED:
        return to_overview(listing)
    context = {"listing": listing, "head": head(listing, current="share_listing"), "launched": launched(listing)}
    return render(request, "directory/owner/share.html", context)
