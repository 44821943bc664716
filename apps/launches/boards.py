"""Boards: the listings of a period in the order of their votes."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from django.db.models import F, Window
from django.db.models.functions import RowNumber

from apps.core.weeks import Week
from apps.launches.calendar import current_week
from apps.listings.models import Listing, ListingQuerySet
from apps.sites.models import Site

YEARS = range(2000, 2200)


class Board(StrEnum):
    WEEKLY = "community-weekly"
    MONTHLY = "community-monthly"
    YEARLY = "community-yearly"
    ALL_TIME = "community-all-time"


@dataclass(frozen=True, slots=True)
class Period:
    """A board's period: its name (2026-W46, 2026-11, 2026 or all-time) and the launch weeks it spans."""

    name: str
    first: Week | None
    last: Week | None

    @property
    def is_over(self) -> bool:
        return self.last is not None and self.last < current_week()


def period_of(board: Board, *, week: str | None = None, month: str | None = None, year: str | None = None) -> Period:
    """The period asked for, by default the current one; raises ValueError for one that does not exist.

    A week belongs to the month and year that its Thursday lies in, as ISO 8601 counts years.
    """
    now = current_week()
    match board:
        case Board.WEEKLY:
            chosen = Week.parse(week) if week else now
            _check_year(chosen.year)
            return Period(str(chosen), chosen, chosen)
        case Board.MONTHLY:
            return _month(month or f"{now.thursday:%Y-%m}")
        case Board.YEARLY:
            number = _number(year, r"[0-9]{4}") if year else now.year
            return Period(f"{number:04d}", Week(number, 1), Week.of(datetime(number, 12, 28, tzinfo=UTC)))
    return Period("all-time", None, None)


def ranked(site: Site, period: Period, *, category: str | None = None) -> ListingQuerySet:
    """The board's live listings, most votes first; ties go to the earlier launch."""
    listings = Listing.objects.public().filter(site=site)
    if period.first and period.last:
        listings = listings.filter(launch_week__gte=str(period.first), launch_week__lte=str(period.last))
    if category:
        listings = listings.filter(categories__slug=category)
    order = [F("votes").desc(), F("launched_at").asc(), F("id").asc()]
    return listings.order_by(*order).annotate(rank=Window(RowNumber(), order_by=order)).with_details()


def _check_year(year: int) -> None:
    """Boards of other centuries are nonsense, and at the ends of the calendar weeks cannot be counted."""
    if year not in YEARS:
        raise ValueError(f"there is no board of the year {year}")


def _number(text: str, form: str) -> int:
    """A year, or a month as a number of six digits; digits of other scripts are not accepted."""
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
    return Period(text, weeks[0], weeks[-1])
