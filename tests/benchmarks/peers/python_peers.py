"""The peers in Python: modules of `apps`, in an environment of their own or, for a short run, in this one."""

import hashlib
import random
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any

import orjson

from config.supervisor.processes import Program
from tests.benchmarks.peers.load import Request
from tests.benchmarks.peers.peer import Row, World, server

_REQUIREMENTS = Path(__file__).with_name("requirements.txt")
_APPS = "tests.benchmarks.peers.apps"
_MCP = {
    "Accept": "application/json, text/event-stream",
    "Content-Type": "application/json",
    "MCP-Protocol-Version": "2025-06-18",
}
# About as many bytes as one listing has on the peers' page.
_ROW_BYTES = 650
_TOOL_CALLS = 2_000
Asks = Mapping[str, Callable[[World], list[Request]]]


@dataclass(frozen=True)
class PythonPeer:
    """A module with an `application`; `needs` is the package that it is built on."""

    name: str
    module: str
    needs: str
    asks: Asks
    is_asgi: bool = False
    in_ours: bool = False

    def install(self, world: World) -> str:
        if world.python != Path(sys.executable) and not self.in_ours:
            _make_environment(world.python)
            return ""
        return "" if find_spec(self.needs) else f"{self.needs} is not installed here"

    def program(self, world: World, port: int) -> Program:
        python = sys.executable if self.in_ours else str(world.python)
        where = ["--host", "127.0.0.1", "--port", str(port), "--workers", "1", "--log-level", "warning"]
        if self.is_asgi:
            argv = [python, "-m", "uvicorn", *where]
        else:
            argv = [python, "-m", "granian", "--interface", "wsgi", "--blocking-threads", "4", "--no-ws", *where]
        return server(self.name, [*argv, f"{_APPS}.{self.module}:application"], world)

    def requests(self, test: str, world: World) -> list[Request]:
        return self.asks[test](world) if test in self.asks else []

    def rows_of(self, answer: bytes) -> list[Row]:
        return rows_of(answer)


def rows_of(answer: bytes) -> list[Row]:
    """The listings of an answer in JSON, whatever the peer wraps them in."""
    result: Any = orjson.loads(answer)
    result = result.get("result", result)
    result = result.get("structuredContent", result)
    items = next(result[name] for name in ("items", "results", "data") if name in result)
    return [(one["slug"], one["name"], one["votes"], tuple(one["categories"])) for one in items]


def paths(*found: str) -> Callable[[World], list[Request]]:
    """Ask for these addresses."""
    return lambda _: [Request(path) for path in found]


def searches(path: str, world: World, *, headers: Mapping[str, str] = MappingProxyType({})) -> list[Request]:
    """Ask for each of the mixed words."""
    return [Request(f"{path}?q={word}", headers=headers) for word in world.words]


def tool_calls(path: str, world: World) -> list[Request]:
    """Call the search tool with rare words, so many different ones that no cache has them."""
    words = random.sample(world.rare_words, min(len(world.rare_words), _TOOL_CALLS))
    return [Request(path, "POST", _MCP, _call(word)) for word in (world.rare_words[0], *words)]


def _call(word: str) -> str:
    params = {"name": "search_listings", "arguments": {"q": word}}
    return orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).decode()


def _sized(path: str, page: str, unit: int, world: World) -> list[Request]:
    """Ask for about as many bytes as Slipway's page has."""
    return [Request(f"{path}/{max(world.sizes[page] // unit, 1)}")]


def _make_environment(python: Path) -> None:
    """Install the peers' requirements, unless these are there."""
    folder = python.parents[1]
    state = hashlib.sha256(_REQUIREMENTS.read_bytes()).hexdigest()
    note = folder / "installed"
    if note.exists() and note.read_text() == state:
        return
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", "-r", str(_REQUIREMENTS)], check=True)
    note.write_text(state)


_listings: Asks = {"list": paths("/listings"), "search": partial(searches, "/listings")}
_tools: Asks = {"tool": partial(tool_calls, "/mcp")}
_pages = ("front", "listing")
PEERS = (
    PythonPeer("raw WSGI", "raw", "granian", _listings),
    PythonPeer("Litestar", "litestar_peer", "litestar", _listings, is_asgi=True),
    PythonPeer("FastAPI", "fastapi_peer", "fastapi", _listings, is_asgi=True),
    PythonPeer("django-ninja", "django_peer.wsgi", "ninja", {"list": paths("/ninja/listings")}),
    PythonPeer("DRF", "django_peer.wsgi", "rest_framework", {"list": paths("/drf")}),
    PythonPeer(
        "Django template",
        "django_peer.wsgi",
        "granian",
        {page: partial(_sized, "/template", page, _ROW_BYTES) for page in _pages},
    ),
    PythonPeer(
        "Django cache_page",
        "django_peer.wsgi",
        "granian",
        {f"cached {page}": partial(_sized, "/cached", page, _ROW_BYTES) for page in ("list", *_pages)},
    ),
    PythonPeer(
        "plain Django",
        "django_peer.wsgi",
        "granian",
        {f"cached {page}": partial(_sized, "/plain", page, 1) for page in ("list", *_pages)},
    ),
    PythonPeer("MCP SDK", "mcp_sdk", "mcp", _tools, is_asgi=True, in_ours=True),
    PythonPeer("fastmcp", "fastmcp_peer", "fastmcp", _tools, is_asgi=True),
)
