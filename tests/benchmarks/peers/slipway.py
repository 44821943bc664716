"""Slipway itself, its web server as `manage.py up` starts it."""

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from config.supervisor.processes import Program
from config.supervisor.up import web_command
from tests.benchmarks.listings import vocabulary
from tests.benchmarks.peers.load import Request
from tests.benchmarks.peers.peer import Row, World, server
from tests.benchmarks.peers.python_peers import rows_of, searches, tool_calls

_API = "/api/v1"
# More than one round sends in its seconds; each checkout needs a key of its own.
_CHECKOUTS = 3_000
# A visitor with a cookie of the site bypasses the public cache, but is not signed in yet.
_UNCACHED: Mapping[str, str] = {"Cookie": f"csrftoken={'benchmark' * 4:.32}"}


@dataclass(frozen=True)
class Slipway:
    """One web process with its usual settings, but no limits on requests."""

    name: str = "Slipway"

    def install(self, world: World) -> str:
        return ""

    def program(self, world: World, port: int) -> Program:
        return server(
            self.name,
            web_command(host="127.0.0.1", port=port, workers=1),
            world,
            PUBLIC_BASE_URL=f"http://127.0.0.1:{port}",
            SLIPWAY_DATA_DIR=str(world.cache / "data"),
            SLIPWAY_LOCAL="1",
            RATE_LIMIT_PER_ADDRESS="0",
            RATE_LIMIT_PER_KEY="0",
            LOG_LEVEL="WARNING",
            # As `up` has it.
            MALLOC_ARENA_MAX="2",
        )

    def requests(self, test: str, world: World) -> list[Request]:
        page = test.removeprefix("cached ")
        if page in PAGES:
            return [Request(path_of(page, world), headers={} if page != test else _UNCACHED)]
        if test.startswith(("search", "words")):
            return searches(f"{_API}/listings", world, headers=_UNCACHED)
        return tool_calls("/mcp", world) if test == "tool" else self._owners(test, world)

    def _owners(self, test: str, world: World) -> list[Request]:
        """What an owner's program asks for."""
        headers = {"Authorization": f"Bearer {world.api_key}", "Content-Type": "application/json"}
        cart = {"items": [{"product": "section_faq", "listing_id": world.own_listing}], "billing_country": "DE"}
        if test == "own":
            return [Request(f"{_API}/me/listings", headers=headers)]
        if test == "quote":
            return [Request(f"{_API}/orders/quote", "POST", headers, json.dumps(cart))]
        keys = [{**headers, "Idempotency-Key": secrets.token_hex(16)} for _ in range(_CHECKOUTS)]
        return [Request(f"{_API}/orders/checkout", "POST", key, json.dumps(cart)) for key in keys]

    def rows_of(self, answer: bytes) -> list[Row]:
        return rows_of(answer)


PAGES: Mapping[str, str] = {"list": f"{_API}/listings", "front": "/", "listing": "/listings/{slug}"}


def path_of(page: str, world: World) -> str:
    """Where a page of PAGES is."""
    return PAGES[page].format(slug=world.slug)


def addresses(world: World) -> list[Request]:
    """A public address of every kind, not from the cache."""
    common, word = vocabulary()[0], vocabulary()[400]
    paths = [
        "/", "/boards", "/boards/community-weekly", "/boards/community-monthly", "/boards/community-yearly",
        "/boards/community-all-time", "/boards/community-weekly?category=design", "/categories", "/categories/design",
        f"/listings/{world.slug}", "/stories", "/founders", "/updates", "/weeks",
        "/ledgers", "/newsletter", "/search", f"/search?q={word}", f"/search?q={common}",
        f"/search?q={common}+{word}", f"/search?q={word[:3]}", "/search?q=xqxqxqxqxq", "/launches.rss",
        "/sitemap.xml", f"{_API}/listings", f"{_API}/listings?page=50", f"{_API}/listings?category=design",
        f"{_API}/leaderboards/community-weekly", f"{_API}/leaderboards/community-all-time", f"{_API}/products",
    ]  # fmt: skip
    return [Request(path, headers=_UNCACHED) for path in paths]
