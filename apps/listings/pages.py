"""Pages of listings that need nothing of the launch calendar."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from apps.accounts.requests import account_of
from apps.core.page_numbers import page_object, page_rows
from apps.core.templatetags.look import week_label
from apps.listings import guidance
from apps.listings.models import Listing
from apps.listings.owner.access import address_of, is_open
from apps.listings.owner.steps import standing_of
from apps.sites.requests import SiteHttpRequest


@login_required
@require_safe
def dashboard(request: SiteHttpRequest) -> HttpResponse:
    """The account's listings with their status, what blocks them, and what can be done next."""
    listings = Listing.objects.visible_to(account_of(request)).for_owner().order_by("-id")
    page = page_object(request, total=listings.count(), per_page=20)
    shown = [
        {
            "name": listing.company.name,
            "id": listing.pk,
            "slug": listing.slug,
            "manage_url": listing.site.url(reverse("manage_listing", args=[listing.slug])),
            "edit_url": _here(listing, request, "edit_listing"),
            "story_url": _here(listing, request, "edit_story"),
            "post_url": _here(listing, request, "new_update"),
            "buy_url": _here(listing, request, "buy"),
            "site_name": "" if listing.site_id == request.site.pk else listing.site.name,
            "logo_url": listing.company.logo_url,
            "state": listing.status,
            "status_reason": listing.status_reason,
            "plan": "" if listing.plan == Listing.Plan.NONE else listing.plan,
            "week_label": f"{week_label(listing.week)}, {listing.week.year}" if listing.week else "",
            "votes": listing.current_votes,
            "blockers": guidance.blockers(listing),
            "standing": standing_of(listing),
        }
        for listing in page_rows(listings, page)
    ]
    return render(request, "accounts/dashboard.html", {"listings": shown, "page_obj": page})


def _here(listing: Listing, request: SiteHttpRequest, page: str) -> str:
    """The address of one of the owner's pages that is open; empty for a listing on another site."""
    if listing.site_id != request.site.pk or not is_open(listing, page):
        return ""
    return address_of(listing, page)
