"""Compare events with transitions and deliveries with events, after owners bought while processes and engines died.

The receiver is down for the middle third of the faults, and for ten minutes by the times of what waits for it. In the
end all events are sent again. Afterwards orders and drafts show whether a backlog delays other tasks, and it is
delivered to the end.

usage: python -m tests.faults.events --faults 30 --transitions 5000 --backlog 100000 --seed 1
"""

import argparse
import statistics
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import LiteralString

from tests.faults.disturb import Scene, open_scene
from tests.faults.moves import Moves
from tests.faults.shop import Owner, Shop
from tests.faults.subscriber import Subscriber
from tests.faults.traffic import PROMO, Buyer, Journal
from tests.faults.truth import Truth
from tests.waiting import wait_for
from tests.webhooks.receiver import Receiver, receiving

BUYERS = 4
# An order of a buyer takes two listings and makes more transitions than these, on average with those that stay unpaid.
TRANSITIONS_OF_ORDER = 4
DOWN_SECONDS = 600
SETTLED_SECONDS = 900
BACKLOG_SECONDS = 3600
PROBES = 8
SITES = 3
_EARLIER_ENDPOINTS: LiteralString = """
UPDATE webhooks_endpoint SET failing_since = failing_since - make_interval(secs => %s),
    waits_until = waits_until - make_interval(secs => %s)
"""
_EARLIER_DELIVERIES: LiteralString = """
UPDATE webhooks_delivery SET next_at = next_at - make_interval(secs => %s),
    first_tried_at = first_tried_at - make_interval(secs => %s) WHERE status = 'waiting'
"""


@dataclass(frozen=True)
class Report:
    """What happened, and what is wrong in the end: every value of `broken` should be 0."""

    faults: Mapping[str, int]
    figures: Mapping[str, float]
    broken: Mapping[str, int]

    def table(self) -> str:
        rows = []
        for title in ("faults", "figures", "broken"):
            counts: Mapping[str, float] = getattr(self, title)
            rows += [title, *(f"  {name:<56} {value:>10g}" for name, value in counts.items())]
        return "\n".join(rows)


