"""Beat alone is killed: it comes back, and what only the schedule finds is delivered."""

import pytest

from config.supervisor.processes import is_alive
from tests.faults.shop import Shop
from tests.waiting import wait_for

pytestmark = pytest.mark.processes

BEAT = "celerybeat"


def test_beat_comes_back_and_recovery_with_it(shop: Shop) -> None:
    owner = shop.owner("beat")
    others = {word: shop.running.child(word) for word in ("granian", "worker@", "crawler@")}
    former = shop.running.child(BEAT)
    wait_for(shop.running.kill(BEAT))
    assert not is_alive(former)
    # The provider's message is lost: only recovery finds that the order is paid.
    order = owner.order(owner.gallery())
    session = shop.start_paying(order)
    shop.provider.pay(session)
    shop.date_payments(order, seconds=-60)
    shop.wait_for_lines(order, "fulfilled")
    assert {word: shop.running.child(word) for word in others} == others, "nothing else was touched"
