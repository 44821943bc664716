"""Limit concurrent provider requests per web process, so that a slow provider can't use up its threads.

Workers call providers one after the other, so they always get a slot.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from django.conf import settings

from apps.orders.providers.gateway import GatewayError

# Half of the threads for changes. Pages, messages and tools share them.
AT_ONCE = max(1, settings.WEB_THREADS["changes"] // 2)
# Far longer than a healthy provider needs, and too short to hold the other threads.
WAIT_SECONDS = 1.0
_slots = BoundedSemaphore(AT_ONCE)


class ProvidersBusyError(GatewayError):
    """The maximum number of requests are already waiting for providers: nothing was sent."""

    code = "payment_provider_busy"
    title = "Payments delayed"


@contextmanager
def provider_slot(*, waits: bool = True) -> Iterator[None]:
    """Take a slot for calls to providers, waiting for one if `waits`. Raises ProvidersBusyError (503).

    Don't nest it within one request.
    """
    if not _slots.acquire(timeout=WAIT_SECONDS if waits else 0):
        raise ProvidersBusyError("Payments are taking longer than usual. Try again in a minute.", retry_after=30)
    try:
        yield
    finally:
        _slots.release()
