"""Processes killed while owners buy: a short run of tests.faults.kills, whose long one is started by hand."""

from itertools import product

import pytest

from tests.faults.kills import MOMENTS, STEPS, kill_and_count
from tests.faults.shop import Shop

pytestmark = [pytest.mark.nightly, pytest.mark.processes]


def test_every_program_is_killed_in_every_step_and_in_any_five_kills() -> None:
    programs = {"web", "worker", "crawler", "beat"}
    assert sorted(MOMENTS) == sorted(product(STEPS, programs))
    turns = [program for _, program in MOMENTS * 2]
    assert all({*turns[first : first + 5]} == programs for first in range(len(MOMENTS)))


def test_what_is_killed_loses_and_doubles_nothing(shop: Shop) -> None:
    result = kill_and_count(shop, times=5, seed=5)
    assert {name: count for name, count in result.faults.items() if count} == {}, result.table()
    assert result.outcome["orders that were answered 201"] > 0
    assert result.outcome["lines fulfilled"] > 0
