"""ISO weeks: a year and a number, from Monday 00:00 UTC."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

_FORM = re.compile(r"([0-9]{4})-W([0-9]{2})")
# Weeks of other centuries are mistakes, and weeks at the ends of the calendar can't be computed.
YEARS = range(2000, 2200)
_LONG_YEARS = [str(year) for year in YEARS if date(year, 12, 28).isocalendar().week == 53]
PATTERN = f"^(?:2[01][0-9]{{2}}-W(?:0[1-9]|[1-4][0-9]|5[0-2])|(?:{'|'.join(_LONG_YEARS)})-W53)$"

WEEK_FORM = "an ISO week such as 2026-W50"


@dataclass(frozen=True, slots=True, order=True)
class Week:
    """An ISO week such as `2026-W46`. Supports ordering and addition."""

    year: int
    number: int

    @classmethod
    def parse(cls, text: str) -> "Week":
        """Parse `2026-W46`. Raises ValueError for any other form and for a week the year does not have."""
        result = _FORM.fullmatch(text)
        if not result:
            raise ValueError(f"{text!r} is not an ISO week such as 2026-W50")
        year, number = int(result[1]), int(result[2])
        date.fromisocalendar(year, number, 1)
        return cls(year, number)

    @classmethod
    def of(cls, moment: datetime) -> "Week":
        """Return the week of a moment, by UTC."""
        year, number, _ = moment.astimezone(UTC).isocalendar()
        return cls(year, number)

    @property
    def starts_at(self) -> datetime:
        return datetime.combine(date.fromisocalendar(self.year, self.number, 1), datetime.min.time(), UTC)

    @property
    def ends_at(self) -> datetime:
        """The first moment after the week."""
        return self.starts_at + timedelta(days=7)

    @property
    def thursday(self) -> date:
        """The week's Thursday. By ISO 8601, a week belongs to the month and year of this day."""
        return date.fromisocalendar(self.year, self.number, 4)

    def __add__(self, weeks: int) -> "Week":
        return Week.of(self.starts_at + timedelta(weeks=weeks))

    def __str__(self) -> str:
        return f"{self.year:04d}-W{self.number:02d}"


def week_hint(text: str, *, alternative: str = "") -> str:
    """Say which week to send instead of `text`: the week of a date, or next week."""
    try:
        week = Week.of(datetime.fromisoformat(text).replace(tzinfo=UTC))
    except ValueError:
        week = Week.of(datetime.now(UTC)) + 1
    return f"Use an ISO week such as {week}{alternative}."
