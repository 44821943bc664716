"""The owner's overview of a listing: its state, blockers and links to everything else."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.analytics import figures
from apps.core.text.dates import week_and_year
from apps.launches.owner.status_text import status_text, way_back
from apps.launches.owner.tasks import tasks_of
from apps.listings.guidance import blockers
from apps.listings.models import Listing
from apps.listings.owner_pages import address_of, head, is_open, own_listing
from apps.listings.websites.identity import claim_address, reread_address
from apps.sites.requests import SiteHttpRequest


@login_required
@require_safe
def overview(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Show state, blockers, next steps and links to everything an owner can do."""
    listing = own_listing(request, slug)
    context = {
        "listing": head(listing, current="manage_listing") | _facts(listing),
        "status_text": status_text(listing),
        "tasks": tasks_of(listing),
        "way_back": way_back(listing),
    }
    return render(request, "directory/owner/overview.html", context)


def _facts(listing: Listing) -> dict[str, object]:
    return {
        "site_name": listing.site.name,
        "plan": "" if listing.plan == Listing.Plan.NONE else listing.plan,
        "week_label": week_and_year(listing.week),
        "votes": listing.current_votes,
        "follower_count": listing.follows.count(),
        "milestone_count": listing.milestones.count(),
        "update_count": listing.updates.count(),
        "story": _story(listing),
        "verified_at": listing.company.verified_at,
        "claim_url": claim_address(listing.site, listing.company.website),
        "reread_url": reread_address(listing.site, listing.company.website),
        "can_edit": is_open(listing, "edit_listing"),
        "can_post": is_open(listing, "new_update"),
        "can_archive": listing.status == Listing.Status.LIVE,
        "badges_url": f"{listing.path}/badges",
        "buy_url": address_of(listing, "buy") if is_open(listing, "buy") else "",
        **_visits(listing),
    }


def _visits(listing: Listing) -> dict[str, object]:
    """Return the figures of the last days with a link to more, or nothing before the launch."""
    if not is_open(listing, "listing_statistics"):
        return {"statistics_url": "", "recent": None}
    return {
        "statistics_url": address_of(listing, "listing_statistics"),
        "recent": figures.total(listing, figures.Days.until_today(7)),
    }


def _story(listing: Listing) -> dict[str, str]:
    """Return the founder story's state and its meaning. Empty without a story."""
    story = listing.own_story
    if story is None:
        return {"state": "", "text": "How it started, in your own words"}
    if story.taken_down_at:
        text = "Taken down by a site admin. See its history for the reason."
    elif not story.published_at:
        text = "Only you can see it. Open the editor to finish it."
    elif story.is_shown:
        text = "Public on its own page"
    else:
        text = " ".join(blockers.story_steps(story))
    return {"state": story.status, "text": text}
