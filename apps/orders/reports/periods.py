"""The period of a report: UTC days, both ends included, and quarters of the One Stop Shop."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from apps.core.errors import Unprocessable

_QUARTER = re.compile(r"(\d{4})-Q([1-4])", re.ASCII)
_FIRST_YEAR, _LAST_YEAR = 2000, 9998


class WrongPeriod(Unprocessable):
    code = "wrong_period"
    title = "Invalid period"


@dataclass(frozen=True, slots=True)
class Period:
    """A range of days. Raises WrongPeriod (422) when the second is before the first."""

    first_date: date
    last_date: date

    def __post_init__(self) -> None:
        if self.last_date < self.first_date:
            raise WrongPeriod("The last day can't be before the first.")

    def __str__(self) -> str:
        return f"{self.first_date} to {self.last_date}"

    @property
    def begins_at(self) -> datetime:
        return datetime(self.first_date.year, self.first_date.month, self.first_date.day, tzinfo=UTC)

    @property
    def ends_at(self) -> datetime:
        """The first moment after it."""
        return datetime(self.last_date.year, self.last_date.month, self.last_date.day, tzinfo=UTC) + timedelta(days=1)


@dataclass(frozen=True, slots=True, order=True)
class Quarter:
    year: int
    number: int

    @classmethod
    def parse(cls, text: str) -> "Quarter":
        """Parse `2026-Q4`. Raises WrongPeriod (422)."""
        result = _QUARTER.fullmatch(text.strip().upper())
        if result is None or not _FIRST_YEAR <= int(result[1]) <= _LAST_YEAR:
            raise WrongPeriod("Use a quarter such as 2026-Q4.")
        return cls(int(result[1]), int(result[2]))

    @classmethod
    def of(cls, day: date) -> "Quarter":
        """Return the quarter of a day."""
        return cls(day.year, (day.month + 2) // 3)

    def __str__(self) -> str:
        return f"{self.year}-Q{self.number}"

    @property
    def previous(self) -> "Quarter":
        return Quarter.of(self.period.first_date - timedelta(days=1))

    @property
    def period(self) -> Period:
        first = date(self.year, 3 * self.number - 2, 1)
        following = date(self.year + self.number // 4, 3 * self.number % 12 + 1, 1)
        return Period(first, following - timedelta(days=1))
