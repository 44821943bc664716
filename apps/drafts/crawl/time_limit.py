"""End a crawl that hangs by ending its process, because a thread can't be ended from outside."""

import logging
import os
import signal
from collections.abc import Callable
from functools import partial
from threading import Timer
from types import TracebackType

from django.db import Error

from apps.drafts.crawl import failures, lock
from apps.drafts.crawl.lock import Lease, LeaseLostError

logger = logging.getLogger(__name__)

SECONDS = 90.0
# The process ends even if the database does not answer.
FAILING_SECONDS = 10.0


class TimeLimit:
    """Ends the process when the crawl in its `with` takes too long, after failing its draft for good.

    Other crawls of the process lose their leases and are retried. This one would hang on the same website again.
    """

    def __init__(self, lease: Lease) -> None:
        self._lease = lease
        self._timer = _timer(SECONDS, self._give_up)

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()

    def _give_up(self) -> None:
        extra = {"draft_id": self._lease.draft_id, "attempt": self._lease.attempt}
        logger.critical("a crawl has not ended, so its process does", extra=extra)
        _timer(FAILING_SECONDS, end_process).start()
        failure = failures.too_slow()
        try:
            self._lease.update(partial(lock.fail, code=failure.code, message=failure.message))
        except (LeaseLostError, Error):
            logger.warning("its draft is not failed", extra=extra, exc_info=True)
        end_process()


def end_process() -> None:
    """End this process immediately; its supervisor restarts it."""
    os.kill(os.getpid(), signal.SIGKILL)


def _timer(seconds: float, call: Callable[[], None]) -> Timer:
    timer = Timer(seconds, call)
    timer.daemon = True
    return timer
