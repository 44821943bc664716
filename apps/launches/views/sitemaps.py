"""The boards and the categories in the sitemap."""

from datetime import datetime
from typing import Any

from django.db.models import Count, Max, Q
from django.urls import reverse

from apps.core.weeks import Week
from apps.launches.calendar.launch_weeks import current_week
from apps.launches.leaderboards.boards import IS_COUNTED
from apps.launches.leaderboards.links import lasting_url
from apps.launches.leaderboards.periods import Board, Period, period_around
from apps.launches.models import Standing, Vote, VoteLedger
from apps.listings.models import Category, Listing
from apps.sites.models import Site
from apps.sites.seo.sitemaps import Address, Section


class BoardSection(Section):
    """The front page, the lists of past boards, and every board with something on it."""

    def addresses(self) -> list[Address]:
        weeks = changed_weeks(self.site)
        now = current_week()
        weeks.setdefault(now, None)
        boards: dict[Period, datetime | None] = {}
        years: dict[int, datetime | None] = {}
        for week, changed_at in weeks.items():
            years[week.year] = _later(years.get(week.year), changed_at)
            for period in (period_around(board, week) for board in Board):
                boards[period] = _later(boards.get(period), changed_at)
        past = reverse("boards")
        return [
            Address(reverse("home"), weeks[now]),
            *(
                Address(past if year == now.year else f"{past}?year={year}", changed_at)
                for year, changed_at in years.items()
            ),
            *(Address(lasting_url(period), changed_at) for period, changed_at in boards.items()),
        ]


class CategorySection(Section):
    """The index of categories, and those that hold listings."""

    def addresses(self) -> list[Address]:
        is_shown = Q(listings__status=Listing.Status.LIVE)
        # A listing that left changed the page as well.
        was_shown = Q(listings__launched_at__isnull=False)
        rows: Any = (
            Category.objects.filter(site=self.site)
            .annotate(
                count=Count("listings", filter=is_shown), changed_at=Max("listings__updated_at", filter=was_shown)
            )
            .values_list("slug", "count", "changed_at")
        )
        found = list(rows)
        latest = max((changed_at for _, _, changed_at in found if changed_at), default=None)
        held = [Address(reverse("category", args=[slug]), changed_at) for slug, count, changed_at in found if count]
        return [Address(reverse("categories"), latest), *held]


def changed_weeks(site: Site) -> dict[Week, datetime | None]:
    """The weeks of which a board shows something, the latest first, with its last change. Three queries.

    A board changes with launches and votes until it is closed, and after that when one of its listings leaves.
    """
    is_shown = Q(listing__status=Listing.Status.LIVE)
    standings: Any = (
        Standing.objects.filter(site=site)
        .values_list("iso_week")
        .annotate(
            shown=Count("pk", filter=is_shown & IS_COUNTED),
            launched=Max("launched_at"),
            left=Max("listing__updated_at", filter=~is_shown),
        )
        .order_by("-iso_week")
    )
    closed: Any = VoteLedger.objects.filter(site=site).values_list("iso_week", "closed_at")
    of_open_boards = Vote.objects.filter(listing__standing__site=site, listing__standing__is_final=False)
    voted: Any = of_open_boards.order_by().values_list("listing__standing__iso_week").annotate(at=Max("created_at"))
    closed_at, voted_at = dict(closed), dict(voted)
    return {
        Week.parse(name): max(
            (at for at in (launched, left, closed_at.get(name), voted_at.get(name)) if at), default=None
        )
        for name, shown, launched, left in standings
        if shown
    }


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    return max((at for at in (one, other) if at), default=None)
