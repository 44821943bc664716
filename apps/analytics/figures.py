"""Read the statistics of listings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, timedelta
from typing import Any

from django.db.models import Min, QuerySet, Sum
from django.utils import timezone

from apps.analytics.models import DailyReferrer, DailyStatistics
from apps.listings.models import Listing


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts for a period. `visitors` over several days is the sum of daily visitors."""

    views: int = 0
    visitors: int = 0
    clicks: int = 0


@dataclass(frozen=True, slots=True)
class Days:
    """A range of UTC days, inclusive."""

    first: date
    last: date

    @classmethod
    def until_today(cls, count: int) -> "Days":
        """Return the last `count` days including today."""
        today = timezone.now().astimezone(UTC).date()
        return cls(today - timedelta(days=count - 1), today)

    @property
    def count(self) -> int:
        return (self.last - self.first).days + 1

    @property
    def before(self) -> "Days":
        """Return the range of equal length just before."""
        return Days(self.first - timedelta(days=self.count), self.first - timedelta(days=1))

    def __iter__(self) -> Iterator[date]:
        return (self.first + timedelta(days=number) for number in range(self.count))


def totals(listing_ids: Sequence[int], days: Days) -> dict[int, Figures]:
    """Return the figures of each listing, including zeros, in one query."""
    sums = _rows(DailyStatistics.objects.filter(listing__in=listing_ids), days).values_list("listing")
    result = sums.annotate(Sum("views"), Sum("visitors"), Sum("clicks"))
    return {pk: Figures() for pk in listing_ids} | {pk: Figures(*numbers) for pk, *numbers in result}


def total(listing: Listing, days: Days) -> Figures:
    """Return one listing's figures."""
    return totals([listing.pk], days)[listing.pk]


def by_day(listing: Listing, days: Days) -> dict[date, Figures]:
    """Return the figures of each day in order."""
    rows = _rows(DailyStatistics.objects.filter(listing=listing), days)
    result = {day: Figures(*numbers) for day, *numbers in rows.values_list("day", "views", "visitors", "clicks")}
    return {day: result.get(day, Figures()) for day in days}


def views_by_day(listing_ids: Sequence[int], days: Days) -> dict[int, list[int]]:
    """Return each listing's views per day, in one query."""
    result = {pk: [0] * days.count for pk in listing_ids}
    rows = _rows(DailyStatistics.objects.filter(listing__in=listing_ids), days)
    for pk, day, views in rows.values_list("listing", "day", "views"):
        result[pk][(day - days.first).days] = views
    return result


def change_text(value: int, before: int) -> str:
    """Return `+12%`, `−5%` with a minus sign, `under 1% more` or `no change`. Empty without earlier data."""
    if not before:
        return ""
    if value == before:
        return "no change"
    percent = round(abs(value - before) * 100 / before)
    if not percent:
        return f"under 1% {'more' if value > before else 'less'}"
    return f"{'+' if value > before else '−'}{percent:,}%"


def top_sources(listing: Listing, days: Days, *, most: int | None = None) -> list[tuple[str, int]]:
    """Return the sources of views with counts, most frequent first. Views of unknown origin aren't included."""
    rows = _rows(DailyReferrer.objects.filter(listing=listing), days)
    return list(rows.values_list("source").annotate(count=Sum("views")).order_by("-count", "source")[:most])


def all_days(listing: Listing) -> Days:
    """Return the days from launch, or from an earlier first view, until today."""
    today = Days.until_today(1)
    first = DailyStatistics.objects.filter(listing=listing).aggregate(first=Min("day"))["first"]
    launched = listing.launched_at.astimezone(UTC).date() if listing.launched_at else None
    return Days(min(day for day in (first, launched, today.last) if day), today.last)


def _rows(rows: QuerySet[Any], days: Days) -> QuerySet[Any]:
    return rows.filter(day__range=(days.first, days.last)).order_by()
