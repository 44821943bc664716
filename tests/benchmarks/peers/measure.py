"""Rounds of tests over all peers: each test of each peer in turn, with a pause until nothing is left to do."""

import json
import statistics
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

import psycopg

from tests.benchmarks.peers import machine
from tests.benchmarks.peers.load import BadAnswerError, Load, Request, ask, load
from tests.benchmarks.peers.peer import Peer, Row, Running, World, running
from tests.benchmarks.peers.slipway import PAGES, Slipway, addresses, path_of

_DRAIN_SECONDS = 15.0
_ADDRESS_ROUNDS = 7
_WARM_SECONDS = 1.0
# Answers a second.
_SLOW_RATE = 1.0
_CANCEL_SECONDS = 0.5
_CANCEL = """
SELECT pg_cancel_backend(pid) FROM pg_stat_activity
WHERE state = 'active' AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""


class DifferentAnswerError(Exception):
    """Two peers answer the same question with other listings."""


@dataclass(frozen=True, slots=True)
class Test:
    """What is asked for, on how many connections."""

    key: str
    title: str
    connections: int = 16


TESTS = (
    Test("list", "Listings by votes"),
    Test("search", "Search, mixed words"),
    Test("words 1", "Search, mixed words, 1 connection", 1),
    Test("words 8", "Search, mixed words, 8 connections", 8),
    Test("front", "Front page"),
    Test("listing", "Listing page"),
    Test("cached list", "Listings by votes, cached"),
    Test("cached front", "Front page, cached"),
    Test("cached listing", "Listing page, cached"),
    Test("tool", "Tool call, rare word"),
    Test("own", "Own listings"),
    Test("quote", "Quote"),
    Test("checkout", "Checkout"),
)


@dataclass(frozen=True, slots=True)
class Result:
    """One load of one peer; processor time is in milliseconds an answer."""

    rows: int
    turn: int
    test: str
    peer: str
    rate: float
    p50: float
    p99: float
    server_ms: float
    database_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How much is measured; `done` are results of a run that was interrupted."""

    tests: Collection[str]
    rounds: int
    seconds: float
    postmaster: int
    done: Sequence[Result]
    journal: Path
    say: Callable[[str], None]


def start(peers: Sequence[Peer], world: World, stack: ExitStack, say: Callable[[str], None]) -> list[Running]:
    """Install and start the peers; one that cannot be is said and left out."""
    result = []
    for peer in peers:
        if problem := peer.install(world):
            say(f"without {peer.name}: {problem}")
            continue
        result.append(stack.enter_context(running(peer, world)))
        say(f"started {peer.name}")
        if isinstance(peer, Slipway) and not world.sizes:
            world.sizes.update({page: len(ask(result[-1].url, Request(path_of(page, world)))) for page in PAGES})
    return result


def check_answers(there: Sequence[Running], world: World) -> set[tuple[str, str]]:
    """Compare what all peers answer to a list, a rare word and a tool call; returns test and peer of each answer.

    Raises DifferentAnswerError.
    """
    compared = set()
    for test in ("list", "search", "tool"):
        asked = [(one, one.peer.requests(test, world)) for one in there]
        # The first word is a rare one, whose listings fit into an answer, whatever their order.
        answers = {one.peer.name: one.peer.rows_of(ask(one.url, result[0])) for one, result in asked if result}
        compare(test, answers, in_order=test == "list")
        compared |= {(test, name) for name in answers}
    return compared


def compare(test: str, answers: Mapping[str, Sequence[Row]], *, in_order: bool) -> None:
    """Raise DifferentAnswerError unless all peers answer with the same listings."""
    first, *_ = answers
    expected = answers[first] if in_order else sorted(answers[first])
    for name, rows in answers.items():
        if not rows or (list(rows) if in_order else sorted(rows)) != list(expected):
            raise DifferentAnswerError(f"{name} answers {test} with {rows[:3]}, {first} with {expected[:3]}")


def measure(there: Sequence[Running], world: World, plan: Plan) -> Iterator[Result]:
    """Every test of every peer, round by round, each written to the journal once known.

    Who takes seconds for an answer is asked in one round only: it takes a minute.
    """
    slow: dict[str, list[Running]] = {}
    known = {(one.rows, one.turn, one.test, one.peer): one for one in plan.done}
    for turn in range(plan.rounds):
        for test in (test for test in TESTS if test.key in plan.tests):
            for one in there:
                key = (world.rows, turn, test.key, one.peer.name)
                if one in slow.get(test.key, ()) or (key not in known and not one.peer.requests(test.key, world)):
                    continue
                result = known.get(key) or _measured(one, test, turn, world, plan, there)
                if result.rate < _SLOW_RATE:
                    slow.setdefault(test.key, []).append(one)
                plan.say(_line(result, test))
                yield result


def _line(result: Result, test: Test) -> str:
    return (
        f"{result.rows:>9,}  {result.turn + 1}  {test.title:35}{result.peer:17}{result.rate:8,.0f}/s"
        f"{result.p50:9.1f} ms{result.p99:9.1f} ms  CPU {result.server_ms:.2f} + {result.database_ms:.2f} ms"
    )


def _measured(one: Running, test: Test, turn: int, world: World, plan: Plan, there: Sequence[Running]) -> Result:
    requests = one.peer.requests(test.key, world)
    _cancel_statements(world)
    if turn == 0:
        _load(one, requests, test, _WARM_SECONDS)
        requests = one.peer.requests(test.key, world)
    machine.wait_until_idle([other.pid for other in there], plan.postmaster, seconds=_DRAIN_SECONDS)
    server, database = machine.cpu_seconds([one.pid]), machine.database_seconds(plan.postmaster)
    found = _load(one, requests, test, plan.seconds)
    server = machine.cpu_seconds([one.pid]) - server
    database = machine.database_seconds(plan.postmaster) - database
    each = 1000 / found.answers
    result = Result(
        world.rows, turn, test.key, one.peer.name, found.rate, found.p50, found.p99, server * each, database * each
    )
    with plan.journal.open("a") as journal:
        journal.write(json.dumps(asdict(result)) + "\n")
    return result


def _cancel_statements(world: World) -> None:
    """End what a load before this one has left PostgreSQL to do: a slow search goes on when nobody waits for it."""
    with psycopg.connect(world.engines.database_url, autocommit=True) as connection:
        while connection.execute(_CANCEL).fetchall():
            time.sleep(_CANCEL_SECONDS)


def _load(one: Running, requests: Sequence[Request], test: Test, seconds: float) -> Load:
    """A load that had answers: who is slower than the seconds gets more of them."""
    for share in (1, 5, 25):
        result = load(one.url, requests, connections=test.connections, seconds=seconds * share)
        if result.answers:
            return result
    raise BadAnswerError(f"{one.peer.name} answers nothing to {test.title}")


def read_journal(path: Path) -> list[Result]:
    """The results of an interrupted run."""
    return [Result(**json.loads(line)) for line in path.read_text().splitlines()] if path.exists() else []


def address_times(one: Running, world: World) -> dict[str, float]:
    """The middle of a few answers' milliseconds, for a public address of every kind."""
    return {request.path: statistics.median(_times(one.url, request)) for request in addresses(world)}


def _times(url: str, request: Request) -> Iterator[float]:
    for _ in range(_ADDRESS_ROUNDS):
        began = time.monotonic()
        ask(url, request)
        yield (time.monotonic() - began) * 1000
