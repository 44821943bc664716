"""Slow websites, to be drafted or with a badge, hold up nobody else: a small run of tests.benchmarks.crawl_turns."""

from pathlib import Path

import pytest

from tests.benchmarks.crawl_turns import measure

# Issue 16: the other owner's website within 20 seconds of its normal time, no periodic task more than 10 seconds late.
MOST_WAIT_SECONDS = 20
MOST_LATE_SECONDS = 10


@pytest.mark.processes
def test_slow_websites_hold_up_neither_another_owner_nor_periodic_tasks(tmp_path: Path) -> None:
    result = measure(tmp_path, sites=6, seconds=3.0, badges=8, window=50.0)
    assert result.beside - result.alone < MOST_WAIT_SECONDS, result.table()
    assert max(result.late.values()) < MOST_LATE_SECONDS, result.table()
    assert result.most_at_once == 2, result.table()
    assert result.looks == 8, result.table()
