"""Format launch weeks for people."""

from collections.abc import Iterable

from apps.core.text.dates import week_dates, week_label
from apps.core.text.weeks import Week


def weeks_text(weeks: Iterable[str]) -> str:
    """Format weeks as `Week 46 · Nov 9–15, 2026`, and consecutive ones as `Weeks 46–48 · Nov 9–29, 2026`.

    Separates runs of weeks with semicolons. Returns an empty string without weeks.
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
