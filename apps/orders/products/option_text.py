"""Weeks as people read them."""

from collections.abc import Iterable

from apps.core.dates import week_dates, week_label
from apps.core.weeks import Week


def weeks_text(weeks: Iterable[str]) -> str:
    """Format weeks such as `Week 46, 9 to 15 November 2026`, or `Weeks 46 to 48, 9 to 29 November 2026`.

    Consecutive weeks form one run, and runs are separated by semicolons. Empty without weeks.
    """
    runs: list[tuple[Week, Week]] = []
    for week in sorted(Week.parse(text) for text in weeks):
        if runs and runs[-1][1] + 1 == week:
            runs[-1] = (runs[-1][0], week)
        else:
            runs.append((week, week))
    return "; ".join(_run_text(first, last) for first, last in runs)


def _run_text(first: Week, last: Week) -> str:
    label = week_label(first) if first == last else f"Weeks {first.number}–{last.number}"
    return f"{label} · {week_dates(first, last)}"
