"""Faults of every kind under load: a short run of tests.faults.chaos, whose long one is started by hand."""

import pytest

from tests.faults.chaos import KINDS, disturb_and_count
from tests.faults.disturb import open_scene
from tests.webhooks.receiver import receiving

pytestmark = [pytest.mark.nightly, pytest.mark.processes]

FAULTS = 10


def test_a_fault_of_each_kind_loses_and_doubles_nothing() -> None:
    with receiving() as receiver, open_scene(seed=FAULTS, sites=FAULTS, private_hosts=[receiver.host]) as scene:
        report = disturb_and_count(scene, receiver, faults=FAULTS, seed=FAULTS, kinds=KINDS)
    assert {name: count for name, count in report.broken.items() if count} == {}, report.table()
    assert sum(len(seconds) for seconds in report.recovery.values()) == FAULTS
    done = report.outcome
    for name in (
        "lines fulfilled",
        "events of moves",
        "events that arrived",
        "milestones acknowledged",
        "votes acknowledged",
        "drafts acknowledged",
    ):
        assert done[name] > 0, report.table()
