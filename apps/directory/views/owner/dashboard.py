"""The dashboard of an account's listings: state, next steps and numbers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from apps.accounts.actors import account_of
from apps.accounts.founders.completeness import missing_profile_parts
from apps.accounts.models import User
from apps.analytics import figures
from apps.analytics.figures import Days, Figures
from apps.core.text.dates import week_and_year
from apps.core.web.page_numbers import page_object, page_rows
from apps.launches.owner.status_text import status_text, suggestions
from apps.launches.owner.tasks import tasks_of
from apps.listings.models import Follow, Listing, Update
from apps.listings.owner_pages import address_of, is_open
from apps.sites.requests import SiteHttpRequest

DAYS = 7
DAYS_DRAWN = 14


@dataclass(frozen=True, slots=True)
class Numbers:
    """The dashboard's numbers for a page of listings by id, loaded in a few queries."""

    recent: dict[int, Figures]
    course: dict[int, list[int]]
    followers: dict[int, int]
    with_updates: set[int]

    @classmethod
    def of(cls, listings: Iterable[Listing]) -> "Numbers":
        ids = [listing.pk for listing in listings]
        updates = Update.objects.filter(listing__in=ids).order_by().values_list("listing", flat=True)
        follows = Follow.objects.filter(listing__in=ids).order_by().values_list("listing")
        return cls(
            recent=figures.totals(ids, Days.until_today(DAYS)),
            course=figures.views_by_day(ids, Days.until_today(DAYS_DRAWN)),
            followers=dict(follows.annotate(count=Count("pk"))),
            with_updates=set(updates.distinct()),
        )


@login_required
@require_safe
def dashboard(request: SiteHttpRequest) -> HttpResponse:
    """Show the account's listings with their state, blockers, next steps and numbers."""
    account = account_of(request)
    own = Listing.objects.visible_to(account)
    page = page_object(request, total=own.count(), per_page=20)
    listings = list(page_rows(own.for_owner().select_related("founder_story").order_by("-id"), page))
    numbers = Numbers.of(listings)
    rows = [_shown(listing, request, numbers) for listing in listings]
    # A listing that waits for the profile says so itself.
    is_waiting = any(task.code == "profile" for listing in rows for task in listing["tasks"])
    context = {
        "listings": rows,
        "totals": _totals(account),
        "days": DAYS,
        "missing_profile_parts": missing_profile_parts(account, site=request.site)
        if listings and not is_waiting
        else [],
        "page_obj": page,
    }
    return render(request, "directory/owner/dashboard.html", context)


def _shown(listing: Listing, request: SiteHttpRequest, numbers: Numbers) -> dict[str, Any]:
    return {
        "name": listing.company.name,
        "id": listing.pk,
        "slug": listing.slug,
        "headline": listing.headline,
        "manage_url": listing.site.url(reverse("manage_listing", args=[listing.slug])),
        "page_url": listing.page_url if listing.status == Listing.Status.LIVE else "",
        "edit_url": _here(listing, request, "edit_listing"),
        "story_url": _here(listing, request, "edit_story"),
        "post_url": _here(listing, request, "new_update"),
        "buy_url": _here(listing, request, "buy"),
        "site_name": "" if listing.site_id == request.site.pk else listing.site.name,
        "logo_key": listing.company.logo_key,
        "state": listing.status,
        "status_reason": listing.status_reason,
        "plan": "" if listing.plan == Listing.Plan.NONE else listing.plan,
        "week_label": week_and_year(listing.week),
        "tasks": tasks_of(listing),
        "status_text": status_text(listing),
        "suggestions": suggestions(listing, has_updates=listing.pk in numbers.with_updates),
        "figures": _figures(listing, numbers),
    }


def _figures(listing: Listing, numbers: Numbers) -> dict[str, Any] | None:
    """Return the small figures of a launched listing."""
    if not is_open(listing, "listing_statistics"):
        return None
    return {
        "url": listing.site.url(address_of(listing, "listing_statistics")),
        "recent": numbers.recent[listing.pk],
        "course": numbers.course[listing.pk],
        "votes": listing.current_votes,
        "followers": numbers.followers.get(listing.pk, 0),
    }


def _totals(account: User) -> Sequence[dict[str, Any]]:
    """Compare the account's last days with the days before, over all listings. Empty without a launch.

    Days before the first launch aren't compared.
    """
    launches = dict(Listing.objects.visible_to(account).exclude(launched_at=None).values_list("pk", "launched_at"))
    if not launches:
        return []
    ids = list(launches)
    days = Days.until_today(DAYS)
    is_compared = min(at for at in launches.values() if at).astimezone(UTC).date() <= days.before.first
    now, before = (_sum(figures.totals(ids, some).values()) for some in (days, days.before))
    pairs = {
        "Views": (now.views, before.views),
        "Visitors": (now.visitors, before.visitors),
        "Clicks to your websites": (now.clicks, before.clicks),
        "New followers": (_new_followers(ids, days), _new_followers(ids, days.before)),
    }
    return [
        {
            "label": label,
            "value": value,
            "change": figures.change_text(value, then) if is_compared else "",
            "is_more": value > then,
        }
        for label, (value, then) in pairs.items()
    ]


def _new_followers(listing_ids: Sequence[int], days: Days) -> int:
    """Count the followers since that day who still follow."""
    return Follow.objects.filter(listing__in=listing_ids, created_at__date__range=(days.first, days.last)).count()


def _sum(figures: Iterable[Figures]) -> Figures:
    views, visitors, clicks = 0, 0, 0
    for one in figures:
        views, visitors, clicks = views + one.views, visitors + one.visitors, clicks + one.clicks
    return Figures(views, visitors, clicks)


def _here(listing: Listing, request: SiteHttpRequest, page: str) -> str:
    """Return the URL of an owner's page, or an empty text for a listing on another site."""
    if listing.site_id != request.site.pk or not is_open(listing, page):
        return ""
    return address_of(listing, page)
