"""Events while processes and engines die, and beside a backlog: a short run of tests.faults.events."""

import pytest

from tests.faults.disturb import open_scene
from tests.faults.events import SITES, deliver_backlog, kill_and_compare
from tests.webhooks.receiver import receiving

pytestmark = [pytest.mark.nightly, pytest.mark.processes]


def test_each_transition_arrives_once_and_a_backlog_delays_no_other_task() -> None:
    with receiving() as receiver, open_scene(seed=6, sites=SITES, private_hosts=[receiver.host]) as scene:
        killed = kill_and_compare(scene, receiver, faults=6, transitions=300, seed=6)
        assert {name: count for name, count in killed.broken.items() if count} == {}, killed.table()
        assert killed.figures["events that were refused and came later"] > 0, killed.table()
        backlog = deliver_backlog(scene, receiver, events=100_000, seed=6, is_drained=False)
    assert {name: count for name, count in backlog.broken.items() if count} == {}, backlog.table()
