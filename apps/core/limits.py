"""Counters in Valkey for what may only be tried so often."""

from dataclasses import dataclass
from functools import cache

from django.conf import settings
from redis import Redis

from apps.core.errors import TooManyRequests


@cache
def _valkey() -> "Redis":
    return Redis.from_url(settings.REDIS_LIMITS_URL)


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `count` events in `window_seconds`, by whatever name the caller counts (account, address)."""

    name: str
    count: int
    window_seconds: int

    def take(self, who: str) -> None:
        """Count one event before it happens; the window starts with the first.

        Raises TooManyRequests (429) when the count is used up. Counting first is what keeps a burst of requests
        at the same time within the limit.
        """
        used = self._change(who, 1)
        if used > self.count:
            self._change(who, -1)
            wait = max(int(_valkey().ttl(self._key(who))), 1)
            raise TooManyRequests(f"Too many tries. Wait {wait} seconds.", retry_after=wait)

    def give_back(self, who: str) -> None:
        """Take back an event that turned out not to count."""
        self._change(who, -1)

    def _change(self, who: str, by: int) -> int:
        pipeline = _valkey().pipeline()
        pipeline.set(self._key(who), 0, ex=self.window_seconds, nx=True)
        pipeline.incrby(self._key(who), by)
        return int(pipeline.execute()[-1])

    def _key(self, who: str) -> str:
        return f"limit:{self.name}:{who}"
