"""When a failed delivery is tried again, and how long a failing endpoint rests."""

import random
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

_MINUTE, _HOUR = 60, 3600
# Seconds before each further attempt: three days in total.
DELAYS = (
    5,
    30,
    2 * _MINUTE,
    10 * _MINUTE,
    30 * _MINUTE,
    2 * _HOUR,
    5 * _HOUR,
    10 * _HOUR,
    14 * _HOUR,
    20 * _HOUR,
    20 * _HOUR,
)
GIVE_UP_AFTER = timedelta(days=3)
# Jitter takes up to this part of a delay off, so that deliveries that failed together don't return together.
_JITTER = 0.1
LONGEST_RETRY_AFTER = timedelta(days=1)
# So many failures in a row make the endpoint rest, and then be tried with one delivery at a time.
FAILURES_BEFORE_REST = 5
_FIRST_REST, _LONGEST_REST = timedelta(seconds=5), timedelta(minutes=10)


def next_attempt(
    *, attempts_made: int, first_tried_at: datetime, now: datetime, retry_after: timedelta | None = None
) -> datetime | None:
    """Return when to try a delivery again, or None to give it up."""
    if attempts_made > len(DELAYS):
        return None
    delay = timedelta(seconds=DELAYS[attempts_made - 1] * (1 - random.random() * _JITTER))  # noqa: S311 - no secret
    at = now + max(delay, retry_after or timedelta(0))
    return at if at <= first_tried_at + GIVE_UP_AFTER else None


def rest(failures: int) -> timedelta:
    """Return how long an endpoint rests after so many failed attempts in a row."""
    beyond = failures - FAILURES_BEFORE_REST
    return timedelta(0) if beyond < 0 else min(_FIRST_REST * 2 ** min(beyond, 10), _LONGEST_REST)


def retry_after(headers: Mapping[str, str], *, now: datetime) -> timedelta | None:
    """Return what a `Retry-After` header asks for, at most a day. Unreadable ones count as none."""
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        wait = timedelta(seconds=min(int(value[:9]), int(LONGEST_RETRY_AFTER.total_seconds())))
    else:
        try:
            until = parsedate_to_datetime(value)
        except (ValueError, OverflowError):
            return None
        wait = (until if until.tzinfo else until.replace(tzinfo=UTC)) - now
    return min(max(wait, timedelta(0)), LONGEST_RETRY_AFTER)
