"""Events while processes and engines die, and beside a backlog: short runs of tests.faults.events."""

from collections.abc import Iterator

import pytest

from tests.faults.disturb import Scene, open_scene
from tests.faults.events import SITES, deliver_backlog, kill_and_compare
from tests.webhooks.receiver import Receiver, receiving

pytestmark = [pytest.mark.nightly, pytest.mark.processes]

FAULTS = 6


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as result:
        yield result


@pytest.fixture
def scene(receiver: Receiver) -> Iterator[Scene]:
    with open_scene(seed=FAULTS, sites=SITES, private_hosts=[receiver.host]) as result:
        yield result


def test_each_transition_arrives_once_and_again_on_request(scene: Scene, receiver: Receiver) -> None:
    report = kill_and_compare(scene, receiver, faults=FAULTS, transitions=200, seed=FAULTS)
    assert {name: count for name, count in report.broken.items() if count} == {}, report.table()
    assert report.figures["events that were refused and came later"] > 0, report.table()


def test_orders_are_delivered_and_websites_read_beside_a_backlog(scene: Scene, receiver: Receiver) -> None:
    report = deliver_backlog(scene, receiver, events=100_000, seed=FAULTS, is_drained=False)
    assert {name: count for name, count in report.broken.items() if count} == {}, report.table()
