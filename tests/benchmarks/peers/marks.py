"""The ratios that a release is held to, from the medians of one run."""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tests.benchmarks.peers.measure import Result


@dataclass(frozen=True, slots=True)
class Run:
    """All that was measured. `memory` is in MB by peer, `addresses` in milliseconds by rows and path.

    `compared` has test and peer of the answers that held the same rows.
    """

    results: Sequence[Result]
    compared: set[tuple[str, str]] = field(default_factory=set)
    memory: dict[str, float] = field(default_factory=dict)
    addresses: dict[int, dict[str, float]] = field(default_factory=dict)
    votes: float | None = None

    @property
    def sizes(self) -> list[int]:
        """The numbers of listings, the fewest first."""
        return sorted({one.rows for one in self.results})

    @property
    def main(self) -> int:
        """The number of listings that ratios are taken at: 200,000, or as near as there is."""
        return min(self.sizes, key=lambda rows: abs(rows - 200_000))

    def median(self, what: str, test: str, peer: str, rows: int | None = None) -> float | None:
        """The middle of the rounds of one figure; None where it was not measured."""
        at = rows or self.main
        result = [getattr(one, what) for one in self.results if (one.rows, one.test, one.peer) == (at, test, peer)]
        return statistics.median(result) if result else None

    def ratio(self, test: str, peer: str, other: str, other_test: str = "") -> float | None:
        """The middle of the rounds' ratios of answers a second: both are of the same round."""
        rates = {(one.turn, one.test, one.peer): one.rate for one in self.results if one.rows == self.main}
        turns = {one.turn for one in self.results}
        pairs = [(rates.get((turn, test, peer)), rates.get((turn, other_test or test, other))) for turn in turns]
        result = [ours / theirs for ours, theirs in pairs if ours and theirs]
        return statistics.median(result) if result else None

    def cpu_ratio(self, test: str, peer: str, other: str, other_test: str = "") -> float | None:
        """How much more processor time an answer of the other costs, server and PostgreSQL together."""
        ours, theirs = self._cpu(test, peer), self._cpu(other_test or test, other)
        return theirs / ours if ours and theirs else None

    def _cpu(self, test: str, peer: str) -> float | None:
        result = [self.median(what, test, peer) for what in ("server_ms", "database_ms")]
        return None if None in result else sum(one or 0.0 for one in result)


@dataclass(frozen=True, slots=True)
class Mark:
    """A ratio or time and how large it should be, or how small where `is_most`."""

    title: str
    goal: float
    value: Callable[[Run], float | None]
    is_most: bool = False
    cpu: Callable[[Run], float | None] = lambda run: None

    def is_met(self, run: Run) -> bool | None:
        result = self.value(run)
        return None if result is None else (result <= self.goal if self.is_most else result >= self.goal)


def _ratio(title: str, goal: float, test: str, other: str, *, of: str = "") -> Mark:
    return Mark(
        title,
        goal,
        lambda run: run.ratio(test, "Slipway", other, of),
        cpu=lambda run: run.cpu_ratio(test, "Slipway", other, of),
    )


def _growth(test: str) -> Callable[[Run], float | None]:
    def value(run: Run) -> float | None:
        few = run.median("p99", test, "Slipway", run.sizes[0])
        many = run.median("p99", test, "Slipway", run.sizes[-1])
        return many / few if few and many and len(run.sizes) > 1 else None

    return value


def _slowest(run: Run) -> float | None:
    return max(run.addresses[max(run.addresses)].values()) if run.addresses else None


def _memory(run: Run) -> float | None:
    ours, theirs = run.memory.get("Slipway"), run.memory.get("Directus")
    return ours / theirs if ours and theirs else None


MARKS = (
    _ratio("Uncached list ÷ raw WSGI and psycopg", 0.45, "list", "raw WSGI"),
    _ratio("Uncached list ÷ Litestar", 1.0, "list", "Litestar"),
    _ratio("Uncached list ÷ FastAPI", 4.0, "list", "FastAPI"),
    _ratio("Uncached list ÷ django-ninja", 6.0, "list", "django-ninja"),
    _ratio("Uncached list ÷ Directus", 6.0, "list", "Directus"),
    _ratio("Uncached list ÷ DRF", 8.0, "list", "DRF"),
    _ratio("Mixed search ÷ raw WSGI and psycopg", 1.5, "search", "raw WSGI"),
    _ratio("Mixed search ÷ FastAPI", 3.0, "search", "FastAPI"),
    _ratio("Mixed search ÷ Litestar", 2.0, "search", "Litestar"),
    *(
        _ratio(f"Cached {page} ÷ {other}", goal, f"cached {page}", other)
        for page in ("list", "front", "listing")
        for other, goal in (("plain Django", 3.0), ("Django cache_page", 10.0))
    ),
    _ratio("Uncached front page ÷ plain template", 0.6, "front", "Django template"),
    _ratio("Tool call ÷ bare MCP SDK", 0.8, "tool", "MCP SDK"),
    _ratio("Tool call ÷ fastmcp", 1.0, "tool", "fastmcp"),
    Mark("p99 of most ÷ fewest listings, 1 connection", 3.0, _growth("words 1"), is_most=True),
    Mark("p99 of most ÷ fewest listings, 8 connections", 3.0, _growth("words 8"), is_most=True),
    Mark("Slowest public address with most listings, ms", 100.0, _slowest, is_most=True),
    _ratio("Quote ÷ own listings", 0.8, "quote", "Slipway", of="own"),
    _ratio("Checkout ÷ own listings", 0.7, "checkout", "Slipway", of="own"),
    Mark("Vote ÷ bare insert", 0.6, lambda run: run.votes),
    Mark("Web process memory, MB", 100.0, lambda run: run.memory.get("Slipway"), is_most=True),
    Mark("Web process memory ÷ Directus", 0.6, _memory, is_most=True),
)
