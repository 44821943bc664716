"""Waiting in tests: for a condition, never for a duration.

A coroutine waits by `await asyncio.to_thread(wait_for, condition)`.
"""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from django.db import connection

if TYPE_CHECKING:
    import psycopg

# What has not come by then on a busy machine doesn't come.
PATIENCE_SECONDS = 180.0

T = TypeVar("T")

_IS_BLOCKING = "SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid)) LIMIT 1"


def wait_for(condition: Callable[[], T | None], *, seconds: float = PATIENCE_SECONDS, pause: float = 0.05) -> T:
    """Poll until the condition holds, and return what it gave. What asks a rate-limited API needs a longer `pause`."""
    end = time.monotonic() + seconds
    while not (result := condition()):
        assert time.monotonic() < end, f"waited {seconds:g} seconds in vain"
        time.sleep(pause)
    return result


def is_blocking(holder: "psycopg.Connection[Any] | None" = None) -> bool:
    """Whether another session waits for a lock of `holder`, by default of Django's connection in this thread."""
    return bool((holder or connection.connection).execute(_IS_BLOCKING).fetchone())


def wait_until_blocked(holder: "psycopg.Connection[Any] | None" = None) -> None:
    """Wait until `is_blocking`."""
    wait_for(lambda: is_blocking(holder), pause=0.01)
