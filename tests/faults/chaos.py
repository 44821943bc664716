"""Break one thing after the other under a busy site, and look for everything that was acknowledged.

Kinds of faults: see tests/faults/disturb.py. `disk` needs root, who can mount a small file system; `clock` needs a C
compiler. Kinds that the machine does not allow are named in the report.

usage: python -m tests.faults.chaos --faults 200 --seed 1 [--kinds kill,cut]
"""

import argparse
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from tests.faults.disturb import Scene, open_scene
from tests.faults.load import Load
from tests.faults.subscriber import Subscriber
from tests.faults.traffic import PROMO
from tests.faults.truth import Truth
from tests.faults.written import Written
from tests.waiting import wait_for
from tests.webhooks.receiver import Receiver, receiving

KINDS = ("kill", "pause", "engine", "backend", "freeze", "cut", "delay", "connections", "disk", "clock")
# Longer than the lease of an email whose worker died with its clock ahead, and the look for it.
SETTLED_SECONDS = 600
PAUSE_SECONDS = 2.0
BUYERS = 3
BUYER_PAUSE = 1.0


@dataclass(frozen=True)
class Report:
    """What happened, and what is wrong in the end: every value of `broken` should be 0."""

    recovery: Mapping[str, Sequence[float]]
    left_out: Sequence[str]
    requests: Mapping[str, int]
    outcome: Mapping[str, int]
    broken: Mapping[str, int]

    def table(self) -> str:
        rows = [f"{'faults':<44} {'count':>6} {'median':>8} {'worst':>8}  seconds until all was well"]
        for what, seconds in sorted(self.recovery.items()):
            rows.append(f"  {what:<42} {len(seconds):>6} {statistics.median(seconds):>8.1f} {max(seconds):>8.1f}")
        rows += [f"  not possible on this machine: {', '.join(self.left_out) or 'none'}"]
        for title in ("requests", "outcome", "broken"):
            counts: Mapping[str, int] = getattr(self, title)
            rows += [title, *(f"  {name:<52} {count:>6}" for name, count in counts.items())]
        return "\n".join(rows)


def disturb_and_count(scene: Scene, receiver: Receiver, *, faults: int, seed: int, kinds: Sequence[str]) -> Report:
    """Break something so many times under load, wait for recovery each time, and count.

    Webhooks of everybody who buys or edits go to the receiver.
    """
    shop = scene.shop
    shop.team.do("make_promo", code=PROMO, percent_off=1000, max_uses_per_account=None)
    for product in ("newsletter_slot", "category_feature"):
        shop.team.do("change_product", product=product, capacity=None)
    load = Load(
        shop,
        seed=seed,
        sites=scene.addresses,
        buyers=BUYERS,
        listings=2 * max(20, 5 * faults),
        edited=max(10, 2 * faults),
        voters=max(40, 10 * faults),
        buyer_pause=BUYER_PAUSE,
    )
    subscribers = [Subscriber(shop, owner, receiver) for owner in (*load.buyers, load.editor)]
    possible = scene.kinds()
    chosen = {name: possible[name] for name in kinds if name in possible}
    with load:
        recovery = _disturb(scene, load, chosen, faults)
        load.finish()
    truth, written = Truth(shop, [owner.account_id for owner in load.buyers]), Written(shop, load.done, scene.emails)
    journal = load.journal
    broken: Counter[str] = Counter()

    def is_right() -> bool:
        # Together, at one moment: an unpaid order that lapses in between would write another email.
        broken.clear()
        for one in (truth.faults(journal), written.faults(), *(each.compare() for each in subscribers)):
            broken.update(one)
        return truth.is_settled() and written.is_settled() and not broken.total()

    with suppress(AssertionError):  # what stays wrong is in the report
        wait_for(is_right, seconds=SETTLED_SECONDS, pause=2)
    again = {f"tried again after {what}": count for what, count in sorted(journal.odd.items())}
    return Report(
        recovery=recovery,
        left_out=[name for name in kinds if name not in possible],
        requests={**journal.did, **again, **dict(sorted(load.done.reads.items()))},
        outcome={
            **truth.outcome(journal),
            **written.outcome(),
            "events that arrived": sum(each.arrived() for each in subscribers),
        },
        broken=broken,
    )


def _disturb(scene: Scene, load: Load, kinds: Mapping[str, Callable[[], str]], faults: int) -> dict[str, list[float]]:
    """Returns for each fault how long everything took to be well after it."""
    recovery: dict[str, list[float]] = defaultdict(list)
    waiting: list[str] = []
    for number in range(1, faults + 1):
        load.watch()
        if not waiting:
            waiting = scene.chance.sample(list(kinds), len(kinds))
        what = kinds[waiting.pop()]()
        began = time.monotonic()
        wait_for(scene.is_well)
        took = time.monotonic() - began
        recovery[what].append(took)
        sys.stdout.write(f"{number:>4}  {what}: well again after {took:.1f} s\n")
        sys.stdout.flush()
        time.sleep(scene.chance.uniform(0, PAUSE_SECONDS))
    return recovery


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default=",".join(KINDS), help="default: all of them")
    chosen = parser.parse_args()
    began = time.monotonic()
    sites = min(60, 2 * chosen.faults)
    with receiving() as receiver, open_scene(seed=chosen.seed, sites=sites, private_hosts=[receiver.host]) as scene:
        kinds = chosen.kinds.split(",")
        report = disturb_and_count(scene, receiver, faults=chosen.faults, seed=chosen.seed, kinds=kinds)
    sys.stdout.write(f"{report.table()}\n{time.monotonic() - began:.0f} seconds in all\n")
    return int(any(report.broken.values()))


if __name__ == "__main__":
    sys.exit(main())
