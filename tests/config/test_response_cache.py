"""Public answers that a web process sends again without asking Django."""

import asyncio
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from apps.core.stores.valkey import generations
from apps.core.web.public_cache import FROM_CACHE, ROUTE, viewed_from_cache
from config.serving.response_cache import ResponseCache
from tests.driven_loop import DrivenLoop
from tests.waiting import wait_for

pytestmark = pytest.mark.db

BODY = b"<p>Hello"
HEADERS = [("Content-Type", "text/html"), ("X-Request-ID", "of-the-first-request")]


@dataclass
class Scope:
    """A request as the server has it."""

    path: str = "/"
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=lambda: {"host": "a.example", "user-agent": "Mozilla/5.0"})
    scheme: str = "http"
    authority: str | None = None
    query_string: str = ""
    server: str = "127.0.0.1:80"
    client: str = "192.0.2.1:5000"
    http_version: str = "1.1"


@dataclass
class Proto:
    """Takes one answer."""

    answers: list[tuple[int, list[tuple[str, str]], bytes]] = field(default_factory=list)

    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.answers.append((status, headers, body))


class Process:
    """The answers of a process, whose loop runs when something has to happen on it."""

    def __init__(self, loop: DrivenLoop) -> None:
        self.loop = loop
        self.recent = ResponseCache(loop, in_thread=lambda call: call())

    def run(self, seconds: float = 0) -> None:
        self.loop.run_until_complete(asyncio.sleep(seconds))

    def hear_a_change(self) -> None:
        """Wait until a change that was committed now has ended the answer of the fixture."""
        generations._Change({"listing:1"})()

        def is_forgotten() -> bool:
            self.run()
            return self.answers(Scope()) is None

        wait_for(is_forgotten)

    def send(self, scope: Any, *, from_cache: bool = True, view_of: int | None = None) -> None:
        """Django answers a request."""
        keep = self.recent.keeper(scope)
        keep({FROM_CACHE: view_of, ROUTE: "a/route"} if from_cache else {}, HEADERS, BODY)
        self.run()

    def answers(self, scope: Any) -> Any:
        """The answer that is sent without Django, or None."""
        proto: Any = Proto()
        is_known = self.recent.answer(scope, proto)
        assert len(proto.answers) == is_known
        return proto.answers[0] if proto.answers else None


@pytest.fixture
def process(db: None) -> Iterator[Process]:
    """One that hears changes and has an answer to `Scope()`."""
    loop = DrivenLoop()
    process = Process(loop)

    def is_ready() -> bool:
        process.send(Scope())
        return process.answers(Scope()) is not None

    wait_for(is_ready)
    yield process
    process.recent.close()
    loop.close()


def test_an_answer_is_sent_again_under_an_id_of_its_own(process: Process) -> None:
    status, headers, body = process.answers(Scope())
    assert (status, body, headers[0]) == (200, BODY, HEADERS[0])
    ids = {dict(process.answers(Scope())[1])["X-Request-ID"] for _ in range(2)}
    assert len(ids) == 2
    assert "of-the-first-request" not in ids


@pytest.mark.parametrize(
    "other",
    [
        Scope(path="/other"),
        Scope(query_string="page=2"),
        Scope(scheme="https"),
        Scope(method="HEAD"),
        Scope(method="POST"),
        *(
            Scope(headers={"host": "a.example", "user-agent": "Mozilla/5.0", name: "x"})
            for name in (
                *("cookie", "authorization", "if-none-match", "if-modified-since", "range", "origin", "hx-request"),
                *("accept", "accept-encoding", "x-request-id", "x-forwarded-proto", "content-length", "x-unknown"),
            )
        ),
        Scope(headers={"host": "b.example"}),
    ],
    ids=str,
)
def test_another_request_is_for_django(process: Process, other: Scope) -> None:
    assert process.answers(other) is None


def test_what_the_public_cache_did_not_give_is_not_kept(process: Process) -> None:
    process.send(Scope(path="/fresh"), from_cache=False)
    assert process.answers(Scope(path="/fresh")) is None


def test_any_change_ends_all(process: Process) -> None:
    process.hear_a_change()


def test_an_answer_from_before_a_change_is_not_kept_after_it(process: Process) -> None:
    slow: Any = Scope(path="/slow")
    keep = process.recent.keeper(slow)
    process.hear_a_change()
    keep({FROM_CACHE: None}, HEADERS, BODY)
    process.run()
    assert process.answers(slow) is None
    process.send(Scope(path="/slow"))
    assert process.answers(Scope(path="/slow"))


def test_an_answer_is_counted_under_its_route(process: Process, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="apps.core.web.middleware"):
        assert process.answers(Scope())
    assert [record.__dict__["route"] for record in caplog.records] == ["a/route"]


def test_an_answer_is_kept_for_a_second(process: Process) -> None:
    process.run(0.9)
    assert process.answers(Scope())
    process.run(0.2)
    assert process.answers(Scope()) is None


def test_views_are_counted_a_moment_later(process: Process) -> None:
    seen: list[tuple[str, int]] = []

    def note(sender: Any, *, request: Any, listing_id: int, **_: Any) -> None:
        seen.append((request.META["REMOTE_ADDR"], listing_id))

    viewed_from_cache.connect(note)
    try:
        process.send(Scope(path="/listings/a"), view_of=7)
        assert process.answers(Scope(path="/listings/a"))
        assert process.answers(Scope(path="/listings/a", client="192.0.2.2:1"))
        assert seen == []
        process.run(0.2)
    finally:
        viewed_from_cache.disconnect(note)
    assert seen == [("192.0.2.1", 7), ("192.0.2.2", 7)]
