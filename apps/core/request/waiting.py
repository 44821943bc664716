"""Keep a caller for a moment, so that a background job's result is in the answer."""

import threading
import time
from collections.abc import Callable

from django.conf import settings
from django.db import connection

POLL_SECONDS = 0.25
# Of the few threads that serve tools or changes. Batches and payment providers hold up to half of them already.
WAITERS = max(1, min(settings.WEB_THREADS["tools"], settings.WEB_THREADS["changes"]) // 4)
_waiters = threading.BoundedSemaphore(WAITERS)


def wait_until(is_done: Callable[[], bool], *, seconds: float) -> bool:
    """Wait until something is done; False when it is not in time.

    Does not wait inside a transaction, which would keep its locks and hide the result, nor while as many wait already.
    """
    if connection.in_atomic_block or not _waiters.acquire(blocking=False):
        return False
    try:
        until = time.monotonic() + seconds
        while not is_done():
            if time.monotonic() >= until:
                return False
            time.sleep(POLL_SECONDS)
        return True
    finally:
        _waiters.release()
