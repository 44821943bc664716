"""Leaderboards: the launches of a period by points, and a listing's rank on them."""

from dataclasses import dataclass

from django.db.models import Q

from apps.core.errors import NotFound
from apps.core.text.weeks import Week
from apps.launches.calendar.launch_weeks import current_week
from apps.launches.leaderboards.periods import Board, Period, period_around, periods_around
from apps.launches.leaderboards.ranking import RankedStandings, ranked
from apps.launches.models import Standing, VoteLedger
from apps.listings.models import Category
from apps.sites.models import Site


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A leaderboard as of now.

    `standings` are those to show, each with `.place`. `is_final` means that no rank changes any more. `periods` are
    those with launches, latest first. `ledger` belongs to the week of a weekly leaderboard, if it has one.
    """

    period: Period
    category: Category | None
    standings: RankedStandings
    is_final: bool
    periods: list[Period]
    ledger: VoteLedger | None

    @property
    def previous(self) -> Period | None:
        """Return the nearest earlier period with launches."""
        start = self.period.first
        return next((result for result in self.periods if start and result.last and result.last < start), None)

    @property
    def following(self) -> Period | None:
        """Return the nearest later period with launches."""
        end = self.period.last
        later = (result for result in reversed(self.periods) if end and result.first and result.first > end)
        return next(later, None)


def get_leaderboard(*, site: Site, period: Period, category: str = "") -> Leaderboard:
    """Return the leaderboard of a period, or of one category in it. Raises NotFound (404) for an unknown category.

    Takes two queries, and one for the category. The standings are not read yet.
    """
    chosen = category_of(site, category) if category else None
    weeks = launched_weeks(site)
    of_period = [is_final for week, is_final in weeks.items() if period.contains(week)]
    ledger = None
    if period.board == Board.WEEKLY:
        # Weeks from before ledgers were introduced have one without entries.
        ledgers = VoteLedger.objects.select_related("site").filter(site=site, iso_week=period.name, length__gt=0)
        ledger = ledgers.first()
    return Leaderboard(
        period=period,
        category=chosen,
        standings=ranked(site, period, category=category),
        is_final=period.is_over and all(of_period),
        periods=periods_around(period.board, {*weeks, current_week()}),
        ledger=ledger,
    )


def launched_weeks(site: Site) -> dict[Week, bool]:
    """Return the weeks with launches, the latest first, and whether their ranks are final. One query."""
    rows = VoteLedger.objects.filter(site=site).order_by("-iso_week").values_list("iso_week", "closed_at")
    return {Week.parse(week): closed_at is not None for week, closed_at in rows}


def category_of(site: Site, slug: str) -> Category:
    """Return the site's category. Raises NotFound (404)."""
    category = Category.objects.filter(site=site, slug=slug).first()
    if category is None:
        raise NotFound(f"This site has no category {slug}.")
    return category


def place_of(standing: Standing, board: Board) -> int | None:
    """Return a listing's final rank on a leaderboard of its launch, or None while that leaderboard can change.

    Month and year take two queries, the week one.
    """
    week = Week.parse(standing.iso_week)
    if board == Board.WEEKLY:
        return standing.rank
    period = period_around(board, week)
    weeks = launched_weeks(standing.site)
    if (
        standing.rank is None
        or not period.is_over
        or not all(f for result, f in weeks.items() if period.contains(result))
    ):
        return None
    before = Standing.objects.filter(
        _before(standing), site=standing.site_id, rank__isnull=False, iso_week__in=[str(one) for one in period.weeks]
    )
    return before.count() + 1


def place_now(standing: Standing) -> int:
    """Return a live listing's current rank in its open week, with one query."""
    ahead = Standing.objects.filter(
        _before(standing), site=standing.site_id, iso_week=standing.iso_week, left_at__isnull=True
    )
    return ahead.count() + 1


def _before(standing: Standing) -> Q:
    """Return the standings that rank before this one."""
    earlier = Q(launched_at__lt=standing.launched_at)
    same_moment = Q(launched_at=standing.launched_at, listing_id__lt=standing.listing_id)
    # The first condition limits the part of the index to read.
    return Q(points__gte=standing.points) & (Q(points__gt=standing.points) | earlier | same_moment)
