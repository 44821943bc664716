"""Counters in Valkey for rate limits."""

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from django.conf import settings
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from apps.core.errors import TooManyRequests
from apps.core.text.durations import wait_text

if TYPE_CHECKING:
    from redis.commands.core import Script

# Atomic, and one round trip. A window begins with its first event. Refused events are not counted.
_TAKE = """
local used, most = tonumber(redis.call('GET', KEYS[1]) or 0), tonumber(ARGV[1])
local is_within = used < most
if is_within then
  used = redis.call('INCR', KEYS[1])
  if used == 1 then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
end
return {is_within and 1 or 0, most - used, math.ceil(redis.call('PTTL', KEYS[1]) / 1000)}
"""
_PEEK = """
local used, most = tonumber(redis.call('GET', KEYS[1]) or 0), tonumber(ARGV[1])
return {used < most and 1 or 0, most - used, math.ceil(redis.call('PTTL', KEYS[1]) / 1000)}
"""
_GIVE_BACK = "if tonumber(redis.call('GET', KEYS[1]) or 0) > 0 then redis.call('DECR', KEYS[1]) end"

_PREFIX = "limit:"
# A healthy server answers in less than a thousandth of this. Requests wait for the answer.
_TIMEOUT_SECONDS = 0.5


@cache
def valkey() -> "Redis":
    """Return the client of the counters' database. It tries twice, because a kept connection may be closed."""
    return Redis.from_url(
        settings.REDIS_LIMITS_URL,
        socket_timeout=_TIMEOUT_SECONDS,
        socket_connect_timeout=_TIMEOUT_SECONDS,
        retry=Retry(NoBackoff(), 1),
    )


@cache
def script(text: str) -> "Script":
    """Return a script that the server caches after the first call."""
    return valkey().register_script(text)


@dataclass(frozen=True, slots=True)
class Standing:
    """A counter after an event: whether it was within the limit, and how many are `left` for the next `seconds`."""

    limit: "Limit"
    is_within: bool
    left: int
    seconds: int

    def check(self) -> None:
        """Raise TooManyRequests (429) if the event was past the limit."""
        if not self.is_within:
            instead = f", or {self.limit.instead}" if self.limit.instead else ""
            detail = f"Too many {self.limit.events}. Try again in {wait_text(self.seconds)}{instead}."
            raise TooManyRequests(detail, retry_after=self.seconds)


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit of `count` events in `window_seconds`, counted per account, address or any other name.

    Errors call the events `events`, and offer `instead` as an alternative to waiting.
    """

    name: str
    count: int
    window_seconds: int
    events: str = "requests"
    instead: str = ""

    def take(self, who: str) -> None:
        """Count one event before it happens. The window starts with the first.

        Raises TooManyRequests (429) when the limit is reached. Counting first keeps concurrent requests within the
        limit. Raises redis' RedisError when Valkey does not answer.
        """
        self.try_take(who).check()

    def try_take(self, who: str) -> Standing:
        """Count one event and return the counter. Raises only RedisError."""
        return self._standing(_TAKE, who)

    def peek(self, who: str) -> Standing:
        """Return the counter without counting, to see whether one more event is within the limit."""
        return self._standing(_PEEK, who)

    def _standing(self, text: str, who: str) -> Standing:
        is_within, left, seconds = script(text)(keys=[self._key(who)], args=[self.count, self.window_seconds])
        # The limit may have been lowered since, and a limit of zero has no window.
        return Standing(self, bool(is_within), max(left, 0), max(seconds, 1))

    def give_back(self, who: str) -> None:
        """Take back an event that turned out not to count."""
        script(_GIVE_BACK)(keys=[self._key(who)])

    def _key(self, who: str) -> str:
        return f"{_PREFIX}{self.name}:{who}"
