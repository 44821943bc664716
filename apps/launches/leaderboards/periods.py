"""Periods of leaderboards: weeks, months and years of launches, and all time."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from urllib.parse import urlencode

from django.urls import reverse

from apps.core.text.weeks import YEARS, Week
from apps.launches.calendar.launch_weeks import current_week


class Board(StrEnum):
    WEEKLY = "community-weekly"
    MONTHLY = "community-monthly"
    YEARLY = "community-yearly"
    ALL_TIME = "community-all-time"


# The query parameter of each leaderboard's period. All time has only one period.
PARAMETERS: dict[Board, str] = {Board.WEEKLY: "week", Board.MONTHLY: "month", Board.YEARLY: "year"}


@dataclass(frozen=True, slots=True)
class Period:
    """A leaderboard's period: its name (2026-W46, 2026-11, 2026 or all-time) and the launch weeks it spans."""

    board: Board
    name: str
    first: Week | None
    last: Week | None

    @property
    def is_over(self) -> bool:
        return self.last is not None and self.last < current_week()

    @property
    def weeks(self) -> list[Week]:
        """Return every week of the period, or none for all time."""
        if self.first is None or self.last is None:
            return []
        result = [self.first]
        while result[-1] < self.last:
            result.append(result[-1] + 1)
        return result

    def contains(self, week: Week) -> bool:
        return self.first is None or self.last is None or self.first <= week <= self.last


def period_of(board: Board, name: str | None = None) -> Period:
    """Return the period of that name, by default the current one. Raises ValueError if there is none.

    A week belongs to the month and year of its Thursday, as in ISO 8601.
    """
    if not name:
        return period_around(board, current_week())
    match board:
        case Board.WEEKLY:
            week = Week.parse(name)
            _check_year(week.year)
            return period_around(board, week)
        case Board.MONTHLY:
            return _month(name)
        case Board.YEARLY:
            return _year(_number(name, r"[0-9]{4}"))
    raise ValueError("all time has no periods")


def period_around(board: Board, week: Week) -> Period:
    """Return the leaderboard's period that contains the week."""
    match board:
        case Board.WEEKLY:
            return Period(board, str(week), week, week)
        case Board.MONTHLY:
            return _month(f"{week.thursday:%Y-%m}")
        case Board.YEARLY:
            return _year(week.year)
    return Period(board, "all-time", None, None)


def periods_around(board: Board, weeks: Iterable[Week]) -> list[Period]:
    """Return the leaderboard's periods that contain any of the weeks, each once, latest first."""
    result = {period.name: period for period in (period_around(board, week) for week in weeks)}
    return [result[name] for name in sorted(result, reverse=True)]


def board_url(period: Period, *, category: str = "") -> str:
    """Return the URL of a leaderboard's period."""
    return _page_of(period.board, period.name, category)


def current_board_url(board: Board, *, category: str = "") -> str:
    """Return the URL that always shows the leaderboard's current period."""
    return _page_of(board, "", category)


def _page_of(board: Board, name: str, category: str) -> str:
    query = {PARAMETERS[board]: name} if name and board in PARAMETERS else {}
    if category:
        query["category"] = category
    address = reverse("board", args=[board])
    return f"{address}?{urlencode(query)}" if query else address


def _year(year: int) -> Period:
    return Period(Board.YEARLY, f"{year:04d}", Week(year, 1), Week.of(datetime(year, 12, 28, tzinfo=UTC)))


def _check_year(year: int) -> None:
    if year not in YEARS:
        raise ValueError(f"there is no board of the year {year}")


def _number(text: str, form: str) -> int:
    """Parse a year, or a month as a six-digit number. Only ASCII digits are accepted."""
    if not re.fullmatch(form, text):
        raise ValueError(f"{text!r} is no period")
    number = int(text.replace("-", ""))
    _check_year(int(text[:4]))
    return number


def _month(text: str) -> Period:
    year, month = divmod(_number(text, r"[0-9]{4}-[0-9]{2}"), 100)
    first_day = datetime(year, month, 1, tzinfo=UTC)
    weeks = []
    week = Week.of(first_day)
    while (week.thursday.year, week.thursday.month) <= (first_day.year, first_day.month):
        if week.thursday.month == first_day.month:
            weeks.append(week)
        week = week + 1
    return Period(Board.MONTHLY, text, weeks[0], weeks[-1])
