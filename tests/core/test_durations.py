"""Durations in words: what is left is rounded down, and how long to wait is rounded up."""

import pytest

from apps.core.text.durations import duration_text, wait_text


@pytest.mark.parametrize(
    ("seconds", "left", "wait"),
    [
        (1, "1 minute", "1 minute"),
        (61, "1 minute", "2 minutes"),
        (2587, "43 minutes", "44 minutes"),
        (7201, "2 hours", "3 hours"),
        (73 * 3600, "3 days", "4 days"),
    ],
)
def test_nobody_counts_seconds(seconds: int, left: str, wait: str) -> None:
    assert (duration_text(seconds), wait_text(seconds)) == (left, wait)
