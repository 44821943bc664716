"""What a week brought the listings of an account."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count
from django.utils import timezone

from apps.accounts.models import User
from apps.core.weeks import Week
from apps.listings.models import Follow, Listing
from apps.listings.statistics.figures import Days, Figures, top_sources, totals

TOP_SOURCES = 3


@dataclass(frozen=True, slots=True)
class WeeklyFigures:
    """One listing's week beside the week before; `votes` are all that it has by now."""

    listing: Listing
    week: Week
    figures: Figures
    before: Figures
    new_followers: int
    votes: int
    sources: Sequence[tuple[str, int]]


def weekly_figures(account: User, *, week: Week | None = None) -> list[WeeklyFigures]:
    """The figures of every live listing of an account, on all sites, for a week: without one, for the last whole one.

    Empty for an account without live listings. The listings are loaded `with_details()`.
    """
    week = week or Week.of(timezone.now()) + -1
    listings = list(Listing.objects.visible_to(account).public().with_details().order_by("company__name", "pk"))
    days = Days(week.starts_at.date(), (week.ends_at - timedelta(days=1)).date())
    ids = [listing.pk for listing in listings]
    now, before = totals(ids, days), totals(ids, days.before)
    follows = Follow.objects.filter(listing__in=ids, created_at__gte=week.starts_at, created_at__lt=week.ends_at)
    followers = dict(follows.order_by().values_list("listing").annotate(count=Count("pk")))
    return [
        WeeklyFigures(
            listing=listing,
            week=week,
            figures=now[listing.pk],
            before=before[listing.pk],
            new_followers=followers.get(listing.pk, 0),
            votes=listing.current_votes,
            sources=top_sources(listing, days, most=TOP_SOURCES),
        )
        for listing in listings
    ]
