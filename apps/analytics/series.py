"""Statistics over time for a listing's owner."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db.models import Count
from django.db.models.functions import TruncDay

from apps.analytics import figures
from apps.analytics.counting import MOST_SOURCES, OTHER_SOURCES
from apps.analytics.figures import Days
from apps.analytics.visits import SAME_SITE
from apps.core.text.dates import date_text, day_text
from apps.core.web.charts import Chart, Series
from apps.listings.models import Listing

# Up to this many days, each has a bar. Longer ranges use weeks, and months beyond three years.
DAYS_DRAWN, WEEKS_DRAWN = 100, 160
NAMES = ("views", "visitors", "clicks", "votes")
RANGES = {"7": "7 days", "30": "30 days", "90": "90 days", "all": "All time"}
DEFAULT_RANGE = "30"
SOURCES_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Row:
    """The numbers of a day, or of several drawn as one."""

    label: str
    short_label: str
    views: int
    visitors: int
    clicks: int
    votes: int

    @property
    def numbers(self) -> list[int]:
        return [self.views, self.visitors, self.clicks, self.votes]


@dataclass(frozen=True, slots=True)
class Total:
    """A total for the period. `change` compares it with the previous period and is empty without one."""

    label: str
    value: int
    change: str = ""
    is_more: bool = False


def get_statistics(listing: Listing, *, key: str) -> dict[str, Any]:
    """Return the listing's numbers in one of the RANGES: in total, in the period before, by source and by day."""
    days = days_of(listing, key)
    before = days_before(listing, key, days)
    rows = rows_by_day(listing, days)
    numbers = [sum(numbers) for numbers in zip(*(row.numbers for _, row in rows), strict=True)]
    result = sources(listing, days, views=numbers[0], most=SOURCES_SHOWN)
    return {
        "first_day": days.first,
        "last_day": days.last,
        "totals": dict(zip(NAMES, numbers, strict=True)),
        "previous_totals": dict(zip(NAMES, _sums(listing, before), strict=True)) if before else None,
        "sources": [{"name": name, "views": views} for name, views in result],
        "by_day": [{"day": day, **dict(zip(NAMES, row.numbers, strict=True))} for day, row in rows],
    }


def days_of(listing: Listing, key: str) -> Days:
    """Return the days of one of the RANGES until today."""
    return figures.all_days(listing) if key == "all" else Days.until_today(int(key))


def days_before(listing: Listing, key: str, days: Days) -> Days | None:
    """Return the previous period, if the listing was live since its first day."""
    was_live = listing.launched_at is not None and listing.launched_at.date() <= days.before.first
    return days.before if was_live and key != "all" else None


def rows_by_day(listing: Listing, days: Days) -> list[tuple[date, Row]]:
    """Return each day's numbers in order."""
    votes = votes_by_day(listing, days)
    return [
        (day, Row(date_text(day), day_text(day), result.views, result.visitors, result.clicks, votes.get(day, 0)))
        for day, result in figures.by_day(listing, days).items()
    ]


def votes_by_day(listing: Listing, days: Days) -> dict[date, int]:
    """Return the votes of each day that has any, without withdrawn ones."""
    # Votes belong to a higher layer, so use the listing's reverse relation.
    start = datetime.combine(days.first, time.min, UTC)
    end = datetime.combine(days.last, time.min, UTC) + timedelta(days=1)
    by_day: Any = (
        listing.cast_votes.filter(created_at__gte=start, created_at__lt=end)
        .annotate(day=TruncDay("created_at", tzinfo=UTC))
        .values_list("day")
        .annotate(count=Count("id"))
        .order_by()
    )
    return {day.date(): count for day, count in by_day}


def totals(listing: Listing, rows: Iterable[Row], *, before: Days | None) -> list[Total]:
    """Return the period's four totals, with changes if there is a previous period."""
    sums = [sum(numbers) for numbers in zip(*(row.numbers for row in rows), strict=True)]
    labels = ("Views", "Visitors", "Clicks to the website", "Votes")
    if before is None:
        return [Total(label, value) for label, value in zip(labels, sums, strict=True)]
    former = _sums(listing, before)
    return [
        Total(label, value, figures.change_text(value, then), value > then)
        for label, value, then in zip(labels, sums, former, strict=True)
    ]


def _sums(listing: Listing, days: Days) -> tuple[int, int, int, int]:
    result = figures.total(listing, days)
    return result.views, result.visitors, result.clicks, sum(votes_by_day(listing, days).values())


def drawn_rows(days: Sequence[tuple[date, Row]]) -> list[Row]:
    """Combine rows so that bars stay distinguishable: days, weeks from Monday, or months."""
    if len(days) <= DAYS_DRAWN:
        return [row for _, row in days]
    by_week = len(days) <= WEEKS_DRAWN * 7
    groups: dict[date, list[Row]] = {}
    for day, row in days:
        first = day - timedelta(days=day.weekday()) if by_week else day.replace(day=1)
        groups.setdefault(first, []).append(row)
    return [
        Row(
            f"Week of {date_text(first)}" if by_week else f"{first:%B %Y}",
            day_text(first) if by_week else f"{first:%b %Y}",
            *(sum(numbers) for numbers in zip(*(row.numbers for row in group), strict=True)),
        )
        for first, group in groups.items()
    ]


def charts(rows: Sequence[Row]) -> list[Chart]:
    """Return charts of views and visitors, clicks, and votes on a common axis."""
    kinds = {"Views and visitors": ("views", "visitors"), "Clicks to the website": ("clicks",), "Votes": ("votes",)}
    result = []
    for title, names in kinds.items():
        series = [Series(name, [getattr(row, name) for row in rows]) for name in names]
        result.append(_chart(f"chart-{names[0]}", title, rows, series))
    return result


def sources(listing: Listing, days: Days, *, views: int, most: int) -> list[tuple[str, int]]:
    """Return the sources of views in readable form, most frequent first, unknown ones last."""
    result = figures.top_sources(listing, days)
    known = sum(count for _, count in result)
    rows = [(_source(source, listing), count) for source, count in result[:most]]
    rest = sum(count for _, count in result[most:])
    ends = (("All others", rest), ("Direct or unknown", views - known))
    return [*rows, *((label, count) for label, count in ends if count > 0)]


def _source(source: str, listing: Listing) -> str:
    named = {SAME_SITE: f"{listing.site.name} pages", OTHER_SOURCES: f"Other referrers (over {MOST_SOURCES} per day)"}
    return named.get(source, source)


def _chart(key: str, title: str, rows: Sequence[Row], series: Sequence[Series]) -> Chart:
    labels, short = [row.label for row in rows], [row.short_label for row in rows]
    first, most = series[0], max(series[0].values, default=0)
    if not most:
        return Chart(key, title, f"No {first.name} in this period.", labels, series, short)
    where = labels[list(first.values).index(most)]
    totals = " and ".join(f"{sum(one.values):,} {one.name}" for one in series)
    text = f"{totals} from {labels[0]} to {labels[-1]}, the most {first.name} at {where}: {most:,}."
    return Chart(key, title, text, labels, series, short)
