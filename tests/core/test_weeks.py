from datetime import UTC, date, datetime

import pytest

from apps.core.text.weeks import Week


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (datetime(2026, 11, 16, tzinfo=UTC), "2026-W47"),
        (datetime(2026, 11, 22, 23, 59, 59, tzinfo=UTC), "2026-W47"),
        (datetime(2026, 11, 23, tzinfo=UTC), "2026-W48"),
        (datetime(2027, 1, 3, 12, tzinfo=UTC), "2026-W53"),
        (datetime(2024, 12, 30, tzinfo=UTC), "2025-W01"),
    ],
)
def test_a_moment_lies_in_its_iso_week(moment: datetime, text: str) -> None:
    assert str(Week.of(moment)) == text


@pytest.mark.parametrize("text", ["2026-46", "2026-W6", "2026-W00", "2025-W53", "W46", "2026-W46 ", "٢٠٢٦-W46", ""])
def test_other_forms_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"week|Week"):
        Week.parse(text)


def test_weeks_add_across_years_and_sort() -> None:
    assert Week.parse("2026-W52") + 3 == Week.parse("2027-W02")
    assert Week.parse("2027-W01") + -1 == Week.parse("2026-W53")
    assert Week.parse("2026-W53") < Week.parse("2027-W01")


def test_a_week_spans_monday_to_sunday_in_utc() -> None:
    week = Week.parse("2026-W47")
    assert week.starts_at == datetime(2026, 11, 16, tzinfo=UTC)
    assert week.ends_at == (week + 1).starts_at
    assert week.thursday == date(2026, 11, 19)
