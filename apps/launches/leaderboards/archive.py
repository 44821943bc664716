"""A site's past leaderboards, a year at a time, with their launches and winners."""

from dataclasses import dataclass
from typing import Any

from apps.launches.leaderboards.periods import Board, Period, period_around, period_of
from apps.launches.leaderboards.ranking import BoardWeek, board_weeks
from apps.launches.models import Standing
from apps.listings.models import Listing
from apps.sites.models import Site


@dataclass(slots=True)
class Summary:
    """A period with the totals of its leaderboard. `winner` is None without votes or if the first has left."""

    period: Period
    launches: int = 0
    votes: int = 0
    is_final: bool = True
    first: Standing | None = None

    @property
    def winner(self) -> Listing | None:
        if self.first is None or not self.first.votes or self.first.listing.status != Listing.Status.LIVE:
            return None
        return self.first.listing

    @property
    def has_left(self) -> bool:
        """Return whether the leader by votes is a listing that is no longer shown."""
        return self.first is not None and self.first.votes > 0 and self.winner is None

    def add(self, *, launches: int, votes: int, is_final: bool, first: Standing | None) -> None:
        """Add a week of the period."""
        self.launches += launches
        self.votes += votes
        self.is_final = self.is_final and is_final
        if first is not None and (self.first is None or _order(first) < _order(self.first)):
            self.first = first


def summaries(site: Site, *, year: int) -> dict[Board, list[Summary]]:
    """Return an ISO year's weeks and months with launches, latest first, and the year itself. Two queries."""
    result: dict[Board, dict[str, Summary]] = {board: {} for board in (Board.WEEKLY, Board.MONTHLY, Board.YEARLY)}
    weeks = board_weeks(site, period_of(Board.YEARLY, f"{year:04d}"))
    firsts = _firsts(site, weeks)
    for one in weeks:
        for board, own in result.items():
            period = period_around(board, one.week)
            summary = own.setdefault(period.name, Summary(period))
            first = firsts.get(str(one.week))
            summary.add(launches=one.launches, votes=one.votes, is_final=one.is_final, first=first)
    return {board: list(own.values()) for board, own in result.items()}


def _firsts(site: Site, weeks: list[BoardWeek]) -> dict[str, Standing]:
    """Return each week's first, also if it left the site later, because nobody moves up."""
    standings = Standing.objects.filter(site=site)
    winners = standings.filter(rank=1, iso_week__in=[str(one.week) for one in weeks])
    # Ids first: PostgreSQL reads all standings of a year for either condition or the other.
    current = standings.filter(iso_week__in=[str(one.week) for one in weeks if not one.is_final], is_final=False)
    in_order = current.filter(left_at__isnull=True).order_by("iso_week", "-points", "launched_at", "listing_id")
    leaders = standings.filter(pk__in=in_order.distinct("iso_week").values("pk"))
    first = winners.values("pk").union(leaders.values("pk"), all=True)
    result = Standing.objects.filter(pk__in=first).select_related("listing__company")
    return {standing.iso_week: standing for standing in result}


def _order(standing: Standing) -> tuple[Any, ...]:
    return -standing.points, standing.launched_at, standing.listing_id
