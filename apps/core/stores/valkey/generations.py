"""Generations: cached public data is valid until one of its generations ends.

A generation has a name, such as `site:1`, and a number in Valkey: the value of a change clock when it began. The clock
counts every change after its commit. A cached response is valid if it was begun at a later clock value than each of its
generations. `watch.py` detects the changes.

A change that is committed while Valkey is down begins no generation, so nothing is cached for longer than
`MOST_SECONDS`.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import local
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import connection, transaction
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from apps.core.stores.valkey.circuit_breaker import CircuitBreaker

if TYPE_CHECKING:
    from redis.commands.core import Script

# Every page and read of every site.
EVERYTHING = "everything"
# The list of sites, their hosts, and their settings.
SITES = "sites"
# Pages that show several listings: leaderboards, lists, feeds, search, sitemaps.
LISTS = "lists"
# Pages that show several collections.
COLLECTIONS = "collections"

MOST_SECONDS = 60
CLOCK = "generation"
# The channel on which every change is announced.
CHANGES = "generation:changes"
PREFIX = "generation:"
# Longer than anything is cached.
_SECONDS = 3600
_RECENT_SECONDS = 1.0
_TIMEOUT_SECONDS = 0.5

# KEYS: clock, generations. ARGV: seconds, and the channel of changes for _BEGIN. A lost clock continues from the time,
# so that no number repeats.
TICK = """
local function tick()
  if redis.call('EXISTS', KEYS[1]) == 0 then
    local time = redis.call('TIME')
    redis.call('SET', KEYS[1], time[1] .. string.format('%06d', time[2]))
  end
  redis.call('INCR', KEYS[1])
  return redis.call('GET', KEYS[1])
end
"""
_BEGIN = (
    TICK
    + """
local now = tick()
for number = 2, #KEYS do
  redis.call('SET', KEYS[number], now, 'EX', ARGV[1])
end
redis.call('PUBLISH', ARGV[2], now)
"""
)
_READ = (
    TICK
    + """
local number = redis.call('GET', KEYS[2])
if not number then
  number = tick()
  redis.call('SET', KEYS[2], number, 'EX', ARGV[1])
end
return number
"""
)

# Callbacks to run between a commit and the generations that it begins.
before_change: list[Callable[[], None]] = []
# Callbacks that get the names of the generations that have begun.
after_change: list[Callable[[frozenset[str]], None]] = []
LOG_AS = ("public answers are not cached", "public answers are cached again")
breaker = CircuitBreaker(log_as=LOG_AS)
# Generations that were just read. They save uncached requests a question to Valkey.
_generation_cache: dict[str, tuple[str, float]] = {}
_thread = local()


@cache
def cache_client() -> "Redis":
    """Return the client of the cache's database for values that are not JSON."""
    return Redis.from_url(
        str(settings.CACHES["default"]["LOCATION"]),
        socket_timeout=_TIMEOUT_SECONDS,
        socket_connect_timeout=_TIMEOUT_SECONDS,
        retry=Retry(NoBackoff(), 1),
    )


def site_name(pk: int) -> str:
    """A site's settings and whatever appears on all of its pages."""
    return f"site:{pk}"


def listing_name(pk: int) -> str:
    """The pages of one listing."""
    return f"listing:{pk}"


def company_name(pk: int) -> str:
    """The pages of a company's listings on all sites."""
    return f"company:{pk}"


def founder_name(user_pk: int) -> str:
    """What the pages of a founder's listings show about the founder."""
    return f"founder:{user_pk}"


def collection_name(pk: int) -> str:
    """The page and the feeds of one collection."""
    return f"collection:{pk}"


def touch(*names: str) -> None:
    """Begin a new generation of each name after the commit. A rollback begins none."""
    if names:
        transaction.on_commit(_Change(names), robust=True)


def recent(name: str) -> str | None:
    """Return the generation of a name, at most a second old, for data that a process keeps for itself.

    None while Valkey is down, and in a transaction that has changed such rows itself: then no cached data is valid.
    """
    if has_uncommitted(name):
        return None
    known, now = _generation_cache.get(name), time.monotonic()
    if known is None or now - known[1] > _RECENT_SECONDS:
        read = breaker.call(lambda: cache_script(_READ)(keys=[CLOCK, PREFIX + name], args=[_SECONDS]))
        if read is None:
            return None
        known = _generation_cache[name] = (read.decode(), now)
    return known[0]


def saw(name: str, number: str) -> None:
    """Store a generation that was just read."""
    _generation_cache[name] = (number, time.monotonic())


def has_uncommitted(name: str = "") -> bool:
    """Return whether this transaction has changed rows of a name, or any rows. Others don't see them yet."""
    calls = (waiting[1] for waiting in connection.run_on_commit)
    return any(isinstance(call, _Change) and (not name or name in call.names) for call in calls)


@contextmanager
def only(names: Callable[[], Iterable[str]]) -> Iterator[None]:
    """Have statements in this block invalidate only `names`."""
    _thread.blocks = getattr(_thread, "blocks", 0) + 1
    try:
        yield
    finally:
        _thread.blocks -= 1
    touch(*names())


def is_told() -> bool:
    """Return whether this thread is in a block of `only`."""
    return bool(getattr(_thread, "blocks", 0))


class _Change:
    """Begins generations. A class, so that it can be found among the callbacks of the commit."""

    __qualname__ = "_Change"

    def __init__(self, names: Iterable[str]) -> None:
        self.names = frozenset(names)

    def __call__(self) -> None:
        for do in before_change:
            do()
        keys = [CLOCK, *(PREFIX + name for name in self.names)]
        breaker.call(lambda: cache_script(_BEGIN)(keys=keys, args=[_SECONDS, CHANGES]))
        for name in self.names:
            _generation_cache.pop(name, None)
        for follow in after_change:
            follow(self.names)


@cache
def cache_script(text: str) -> "Script":
    """Return a script for the cache's database, which the server caches after the first call."""
    return cache_client().register_script(text)
