"""Boards: the launches of a period in the order of their points, read from the standings of its weeks."""

from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.aggregates import BoolAnd
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, Window
from django.db.models.functions import Coalesce, RowNumber

from apps.core.errors import NotFound
from apps.core.weeks import Week
from apps.launches.calendar.launch_weeks import current_week
from apps.launches.leaderboards.periods import Board, Period, period_around, periods_around
from apps.launches.models import Standing, VoteLedger
from apps.listings.models import Category, Listing
from apps.sites.models import Site

ORDER = ("-points", "launched_at", "listing_id")
# What gets a rank: whoever was live when the week closed, or is live while it is open.
IS_COUNTED = Q(rank__isnull=False) | Q(is_final=False, listing__status=Listing.Status.LIVE)


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A board as it stands now.

    `standings` are those to show, each with `.place`; `is_final` says that no rank changes any more. `periods` are the
    board's periods with launches, the latest first. `ledger` is the week's, on a weekly board that has one.
    """

    period: Period
    category: Category | None
    standings: QuerySet[Standing]
    is_final: bool
    periods: list[Period]
    ledger: VoteLedger | None

    @property
    def previous(self) -> Period | None:
        """The nearest earlier period with launches."""
        start = self.period.first
        return next((found for found in self.periods if start and found.last and found.last < start), None)

    @property
    def following(self) -> Period | None:
        """The nearest later one."""
        end = self.period.last
        later = (found for found in reversed(self.periods) if end and found.first and found.first > end)
        return next(later, None)


def get_leaderboard(*, site: Site, period: Period, category: str = "") -> Leaderboard:
    """The board of a period, and of one of the site's categories; raises NotFound (404) for any other category.

    Two queries, and one for the category; none for the standings yet.
    """
    chosen = category_of(site, category) if category else None
    weeks = launched_weeks(site)
    of_period = [is_final for week, is_final in weeks.items() if period.contains(week)]
    ledger = None
    if period.board == Board.WEEKLY:
        ledger = VoteLedger.objects.select_related("site").filter(site=site, iso_week=period.name).first()
    return Leaderboard(
        period=period,
        category=chosen,
        standings=ranked(site, period, category=category),
        is_final=period.is_over and all(of_period),
        periods=periods_around(period.board, {*weeks, current_week()}),
        ledger=ledger,
    )


def ranked(site: Site, period: Period, *, category: str = "") -> QuerySet[Standing]:
    """The board's standings of live listings in order, each with `.place` on it and all that a list shows.

    Ranks are given among the counted standings. A listing that left later is not shown, and its rank stays empty.
    Three queries however many rows are read.
    """
    standings = counted_standings(site)
    if period.first and period.last:
        standings = standings.filter(iso_week__gte=str(period.first), iso_week__lte=str(period.last))
    if category:
        standings = standings.filter(_in_category(site, category))
    row = Window(RowNumber(), order_by=ORDER)
    place = Coalesce("rank", row) if period.board == Board.WEEKLY and not category else row
    # The first half is never true. It holds the second back until the ranks are given: without it, listings that left
    # would be gone before, and those behind would move up.
    visible = Q(place__isnull=True) | Q(listing__status=Listing.Status.LIVE)
    return (
        standings.annotate(place=place)
        .filter(visible)
        .order_by("place", *ORDER)
        .prefetch_related(Prefetch("listing", queryset=Listing.objects.with_details()))
    )


def counted_standings(site: Site) -> QuerySet[Standing]:
    """The site's standings that get a rank."""
    return Standing.objects.filter(IS_COUNTED, site=site)


def launched_weeks(site: Site) -> dict[Week, bool]:
    """The weeks with launches, the latest first, and whether their ranks are final. One query."""
    rows: Any = Standing.objects.filter(site=site).values_list("iso_week").annotate(is_final=BoolAnd("is_final"))
    return {Week.parse(week): is_final for week, is_final in rows.order_by("-iso_week")}


def category_of(site: Site, slug: str) -> Category:
    """The site's category; raises NotFound (404)."""
    category = Category.objects.filter(site=site, slug=slug).first()
    if category is None:
        raise NotFound(f"There is no category {slug} on this site.")
    return category


def place_of(standing: Standing, board: Board) -> int | None:
    """A listing's rank on a board of its launch, or None as long as that board can change.

    Two queries for month and year, one for the week.
    """
    week = Week.parse(standing.iso_week)
    if board == Board.WEEKLY:
        return standing.rank
    period = period_around(board, week)
    weeks = launched_weeks(standing.site)
    if (
        standing.rank is None
        or not period.is_over
        or not all(f for found, f in weeks.items() if period.contains(found))
    ):
        return None
    before = Standing.objects.filter(
        _before(standing),
        site=standing.site_id,
        rank__isnull=False,
        iso_week__gte=str(period.first),
        iso_week__lte=str(period.last),
    )
    return before.count() + 1


def place_now(standing: Standing) -> int:
    """Where a live listing stands at this moment on the board of its week, which is open. One query."""
    ahead = Standing.objects.filter(
        _before(standing), site=standing.site_id, iso_week=standing.iso_week, listing__status=Listing.Status.LIVE
    )
    return ahead.count() + 1


def _before(standing: Standing) -> Q:
    """The standings ahead of this one, in the boards' order."""
    return (
        Q(points__gt=standing.points)
        | Q(points=standing.points, launched_at__lt=standing.launched_at)
        | Q(points=standing.points, launched_at=standing.launched_at, listing_id__lt=standing.listing_id)
    )


def _in_category(site: Site, slug: str) -> Q:
    """Frozen categories where the week is closed, the listing's own ones where it is open."""
    links = Listing.categories.through.objects
    now = links.filter(listing_id=OuterRef("listing_id"), category__site=site, category__slug=slug)
    return Q(is_final=True, categories__contains=[slug]) | (Q(is_final=False) & Q(Exists(now)))
