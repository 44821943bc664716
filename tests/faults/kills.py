"""Kill web, worker, crawler and beat at random moments while owners buy, and count what became of their orders.

Beat is also stopped without being killed: then the supervisor has to notice that it hangs.

usage: python -m tests.faults.kills --times 50 --seed 1
"""

import argparse
import contextlib
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import httpx2

from config.supervisor.processes import HUNG_SECONDS, is_alive
from tests.faults.processes import WORDS, children, kill_some, paused
from tests.faults.shop import Shop, open_shop
from tests.faults.traffic import PROMO, Buyer, Journal
from tests.faults.truth import Truth
from tests.waiting import PATIENCE_SECONDS, wait_for

BUYERS = 4
# Two listings an order; a buyer makes at most about one order a second.
LISTINGS_A_KILL = 12
SETTLED_SECONDS = 300
STEPS = ("checkout", "payment", "webhook", "fulfilment")
# Each step is broken by the end of each program, every program in any five kills.
MOMENTS = (
    ("checkout", "web"),
    ("fulfilment", "worker"),
    ("webhook", "beat"),
    ("payment", "crawler"),
    ("webhook", "web"),
    ("payment", "worker"),
    ("payment", "beat"),
    ("fulfilment", "crawler"),
    ("payment", "web"),
    ("webhook", "worker"),
    ("fulfilment", "beat"),
    ("checkout", "crawler"),
    ("fulfilment", "web"),
    ("checkout", "worker"),
    ("checkout", "beat"),
    ("webhook", "crawler"),
)
# Every so many kills of beat it is stopped instead, which takes a minute to be noticed.
STOPS_EVERY = 5
FORKING = {"web", "worker"}


@dataclass(frozen=True)
class Result:
    """What happened, and what is wrong in the end: every value of `faults` should be 0."""

    kills: Mapping[str, int]
    traffic: Mapping[str, int]
    outcome: Mapping[str, int]
    faults: Mapping[str, int]

    def table(self) -> str:
        rows = []
        for title in ("kills", "traffic", "outcome", "faults"):
            counts: Mapping[str, int] = getattr(self, title)
            rows += [title, *(f"  {name:<52} {count:>6}" for name, count in counts.items())]
        return "\n".join(rows)


def kill_and_count(shop: Shop, *, times: int, seed: int) -> Result:
    """Let owners buy while `times` processes are killed, wait for recovery, and count."""
    journal, is_over = Journal(), threading.Event()
    name = f"kills-{seed}-{int(time.time())}"
    shop.team.do("make_promo", code=PROMO, percent_off=1000, max_uses_per_account=None)
    shop.team.do("change_product", product="newsletter_slot", capacity=None)
    shop.team.do("change_product", product="category_feature", capacity=None)
    listings = 2 * max(8, LISTINGS_A_KILL * times // BUYERS // 2)
    owners = [shop.owner(f"{name}-{index}", listings=listings) for index in range(BUYERS)]
    buyers = [Buyer(shop, owner, journal, seed=f"{seed}-{index}") for index, owner in enumerate(owners)]
    with ThreadPoolExecutor(BUYERS) as pool:
        running = [pool.submit(buyer.buy_until, is_over) for buyer in buyers]
        try:
            kills = _Killer(shop, journal, seed).kill(times, running)
        finally:
            is_over.set()
        for future in running:
            future.result()
    truth = Truth(shop, [owner.account_id for owner in owners])
    with contextlib.suppress(AssertionError):  # what is not settled is counted below
        wait_for(truth.is_settled, seconds=SETTLED_SECONDS)
    traffic = {**journal.did, **{f"tried again after {what}": count for what, count in sorted(journal.odd.items())}}
    return Result(kills, traffic, truth.outcome(journal), truth.faults(journal))


class _Killer:
    def __init__(self, shop: Shop, journal: Journal, seed: int) -> None:
        self._shop = shop
        self._journal = journal
        self._random = random.Random(seed)  # noqa: S311 - a repeatable choice, no secret
        self._beats = 0

    def kill(self, times: int, buyers: list["Future[None]"]) -> dict[str, int]:
        """Kill a process so many times, each once everything is back; returns how often which, and in what."""
        counts: Counter[str] = Counter()
        for turn in range(times):
            for buyer in buyers:
                if buyer.done():
                    buyer.result()
            step, program = MOMENTS[turn % len(MOMENTS)]
            self._await_moment(step, buyers)
            under_way = [name for name in STEPS if self._is_under_way(name)]
            counts[self._kill_one(program)] += 1
            counts.update(f"while a {name} was under way" for name in under_way)
            wait_for(self._is_back)
            time.sleep(self._random.uniform(0, 2))
        return dict(sorted(counts.items()))

    def _await_moment(self, step: str, buyers: list["Future[None]"]) -> None:
        """Wait until somebody is in this step, and a random while longer. Without listings nobody comes to it."""
        wait_for(lambda: self._is_under_way(step) or all(buyer.done() for buyer in buyers))
        time.sleep(self._random.uniform(0, 0.15))

    def _is_under_way(self, step: str) -> bool:
        if step != "fulfilment":
            return self._journal.doing[step] > 0
        waiting = "SELECT 1 FROM orders_orderline l JOIN orders_order o ON o.id = l.order_id"
        return bool(self._shop.sql(f"{waiting} WHERE o.status = 'paid' AND l.status = 'pending' LIMIT 1"))

    def _kill_one(self, program: str) -> str:
        """Kill the program, or one of the processes that it forked; returns what was killed."""
        parent = self._shop.running.child(WORDS[program])
        if program == "beat":
            self._beats += 1
            if self._beats % STOPS_EVERY == 0:
                return self._stop(parent)
        return f"{'a process of the' if kill_some(parent, self._random) else 'the whole'} {program}"

    def _stop(self, pid: int) -> str:
        """Let a process hang, and wait until the supervisor has ended it."""
        with paused([pid]):
            wait_for(lambda: not is_alive(pid), seconds=HUNG_SECONDS + PATIENCE_SECONDS)
        return "beat, stopped"

    def _is_back(self) -> bool:
        try:
            result = {name: self._shop.running.child(word) for name, word in WORDS.items()}
            return (
                all(children(result[name]) for name in FORKING)
                and httpx2.get(f"{self._shop.base_url}/healthz", timeout=PATIENCE_SECONDS).is_success
            )
        except (LookupError, httpx2.TransportError):
            return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="slipway-kills-") as folder:
        Path(folder).chmod(0o711)
        with open_shop(Path(folder) / "data") as shop:
            result = kill_and_count(shop, times=chosen.times, seed=chosen.seed)
    sys.stdout.write(result.table() + "\n")
    return int(any(result.faults.values()))


if __name__ == "__main__":
    sys.exit(main())
