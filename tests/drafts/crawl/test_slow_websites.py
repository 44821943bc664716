"""Slow websites, to be drafted or with a badge, hold up nobody else: a small run of tests.benchmarks.crawl_turns."""

from pathlib import Path

import pytest

from tests.benchmarks.crawl_turns import FREQUENT, measure


@pytest.mark.nightly
@pytest.mark.processes
def test_slow_websites_hold_up_neither_another_owner_nor_periodic_tasks(tmp_path: Path) -> None:
    result = measure(tmp_path, sites=10, seconds=3.0, badges=8)
    assert result.overtaken > 0, result.table()
    assert [task for task in FREQUENT if not result.runs.get(task)] == [], result.table()
    # Half of the slots, as nobody else's website is waiting.
    assert result.most_at_once == 6, result.table()
    assert result.looks == 8, result.table()
