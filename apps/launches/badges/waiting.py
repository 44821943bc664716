"""Waiting for a badge check that a worker runs, for as long as a caller is kept."""

import threading
import time

from django.conf import settings
from django.db import connection

from apps.listings.models import Listing

WAIT_SECONDS = 10.0
POLL_SECONDS = 0.25
# Of the few threads that serve tools or changes. Batches and payment providers hold up to half of them already.
WAITERS = max(1, min(settings.WEB_THREADS["tools"], settings.WEB_THREADS["changes"]) // 4)
_waiting = threading.BoundedSemaphore(WAITERS)


def wait_for_check(listing_id: int) -> bool:
    """Wait until the check that was asked for has finished; False when it has not in time.

    Does not wait inside a transaction, which would keep its locks and hide the result, nor while as many wait already.
    """
    if connection.in_atomic_block or not _waiting.acquire(blocking=False):
        return False
    try:
        until = time.monotonic() + WAIT_SECONDS
        while Listing.objects.filter(pk=listing_id, badge_check_requested_at__isnull=False).exists():
            if time.monotonic() >= until:
                return False
            time.sleep(POLL_SECONDS)
        return True
    finally:
        _waiting.release()