def kill_and_compare(scene: Scene, receiver: Receiver, *, faults: int, transitions: int, seed: int) -> Report:
    """Break things while owners buy until there are so many transitions, and compare once all is calm."""
    shop = scene.shop
    shop.team.do("make_promo", code=PROMO, percent_off=1000, max_uses_per_account=None)
    for product in ("newsletter_slot", "category_feature"):
        shop.team.do("change_product", product=product, capacity=None)
    listings = 2 * (transitions // TRANSITIONS_OF_ORDER // BUYERS + 20)
    owners = [shop.owner(f"events-{seed}-{index}", listings=listings) for index in range(BUYERS)]
    subscribers = [Subscriber(shop, owner, receiver) for owner in owners]
    moves, journal, is_over = Moves(shop), Journal(), threading.Event()
    buyers = [Buyer(shop, owner, journal, seed=f"{seed}-{index}") for index, owner in enumerate(owners)]
    began = time.monotonic()
    with ThreadPoolExecutor(BUYERS) as pool:
        running = [pool.submit(buyer.buy_until, is_over) for buyer in buyers]

        def has_bought(count: int) -> bool:
            return moves.count() >= count or all(each.done() for each in running)

        try:
            done, refused = _break(scene, receiver, faults, lambda part: has_bought(int(part * transitions)))
            with suppress(AssertionError):  # the number is in the report
                wait_for(lambda: has_bought(transitions), seconds=SETTLED_SECONDS, pause=2)
        finally:
            is_over.set()
        for each in running:
            each.result()
    bought = time.monotonic() - began
    truth = Truth(shop, [owner.account_id for owner in owners])
    broken: Counter[str] = Counter()

    def is_right() -> bool:
        broken.clear()
        broken.update(truth.faults(journal) | moves.compare())
        for subscriber in subscribers:
            broken.update(subscriber.compare())
        return truth.is_settled() and not broken.total()

    with suppress(AssertionError):  # what stays wrong is in the report
        wait_for(is_right, seconds=SETTLED_SECONDS, pause=3)
    figures = {
        "orders": len(journal.placed),
        "transitions": moves.count(),
        "events": truth.count_events(),
        "requests to the receiver": len(receiver.received),
        "requests while it was down": len(refused),
        "events that were refused and came later": len(refused & {each.id for each in receiver.accepted}),
        "events that arrived": sum(each.arrived() for each in subscribers),
        "seconds of buying": round(bought),
        "seconds until all is right": round(time.monotonic() - began - bought),
    }
    replays = [subscriber.replay() for subscriber in subscribers]
    with suppress(AssertionError):
        wait_for(lambda: all(each.is_complete() for each in replays), seconds=SETTLED_SECONDS, pause=3)
    broken["replays that differ from list_events"] = sum(not each.is_complete() for each in replays)
    broken["transitions that were not reached"] = max(transitions - moves.count(), 0)
    return Report(done, figures, dict(broken))


def _break(
    scene: Scene, receiver: Receiver, faults: int, has_bought: Callable[[float], bool]
) -> tuple[dict[str, int], set[str]]:
    """Kill programs and engines in turn, each after its part of the transitions.

    Returns what, and the ids of the events that were refused.
    """
    done: Counter[str] = Counter()
    first, last = faults // 3, 2 * faults // 3
    before, refused = 0, set[str]()
    for number in range(faults):
        with suppress(AssertionError):  # it goes on without them
            wait_for(partial(has_bought, number / faults), pause=0.2)
        if number == first:
            before, receiver.answer = len(receiver.received), lambda _: (503, {}, b"down")
        what = (scene.kill, scene.kill_engine)[number % 2]()
        done[what] += 1
        wait_for(scene.is_well)
        sys.stdout.write(f"{number + 1:>4}  {what}\n")
        sys.stdout.flush()
        time.sleep(scene.chance.uniform(0, 2))
        if first <= number < last:
            _let_pass(scene.shop, DOWN_SECONDS / (last - first))
        if number == last:
            refused = {each.id for each in receiver.received[before:]}
            receiver.answer = lambda _: (200, {}, b"ok")
    return dict(sorted(done.items())), refused


def _let_pass(shop: Shop, seconds: float) -> None:
    """Let time pass for what waits for a receiver."""
    with shop.database.transaction():
        # In the order in which the crawler locks them.
        shop.sql("SELECT FROM webhooks_endpoint ORDER BY id FOR UPDATE")
        shop.sql(_EARLIER_ENDPOINTS, seconds, seconds)
        shop.sql(_EARLIER_DELIVERIES, seconds, seconds)


def deliver_backlog(scene: Scene, receiver: Receiver, *, events: int, seed: int, is_drained: bool = True) -> Report:
    """Record many events of one owner, buy and have websites read as another one, and wait until all are delivered."""
    shop = scene.shop
    owner = shop.owner(f"backlog-{seed}", listings=1)
    buyer = shop.owner(f"probe-{seed}", listings=2 * PROBES)
    subscriber = Subscriber(shop, owner, receiver)
    calm = [_order_seconds(shop, buyer, index) for index in range(PROBES)]
    shop.team.do("make_events", account_id=owner.account_id, count=events)
    began = time.monotonic()
    busy = [_order_seconds(shop, buyer, PROBES + index) for index in range(PROBES)]
    # By the crawler, which also sends the events.
    for address in scene.addresses:
        _have_read(buyer, address)
    left = events - subscriber.arrived()
    if is_drained:
        with suppress(AssertionError):  # the number is in the report
            wait_for(lambda: subscriber.arrived() >= events, seconds=BACKLOG_SECONDS, pause=5)
    seconds = time.monotonic() - began
    figures = {
        "events": events,
        "of them left when all orders were delivered and websites read": left,
        "events that arrived": subscriber.arrived(),
        "seconds": round(seconds),
        "deliveries per second": round(subscriber.arrived() / seconds),
        "median seconds from payment to delivery, calm": round(statistics.median(calm), 2),
        "median seconds from payment to delivery, with backlog": round(statistics.median(busy), 2),
        "longest with backlog": round(max(busy), 2),
    }
    broken = subscriber.compare() if is_drained else Counter[str]()
    return Report({}, figures, {**broken, "backlogs that were gone before": int(left <= 0)})


def _order_seconds(shop: Shop, buyer: Owner, index: int) -> float:
    order = buyer.order(buyer.gallery(index))
    shop.pay(order)
    began = time.monotonic()
    shop.wait_for_lines(order, "fulfilled")
    return time.monotonic() - began


def _have_read(owner: Owner, address: str) -> None:
    draft = owner.rest.post("drafts", json={"url": address}).raise_for_status().json()
    wait_for(lambda: owner.rest.get(f"drafts/{draft['id']}").json()["status"] == "ready", pause=0.5)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", type=int, default=30)
    parser.add_argument("--transitions", type=int, default=5000)
    parser.add_argument("--backlog", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    reports: list[Report] = []
    with receiving() as receiver, open_scene(seed=chosen.seed, sites=SITES, private_hosts=[receiver.host]) as scene:
        if chosen.faults:
            many = {"faults": chosen.faults, "transitions": chosen.transitions}
            reports.append(kill_and_compare(scene, receiver, **many, seed=chosen.seed))
            sys.stdout.write(f"{reports[-1].table()}\n")
            sys.stdout.flush()
        if chosen.backlog:
            receiver.received.clear()
            receiver.accepted.clear()
            reports.append(deliver_backlog(scene, receiver, events=chosen.backlog, seed=chosen.seed))
            sys.stdout.write(f"{reports[-1].table()}\n")
    return int(any(count for report in reports for count in report.broken.values()))


if __name__ == "__main__":
    sys.exit(main())
