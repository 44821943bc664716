"""The past boards of a site, a year at a time: what each of its periods held and who won it."""

from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.aggregates import BoolAnd
from django.db.models import Count, Q, Sum

from apps.core.weeks import Week
from apps.launches.leaderboards.boards import ORDER, counted_standings
from apps.launches.leaderboards.periods import Board, Period, period_around
from apps.launches.models import Standing
from apps.listings.models import Listing
from apps.sites.models import Site


@dataclass(slots=True)
class Summary:
    """A period with what is shown on its board; `winner` is None without votes, or when the first has left."""

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
        """Whether somebody stands first with votes, whose listing is no longer shown."""
        return self.first is not None and self.first.votes > 0 and self.winner is None

    def add(self, *, launches: int, votes: int, is_final: bool, first: Standing | None) -> None:
        """Take in a week of the period."""
        self.launches += launches
        self.votes += votes
        self.is_final = self.is_final and is_final
        if first is not None and (self.first is None or _order(first) < _order(self.first)):
            self.first = first


def summaries(site: Site, *, year: int) -> dict[Board, list[Summary]]:
    """The weeks and months with launches of an ISO year, the latest first, and the year itself. Two queries."""
    firsts = _firsts(site, year)
    found: dict[Board, dict[str, Summary]] = {board: {} for board in (Board.WEEKLY, Board.MONTHLY, Board.YEARLY)}
    for name, launches, votes, is_final in _weeks(site, year):
        for board, own in found.items():
            period = period_around(board, Week.parse(name))
            summary = own.setdefault(period.name, Summary(period))
            summary.add(launches=launches, votes=votes, is_final=is_final, first=firsts.get(name))
    return {board: list(own.values()) for board, own in found.items()}


def _weeks(site: Site, year: int) -> list[tuple[str, int, int, bool]]:
    """Name, launches, votes and whether the ranks are final, the latest week first; listings that left do not count."""
    is_shown = Q(listing__status=Listing.Status.LIVE)
    rows: Any = (
        counted_standings(site)
        .filter(iso_week__startswith=f"{year:04d}-")
        .values_list("iso_week")
        .annotate(
            launches=Count("id", filter=is_shown),
            people=Sum("votes", filter=is_shown, default=0),
            is_closed=BoolAnd("is_final"),
        )
    )
    return list(rows.order_by("-iso_week"))


def _firsts(site: Site, year: int) -> dict[str, Standing]:
    """Who stands first in each week, also where they left later: nobody moves up into their place."""
    standings = counted_standings(site).filter(iso_week__startswith=f"{year:04d}-")
    firsts = standings.order_by("iso_week", *ORDER).distinct("iso_week").select_related("listing__company")
    return {standing.iso_week: standing for standing in firsts}


def _order(standing: Standing) -> tuple[Any, ...]:
    return -standing.points, standing.launched_at, standing.listing_id
