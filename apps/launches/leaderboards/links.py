"""Labels of leaderboard periods on pages, and the links between them."""

from typing import Any

from django.urls import reverse

from apps.core.text.dates import week_and_year
from apps.core.text.weeks import Week
from apps.launches.calendar.launch_weeks import current_week
from apps.launches.leaderboards.periods import Board, Period, board_url, current_board_url, period_around

_CURRENT = {
    Board.WEEKLY: "This week",
    Board.MONTHLY: "This month",
    Board.YEARLY: "This year",
    Board.ALL_TIME: "All time",
}
# As many as fit on a phone.
_BRIEF = {Board.WEEKLY: "Week", Board.MONTHLY: "Month", Board.YEARLY: "Year"}


def label(period: Period) -> str:
    """Return a period's label: `Week 46, 2026`, `November 2026`, `2026`, or an empty text for all time."""
    match period.board:
        case Board.WEEKLY if period.first:
            return week_and_year(period.first)
        case Board.MONTHLY if period.first:
            return f"{period.first.thursday:%B %Y}"
        case Board.ALL_TIME:
            return ""
    return period.name


def tabs(period: Period, *, category: str = "") -> list[dict[str, Any]]:
    """Return links to each kind of leaderboard around the shown period: from a week to its month, year and all time.

    From a longer period the weekly and monthly tabs lead to its end, or to now if it isn't over.
    """
    now = current_week()
    at = min(period.last, now) if period.last else now
    result = []
    for board in Board:
        there = period_around(board, at)
        is_now = there.contains(now)
        result.append(
            {
                "label": _CURRENT[board] if is_now else _short(there, now),
                "brief": _BRIEF.get(board, "") if is_now else "",
                "url": reverse("home")
                if is_now and board == Board.WEEKLY and not category
                else lasting_url(there, category=category),
                "current": board == period.board,
            }
        )
    return result


def link(period: Period | None, *, category: str = "") -> dict[str, str] | None:
    """Return a period's label and its leaderboard's URL, or None without a period."""
    return {"label": label(period), "url": board_url(period, category=category)} if period else None


def lasting_url(period: Period, *, category: str = "") -> str:
    """Return a leaderboard's canonical URL, which omits the current period's name."""
    is_now = period.contains(current_week())
    return current_board_url(period.board, category=category) if is_now else board_url(period, category=category)


def past_boards_url(period: Period) -> str:
    """Return the URL of the past leaderboards in this period's year."""
    address = reverse("boards")
    is_past = period.last is not None and period.last.year != current_week().year
    return f"{address}?year={period.last.year}" if period.last and is_past else address


def _short(period: Period, now: Week) -> str:
    """Return the label, without the year if it is the current one."""
    return label(period).removesuffix(f", {now.year}").removesuffix(f" {now.year}")
