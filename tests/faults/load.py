"""What people and programs do all day beside buying: read, vote, edit, ask for drafts, call tools.

Everybody insists on an answer to what they change, with an Idempotency-Key, and notes what was acknowledged.
"""

import random
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial

import httpx2

from tests.faults.shop import Owner, Shop
from tests.faults.traffic import GIVES_UP_SECONDS, Buyer, Journal, insist
from tests.pages_server import PagesServer

PUBLIC = (
    "/",
    "/boards",
    "/categories",
    "/weeks",
    "/search?q=app",
    "/launches.rss",
    "/sitemap.xml",
    "/api/v1/listings",
    "/api/v1/listings?q=design",
    "/api/v1/leaderboards/community-weekly",
    "/api/v1/products",
)
_CSRF = "c" * 32
_MCP = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
_SITE = "<title>{name}</title><meta name=description content='{name} plans the work of small teams.'><h1>{name}</h1>"
_PAUSE = 0.1
_DRAFT_PAUSE = 5.0
VOTED = 5


@dataclass
class Acknowledged:
    """What was answered with success, and so has to be in the database in the end."""

    milestones: list[str] = field(default_factory=list)
    updates: list[str] = field(default_factory=list)
    headlines: dict[int, str] = field(default_factory=dict)
    stories: dict[int, str] = field(default_factory=dict)
    votes: list[tuple[int, str]] = field(default_factory=list)
    drafts: list[int] = field(default_factory=list)
    reads: Counter[str] = field(default_factory=Counter)
    slugs: list[str] = field(default_factory=list)


