"""Owners that buy without a pause and try again whatever breaks, for as long as they are asked to."""

import contextlib
import random
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx2
import psycopg

from tests.faults.shop import Owner, Placed, Shop, week

COMPLETED, EXPIRED = "checkout.session.completed", "checkout.session.expired"
PROMO = "KILLS"
# Longer than the longest pause after which `manage.py up` starts a process again.
GIVES_UP_SECONDS = 600.0


@dataclass
class Journal:
    """What the buyers were told and did; everything here has to be true in the database in the end."""

    placed: dict[str, str] = field(default_factory=dict)
    differing: list[str] = field(default_factory=list)
    did: Counter[str] = field(default_factory=Counter)
    doing: Counter[str] = field(default_factory=Counter)
    odd: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @contextlib.contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Count a step as under way, for the thread that looks for a moment to break it."""
        with self.lock:
            self.doing[name] += 1
        try:
            yield
        finally:
            with self.lock:
                self.doing[name] -= 1
                self.did[name] += 1


def insist(journal: Journal, ask: Callable[[], httpx2.Response], wanted: set[int]) -> httpx2.Response:
    """Ask until an answer is one of the wanted ones, through broken connections and answers that pass."""
    until = time.monotonic() + GIVES_UP_SECONDS
    said: Any = ""
    while time.monotonic() < until:
        try:
            answer = ask()
        except (httpx2.TransportError, psycopg.OperationalError) as error:
            said = error
            journal.odd[type(error).__name__] += 1
        else:
            is_temporary = answer.status_code >= 500 or "Retry-After" in answer.headers
            if answer.status_code in wanted and "Retry-After" not in answer.headers:
                return answer
            said = f"{answer.status_code} {answer.text[:2000]}"
            journal.odd[str(answer.status_code)] += 1
            assert is_temporary, said
        time.sleep(0.2)
    raise AssertionError(f"no answer in {GIVES_UP_SECONDS} seconds: {said}")


class Buyer:
    """One owner with one thread. Each order takes two listings that no other order has."""

    def __init__(self, shop: Shop, owner: Owner, journal: Journal, *, seed: str, pause: float = 0.0) -> None:
        self._pause = pause
        self._shop = shop
        self._owner = owner
        self._journal = journal
        self._random = random.Random(seed)  # noqa: S311 - a repeatable choice, no secret
        self._listings = list(owner.listing_ids)
        self._has_left = False

    def buy_until(self, is_over: threading.Event) -> None:
        while not is_over.is_set() and len(self._listings) >= 2:
            order = self._check_out(self._listings.pop(), self._listings.pop())
            self._bring_to_an_end(order)
            time.sleep(self._random.uniform(0, 2 * self._pause))

    def _check_out(self, one: int, other: int) -> Placed:
        key = uuid.uuid4().hex
        # Unpaid orders reserve few spots of a week for an account, so that one week would soon refuse it the next.
        first = self._random.randint(2, 38)
        items = [
            {"product": "launch", "listing_id": one, "week": "now"},
            {"product": "section_gallery", "listing_id": other},
            {"product": "newsletter_slot", "listing_id": other, "weeks": [week(self._random.randint(1, 40))]},
            {
                "product": "category_feature",
                "listing_id": one,
                "weeks": [week(first), week(first + 1)],
                "categories": ["ai"],
            },
        ]
        quote_request = {"promo_code": PROMO} if self._random.random() < 0.5 else {}
        with self._journal.step("checkout"):
            answer = insist(self._journal, lambda: self._owner.check_out(*items, key=key, **quote_request), {201})
        order = Placed.of(answer.json())
        self._journal.placed[order.number] = key
        if self._random.random() < 0.3:
            again = insist(self._journal, lambda: self._owner.check_out(*items, key=key, **quote_request), {201})
            if again.json() != answer.json():
                self._journal.differing.append(order.number)
        return order

    def _bring_to_an_end(self, order: Placed) -> None:
        session = self._start(order)
        choice = self._random.random()
        if session is None:
            return
        # Gone away without a word; once, since a second spot of this week would be the last one reserved unpaid.
        if choice < 0.08 and not self._has_left:
            self._has_left = True
            return
        if choice < 0.16:
            first, session = session, self._start(order) or session
            # The person paid in the other window too.
            if first != session:
                self._shop.provider.sessions[first]["status"] = "open"
                self._pay(first, is_told=True)
        self._pay(session)

    def _start(self, order: Placed) -> str | None:
        with self._journal.step("payment"):
            insist(self._journal, lambda: self._shop.update_total(order), {302, 409})
            answer = insist(self._journal, lambda: self._shop.press_pay(order), {302, 409})
        if answer.status_code == 409:
            self._journal.odd[f"pay {answer.status_code}"] += 1
            return None
        return answer.headers["Location"].split("/c/pay/")[1].split("#")[0]

    def _pay(self, session: str, *, is_told: bool = False) -> None:
        """The provider takes the money, and tells of it: never, or some times, and in any order.

        Of money for a session that was closed it has to tell: nobody asks about that one any more.
        """
        self._shop.provider.pay(session)
        messages = [self._shop.provider.event_for(session, COMPLETED)]
        if self._random.random() < 0.3:
            messages.append(self._shop.provider.event_for(session, EXPIRED))
        self._random.shuffle(messages)
        times = self._random.choice([1, 1, 2, 3] if is_told else [0, 1, 1, 2, 3])
        with self._journal.step("webhook"):
            for _ in range(times):
                for message in messages:
                    self._insist_on_delivery(message)

    def _insist_on_delivery(self, message: tuple[bytes, dict[str, str]]) -> None:
        def deliver() -> httpx2.Response:
            return httpx2.Response(self._shop.provider.deliver(*message))

        insist(self._journal, deliver, {204})
