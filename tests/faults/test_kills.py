"""Processes killed while owners buy: a short run of tests.faults.kills, whose long one is started by hand."""

import pytest

from tests.faults.kills import kill_and_count
from tests.faults.shop import Shop

pytestmark = [pytest.mark.processes, pytest.mark.xdist_group("faults")]


def test_what_is_killed_loses_and_doubles_nothing(shop: Shop) -> None:
    result = kill_and_count(shop, times=5, seed=5)
    assert {name: count for name, count in result.faults.items() if count} == {}, result.table()
    assert result.outcome["orders that were answered 201"] > 0
    assert result.outcome["lines fulfilled"] > 0