class Editor:
    """One owner who edits listings, by REST and through tools."""

    def __init__(self, shop: Shop, owner: Owner, journal: Journal, done: Acknowledged, *, seed: str) -> None:
        self._shop, self._owner, self._journal, self._done = shop, owner, journal, done
        self._random = random.Random(seed)  # noqa: S311 - a repeatable choice, no secret

    def run_until(self, is_over: threading.Event) -> None:
        steps = (self._milestone, self._update, self._headline, self._story, self._milestone_by_tool)
        while not is_over.is_set():
            listing = self._random.choice(self._owner.listing_ids)
            self._random.choice(steps)(listing, uuid.uuid4().hex)
            time.sleep(_PAUSE)

    def _send(self, name: str, method: str, path: str, body: object, key: str, status: int) -> httpx2.Response:
        headers = {"Idempotency-Key": key}

        def ask() -> httpx2.Response:
            return self._owner.rest.request(method, path, json=body, headers=headers)

        with self._journal.step(name):
            return insist(self._journal, ask, {status})

    def _milestone(self, listing: int, key: str) -> None:
        body = {"date": "2026-01-01", "title": key}
        self._send("milestone", "POST", f"me/listings/{listing}/milestones", body, key, 201)
        self._done.milestones.append(key)

    def _update(self, listing: int, key: str) -> None:
        body = {"title": key, "body": "What is new this week."}
        self._send("update", "POST", f"me/listings/{listing}/updates", body, key, 201)
        self._done.updates.append(key)

    def _headline(self, listing: int, key: str) -> None:
        body = {"fields": {"headline": f"Headline {key}"}}
        self._send("edit", "PATCH", f"me/listings/{listing}", body, key, 200)
        self._done.headlines[listing] = f"Headline {key}"

    def _story(self, listing: int, key: str) -> None:
        body = {"title": f"Story {key}", "problem": "Nobody had built it."}
        self._send("story", "PUT", f"me/listings/{listing}/story", body, key, 200)
        self._done.stories[listing] = f"Story {key}"

    def _milestone_by_tool(self, listing: int, key: str) -> None:
        arguments = {"listing_id": listing, "date": "2026-01-02", "title": key, "idempotency_key": key}
        call = {"name": "add_milestone", "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        headers = {**_MCP, "Authorization": f"Bearer {self._owner.key}"}

        def ask() -> httpx2.Response:
            answer = self._shop.pages.post(f"{self._shop.base_url}/mcp", json=message, headers=headers)
            # An outage is reported as a tool error, in an answer of status 200.
            is_error = answer.status_code == 200 and answer.json()["result"].get("isError")
            return httpx2.Response(503, text=answer.text) if is_error else answer

        with self._journal.step("tool call"):
            insist(self._journal, ask, {200})
        self._done.milestones.append(key)


class Voter:
    """People who vote once each. A vote is a switch, so nobody presses it twice: what was not answered is not noted."""

    def __init__(self, shop: Shop, people: Sequence[tuple[int, str]], slugs: Sequence[str], done: Acknowledged) -> None:
        self._shop, self._people, self._slugs, self._done = shop, people, slugs, done

    def run_until(self, is_over: threading.Event) -> None:
        for account, session in self._people:
            for slug in self._slugs:
                if is_over.is_set():
                    return
                self._vote(account, session, slug)
                time.sleep(_PAUSE)

    def _vote(self, account: int, session: str, slug: str) -> None:
        cookies = f"sessionid={session}; csrftoken={_CSRF}"
        address = f"{self._shop.base_url}/listings/{slug}/vote"
        try:
            answer = self._shop.pages.post(
                address,
                data={"csrfmiddlewaretoken": _CSRF},
                headers={"Cookie": cookies, "Referer": address, "HX-Request": "true"},
            )
        except httpx2.TransportError as error:
            self._done.reads[f"vote: {type(error).__name__}"] += 1
            return
        self._done.reads[f"vote: {answer.status_code}"] += 1
        if answer.status_code == 200:
            self._done.votes.append((account, slug))


class Visitor:
    """Somebody without an account who reads public pages; every answer is counted."""

    def __init__(self, shop: Shop, done: Acknowledged, *, seed: str) -> None:
        self._shop, self._done = shop, done
        self._random = random.Random(seed)  # noqa: S311 - a repeatable choice, no secret

    def run_until(self, is_over: threading.Event) -> None:
        while not is_over.is_set():
            try:
                answer = self._shop.pages.get(self._shop.base_url + self._random.choice(PUBLIC), timeout=30)
            except httpx2.TransportError as error:
                self._done.reads[f"read: {type(error).__name__}"] += 1
            else:
                self._done.reads[f"read: {answer.status_code}"] += 1
            time.sleep(_PAUSE)


class Drafter:
    """One owner who asks for drafts of websites, one after the other."""

    def __init__(self, owner: Owner, journal: Journal, done: Acknowledged, addresses: Sequence[str]) -> None:
        self._owner, self._journal, self._done, self._addresses = owner, journal, done, addresses

    def run_until(self, is_over: threading.Event) -> None:
        for address in self._addresses:
            with self._journal.step("draft"):
                answer = insist(self._journal, partial(self._ask, address), {200, 201, 202})
            self._done.drafts.append(answer.json()["id"])
            if is_over.wait(_DRAFT_PAUSE):
                return

    def _ask(self, address: str) -> httpx2.Response:
        return self._owner.rest.post("drafts", json={"url": address}, headers={"Idempotency-Key": address})


def serve_websites(server: PagesServer, count: int) -> list[str]:
    """Small websites to draft from; returns their host names."""
    hosts = [f"site{number}.localhost" for number in range(count)]
    for host in hosts:
        server.serve(host, "/", _SITE.format(name=host.partition(".")[0].capitalize()))
    return hosts


class Load:
    """Everybody in parallel, until stopped. `watch` raises what went wrong for one of them."""

    def __init__(
        self,
        shop: Shop,
        *,
        seed: int,
        sites: Sequence[str],
        buyers: int,
        listings: int,
        edited: int,
        voters: int,
        buyer_pause: float = 0.0,
    ) -> None:
        """`buyers` have `listings` each, and one owner has `edited` live ones; `sites` are addresses to draft from."""
        self.journal, self.done = Journal(), Acknowledged()
        name = f"load-{seed}-{int(time.time())}"
        owners = [shop.owner(f"{name}-{index}", listings=listings) for index in range(buyers)]
        editor = shop.owner(f"{name}-editor", listings=edited, live=True)
        self.done.slugs += [f"{name}-editor-{index}" for index in range(edited)]
        people = shop.team.do("make_voters", name=f"{name}-voter", count=voters)
        self.buyers, self.editor = owners, editor
        self._loops: list[Callable[[threading.Event], None]] = [
            Buyer(shop, owner, self.journal, seed=f"{seed}-{index}", pause=buyer_pause).buy_until
            for index, owner in enumerate(owners)
        ]
        self._loops += [
            Editor(shop, editor, self.journal, self.done, seed=f"{seed}-editor").run_until,
            Voter(shop, people, self.done.slugs[:VOTED], self.done).run_until,
            Drafter(editor, self.journal, self.done, sites).run_until,
            Visitor(shop, self.done, seed=f"{seed}-one").run_until,
            Visitor(shop, self.done, seed=f"{seed}-other").run_until,
        ]
        self._is_over = threading.Event()
        self._pool = ThreadPoolExecutor(len(self._loops))
        self._running: list[Future[None]] = []

    def __enter__(self) -> "Load":
        self._running = [self._pool.submit(loop, self._is_over) for loop in self._loops]
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._pool.shutdown(wait=True)

    def watch(self) -> None:
        """Raise what ended somebody too early."""
        for future in self._running:
            if future.done():
                future.result()

    def finish(self) -> None:
        """Let everybody come to an end, and raise what went wrong."""
        self._is_over.set()
        for future in self._running:
            future.result(timeout=2 * GIVES_UP_SECONDS)
