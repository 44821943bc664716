"""How periods of boards are called on pages, and the links between them."""

from typing import Any

from django.urls import reverse

from apps.core.dates import week_and_year
from apps.core.weeks import Week
from apps.launches.calendar.launch_weeks import current_week
from apps.launches.leaderboards.periods import Board, Period, board_url, current_board_url, period_around

_CURRENT = {
    Board.WEEKLY: "This week",
    Board.MONTHLY: "This month",
    Board.YEARLY: "This year",
    Board.ALL_TIME: "All time",
}
# What a phone has room for.
_BRIEF = {Board.WEEKLY: "Week", Board.MONTHLY: "Month", Board.YEARLY: "Year"}


def label(period: Period) -> str:
    """A period as people say it: `Week 46, 2026`, `November 2026`, `2026`; nothing for all time."""
    match period.board:
        case Board.WEEKLY if period.first:
            return week_and_year(period.first)
        case Board.MONTHLY if period.first:
            return f"{period.first.thursday:%B %Y}"
        case Board.ALL_TIME:
            return ""
    return period.name


def tabs(period: Period, *, category: str = "") -> list[dict[str, Any]]:
    """Links to each kind of board, at the time of the period shown: from a week to its month, year and all time.

    From a longer period the weekly and monthly tabs lead to its end, or to now while it is not over.
    """
    now = current_week()
    at = min(period.last, now) if period.last else now
    found = []
    for board in Board:
        there = period_around(board, at)
        is_now = there.contains(now)
        found.append(
            {
                "label": _CURRENT[board] if is_now else _short(there, now),
                "brief": _BRIEF.get(board, "") if is_now else "",
                "url": reverse("home")
                if is_now and board == Board.WEEKLY and not category
                else lasting_url(there, category=category),
                "current": board == period.board,
            }
        )
    return found


def link(period: Period | None, *, category: str = "") -> dict[str, str] | None:
    """A period's label and the address of its board, or None without one."""
    return {"label": label(period), "url": board_url(period, category=category)} if period else None


def lasting_url(period: Period, *, category: str = "") -> str:
    """The one address under which a board is known: without the period's name while it is the current one."""
    is_now = period.contains(current_week())
    return current_board_url(period.board, category=category) if is_now else board_url(period, category=category)


def past_boards_url(period: Period) -> str:
    """The list of past periods, open at the year of this one."""
    address = reverse("boards")
    is_past = period.last is not None and period.last.year != current_week().year
    return f"{address}?year={period.last.year}" if period.last and is_past else address


def _short(period: Period, now: Week) -> str:
    """The label, without the year where that is the current one."""
    return label(period).removesuffix(f", {now.year}").removesuffix(f" {now.year}")
