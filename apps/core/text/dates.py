"""Format dates, times and weeks. Every page, email and picture uses these functions."""

from datetime import date, datetime, timedelta

from django.utils import timezone

from apps.core.text.durations import duration_text
from apps.core.text.weeks import Week


def date_text(day: date | None) -> str:
    """`Nov 22, 2026`; empty for None."""
    return f"{day:%b} {day.day}, {day.year}" if day else ""


def day_text(day: date) -> str:
    """`Nov 22`, for when the year is clear from the context."""
    return f"{day:%b} {day.day}"


def moment_text(moment: datetime | None) -> str:
    """`Nov 22, 2026, 09:05 UTC`; empty for None."""
    return f"{date_text(moment)}, {moment:%H:%M} UTC" if moment else ""


def second_text(moment: datetime) -> str:
    """`Nov 22, 2026, 09:05:31 UTC`, to tell versions of the same minute apart."""
    return f"{date_text(moment)}, {moment:%H:%M:%S} UTC"


def age(moment: datetime | None) -> str:
    """`just now`, `5 minutes ago`, `3 days ago`; after 30 days the date. Empty for None."""
    if moment is None:
        return ""
    minutes = int((timezone.now() - moment).total_seconds() // 60)
    if minutes < 1:
        return "just now"
    count, unit = minutes, "minute"
    if minutes >= 30 * 24 * 60:
        return date_text(moment)
    if minutes >= 24 * 60:
        count, unit = minutes // (24 * 60), "day"
    elif minutes >= 60:
        count, unit = minutes // 60, "hour"
    return f"{count} {unit}{'' if count == 1 else 's'} ago"


def time_left(moment: datetime) -> str:
    """Time until a moment: `5 days`, under three days `12 hours`, under two hours `1 minute`."""
    return duration_text((moment - timezone.now()).total_seconds())


def week_label(week: Week | str | None) -> str:
    """`Week 47` for a Week or `2026-W47`, for when the year is clear from the context. Empty for None."""
    return f"Week {Week.parse(str(week)).number}" if week else ""


def week_and_year(week: Week | str | None) -> str:
    """`Week 47, 2026` for a Week or `2026-W47`; empty for None."""
    return f"{week_label(week)}, {Week.parse(str(week)).year}" if week else ""


def week_dates(week: Week | str | None, until: Week | str | None = None) -> str:
    """`Nov 16–22, 2026` for a Week or `2026-W47`; `until` is the last week of a longer range. Empty for None.

    A whole year is `Weeks 1–53, 2026`, since its first and last days may belong to other years.
    """
    if not week:
        return ""
    start, end_week = Week.parse(str(week)), Week.parse(str(until or week))
    if start.number == 1 and end_week.year == start.year < (end_week + 1).year:
        return f"Weeks 1–{end_week.number}, {start.year}"
    first, last = start.starts_at, end_week.starts_at + timedelta(days=6)
    if first.year != last.year:
        return f"{date_text(first)} – {date_text(last)}"
    end = str(last.day) if first.month == last.month else f" {day_text(last)}"
    return f"{day_text(first)}{'–' if end[0] != ' ' else ' –'}{end}, {last.year}"


def week_days(week: Week) -> str:
    """`Nov 16–22` or `Dec 28 – Jan 3`, for when the year is clear from the context."""
    first, last = week.starts_at, week.starts_at + timedelta(days=6)
    return day_text(first) + (f"–{last.day}" if first.month == last.month else f" – {day_text(last)}")


def week_text(week: Week | str | None) -> str:
    """`Week 47 · Nov 16–22, 2026` for a Week or `2026-W47`; empty for None."""
    return f"{week_label(week)} · {week_dates(week)}" if week else ""
