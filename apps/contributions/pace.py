"""Count what accounts and networks write, so that floods are refused."""

from apps.core.api.rate_limits import breaker
from apps.core.stores.valkey.counters import Limit


def take(limit: Limit, who: object) -> None:
    """Count an event of somebody. Raises TooManyRequests (429).

    While Valkey doesn't answer, nothing is counted.
    """
    if standing := breaker.call(lambda: limit.try_take(str(who))):
        standing.check()


def is_past(limit: Limit, who: object) -> bool:
    """Count an event that nobody is refused for. Returns whether there are more than the limit."""
    standing = breaker.call(lambda: limit.try_take(str(who)))
    return standing is not None and not standing.is_within
