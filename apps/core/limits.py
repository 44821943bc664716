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

    def check(self, who: str) -> None:
        """Raise TooManyRequests (429) when the count is used up; counts nothing itself."""
        used = _valkey().get(self._key(who))
        if used is not None and int(used) >= self.count:
            self._refuse(who)

    def add(self, who: str) -> None:
        """Count one event; the window starts with the first."""
        key = self._key(who)
        pipeline = _valkey().pipeline()
        pipeline.set(key, 0, ex=self.window_seconds, nx=True)
        pipeline.incr(key)
        pipeline.execute()

    def _refuse(self, who: str) -> None:
        wait = max(int(_valkey().ttl(self._key(who))), 1)
        raise TooManyRequests(f"Too many tries. Wait {wait} seconds.", retry_after=wait)

    def _key(self, who: str) -> str:
        return f"limit:{self.name}:{who}"
