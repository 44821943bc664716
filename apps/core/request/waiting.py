"""Wait briefly for a background job, to include its result in the response."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import connection

POLL_SECONDS = 0.25
# Of the few threads that serve tools or changes. Batches and payment providers hold up to half of them already.
WAITERS = max(1, min(settings.WEB_THREADS["tools"], settings.WEB_THREADS["changes"]) // 4)
# Half, so that no account has others not wait at all.
WAITERS_OF_ACCOUNT = max(1, WAITERS // 2)
_waiters = threading.BoundedSemaphore(WAITERS)
_by_account: Counter[int] = Counter()
_counting = threading.Lock()


def wait_until(is_done: Callable[[], bool], *, seconds: float, account_id: int | None = None) -> bool:
    """Wait until something is done. Returns False if it isn't in time.

    Doesn't wait inside a transaction, which would hold its locks and hide the result, or if too many wait already, in
    all or of the account.
    """
    if connection.in_atomic_block:
        return False
    with _place(account_id) as has_place:
        if not has_place:
            return False
        until = time.monotonic() + seconds
        while not is_done():
            if time.monotonic() >= until:
                return False
            time.sleep(POLL_SECONDS)
        return True


@contextmanager
def _place(account_id: int | None) -> Iterator[bool]:
    with _counting:
        is_full = account_id is not None and _by_account[account_id] >= WAITERS_OF_ACCOUNT
        if is_full or not _waiters.acquire(blocking=False):
            has_place = False
        else:
            has_place = True
            if account_id is not None:
                _by_account[account_id] += 1
    try:
        yield has_place
    finally:
        if has_place:
            with _counting:
                _waiters.release()
                if account_id is not None:
                    _by_account[account_id] -= 1
                    if not _by_account[account_id]:
                        del _by_account[account_id]
