"""What every peer is: something that is installed, started, and asked for the same rows."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from config.local import EngineAddresses
from config.supervisor.processes import Child, Program
from config.supervisor.up import free_port
from tests.benchmarks.peers.load import BadAnswerError, Request, ask
from tests.leftovers import bare_environment
from tests.waiting import wait_for

PROJECT = Path(__file__).resolve().parents[3]
# A listing as peers are compared by it: slug, name, votes, categories.
Row = tuple[str, str, int, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """The filled database that all peers read, and what they are asked for in it.

    `python` is the interpreter of the peers' environment. `sizes` are the bytes of Slipway's pages by test, which
    pages of peers have about as many of.
    """

    cache: Path
    python: Path
    engines: EngineAddresses
    rows: int
    words: Sequence[str]
    rare_words: Sequence[str]
    slug: str
    api_key: str
    own_listing: int
    sizes: dict[str, int]

    @property
    def name(self) -> str:
        """Of the database."""
        return urlsplit(self.engines.database_url).path[1:]


class Peer(Protocol):
    """One way to build the directory."""

    @property
    def name(self) -> str: ...

    def install(self, world: World) -> str:
        """Make it ready to start; returns why it can't be, or nothing."""
        ...

    def program(self, world: World, port: int) -> Program:
        """What to start; it answers on this port."""
        ...

    def requests(self, test: str, world: World) -> list[Request]:
        """What a test asks it for; nothing where it takes no part."""
        ...

    def rows_of(self, answer: bytes) -> list[Row]:
        """The listings of an answer, to be compared."""
        ...


@dataclass(frozen=True, slots=True)
class Running:
    """A peer that answers; `pid` leads its process group."""

    peer: Peer
    url: str
    pid: int


@contextmanager
def running(peer: Peer, world: World) -> Iterator[Running]:
    """Start a peer, wait until it answers anything at all, and end it."""
    port = free_port("127.0.0.1", 0)
    child = Child(peer.program(world, port))
    child.start()
    try:
        result = Running(peer, f"http://127.0.0.1:{port}", child.pid)
        wait_for(lambda: _answers(result, child))
        yield result
    finally:
        child.stop()


def _answers(found: Running, child: Child) -> bool:
    assert child.poll() is None, f"{found.peer.name} does not start: see {child.program.log}"
    try:
        ask(found.url, Request("/"))
    except BadAnswerError:
        return True
    except OSError:
        return False
    return True


def server(name: str, argv: Sequence[str], world: World, **settings: str) -> Program:
    """A program of the project's folder with the engines' addresses and nothing else of ours in its environment."""
    env = {
        **bare_environment(),
        "DATABASE_URL": world.engines.database_url,
        "REDIS_URL": world.engines.redis_url,
        "PYTHONPATH": str(PROJECT),
        **settings,
    }
    return Program(name=name, argv=argv, env=env, cwd=PROJECT, log=world.cache / f"{name.replace(' ', '-')}.log")
