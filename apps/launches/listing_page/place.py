"""A listing's rank in its launch week, and its awards."""

from dataclasses import dataclass
from datetime import date, timedelta

from apps.core.text.weeks import Week
from apps.launches.badges.kinds import Kind, earned_awards
from apps.launches.calendar.launch_weeks import current_week
from apps.launches.leaderboards.boards import place_now
from apps.launches.leaderboards.cards import award_text
from apps.launches.leaderboards.links import label, lasting_url
from apps.launches.leaderboards.periods import Board, period_around
from apps.launches.models import Standing
from apps.listings.models import Listing

_BOARDS = {Kind.MONTH_1: Board.MONTHLY, Kind.YEAR_1: Board.YEARLY}


@dataclass(frozen=True, slots=True)
class Place:
    """A listing's rank in its week: the final one, or the current one while the week is open.

    `award` is `#1 of the week`, `#2` or `#3`, and empty before the close or without votes. `closes_on` is the last
    day of a week that takes votes, and None after its end.
    """

    week_label: str
    board_url: str
    rank: int | None
    is_final: bool
    award: str
    closes_on: date | None


@dataclass(frozen=True, slots=True)
class Award:
    """An award. `tone` is the rank from 1 to 3, or 0 without a rank."""

    title: str
    period: str
    url: str
    tone: int


def place_of_listing(listing: Listing) -> Place | None:
    """Return the rank of a listing loaded `with_details()`, or None before its launch. One query in an open week."""
    standing = getattr(listing, "standing", None)
    if standing is None:
        return None
    week = Week.parse(standing.iso_week)
    period = period_around(Board.WEEKLY, week)
    is_open = not standing.is_final and listing.status == Listing.Status.LIVE
    rank = place_now(standing) if is_open else standing.rank
    return Place(
        week_label=label(period),
        board_url=lasting_url(period),
        rank=rank if standing.votes or standing.is_final else None,
        is_final=standing.is_final,
        award=_award(standing),
        closes_on=None if standing.is_final or week < current_week() else (week.ends_at - timedelta(days=1)).date(),
    )


def awards(listing: Listing) -> list[Award]:
    """Return a live listing's awards, the greatest first. Four more queries for the winner of a week."""
    result = []
    for badge in reversed(earned_awards(listing)):
        board = _BOARDS.get(badge.kind, Board.WEEKLY)
        standing = listing.standing if badge.period else None
        period = period_around(board, Week.parse(standing.iso_week)) if standing else None
        result.append(
            Award(
                title="Founder story" if badge.kind == Kind.FOUNDER_STORY else badge.title,
                period=label(period) if period else "",
                url=lasting_url(period) if period else badge.page_path,
                tone=int(badge.kind[-1]) if period else 0,
            )
        )
    return result


def _award(standing: Standing) -> str:
    return (award_text(standing.rank, "of the week") or "") if standing.votes else ""
