"""Beat alone is killed or hangs: it comes back, and what only the schedule finds is delivered."""

import os
import signal

import pytest

from config.processes import HUNG_SECONDS, is_alive
from tests.faults.shop import SWEPT_SECONDS, Shop
from tests.waiting import wait_for

pytestmark = [pytest.mark.processes, pytest.mark.xdist_group("faults")]

BEAT = "celerybeat"
# Issue 16: a killed one within 5 seconds, a hung one after 60 without a heartbeat.
AGAIN_SECONDS = 5


def has_another_beat(shop: Shop, former: int) -> bool:
    try:
        return shop.running.child(BEAT) != former
    except LookupError:
        return False


@pytest.mark.parametrize(
    ("number", "seconds"), [(signal.SIGKILL, AGAIN_SECONDS), (signal.SIGSTOP, HUNG_SECONDS + 2 * AGAIN_SECONDS)]
)
def test_beat_comes_back_and_recovery_with_it(shop: Shop, number: int, seconds: float) -> None:
    owner = shop.owner(f"beat-{number}")
    others = {word: shop.running.child(word) for word in ("granian", "worker@", "crawler@")}
    former = shop.running.child(BEAT)
    os.kill(former, number)
    # The provider's message is lost: only recovery finds that the order is paid.
    order = owner.order(owner.gallery())
    session = shop.start_paying(order)
    shop.provider.pay(session)
    wait_for(lambda: has_another_beat(shop, former), seconds=seconds)
    assert not is_alive(former)
    wait_for(lambda: shop.lines(order) == ["fulfilled"], seconds=SWEPT_SECONDS)
    assert {word: shop.running.child(word) for word in others} == others, "nothing else was touched"
