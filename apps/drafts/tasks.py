"""Wake-ups of the crawler. Attempts, deadlines and failures are the business of the draft's row."""

import logging
import os
import signal
from threading import BoundedSemaphore, Timer
from typing import Any

from celery import shared_task
from celery.signals import celeryd_after_setup
from django.conf import settings

from apps.drafts.crawl import job, lock
from apps.drafts.services import drafts

logger = logging.getLogger(__name__)

_HARD_SECONDS = 90


class Places:
    """How many crawls a crawler runs at a time: three quarters of its threads.

    The others are always free for the looks at owners' websites that people wait for.
    """

    def __init__(self, threads: int) -> None:
        self.resize(threads)

    def resize(self, threads: int) -> None:
        """Count anew for so many threads; before any crawl has begun."""
        self._free = BoundedSemaphore(max(threads * 3 // 4, 1))

    def take(self) -> bool:
        """Whether there was a place, which is the caller's until it calls `leave`."""
        return self._free.acquire(blocking=False)

    def leave(self) -> None:
        self._free.release()


places = Places(settings.CRAWL_THREADS)


@celeryd_after_setup.connect
def count_places(instance: Any, **_: object) -> None:
    """A crawler may have been started with another number of threads than the setting says."""
    places.resize(instance.concurrency or settings.CRAWL_THREADS)


@shared_task(acks_late=True, soft_time_limit=75, time_limit=_HARD_SECONDS, max_retries=0)
def crawl_draft(draft_id: int) -> None:
    """Crawl the draft whose turn it is, which need not be this one; then wake the crawler for those that waited.

    Without a free place the message is dropped: each crawl that ends wakes the next. Never retried by Celery: the row
    counts attempts, and a lost worker's lease runs out.
    """
    if not places.take():
        return
    # Celery keeps its limits for pools of processes alone; no thread can be ended from outside.
    limit = Timer(_HARD_SECONDS, _end_process, [draft_id])
    limit.daemon = True
    limit.start()
    try:
        waiting = job.run_next()
    finally:
        limit.cancel()
        places.leave()
    # Asked after the place is free: a message that comes later finds it.
    for waiting_id in dict.fromkeys([*waiting, *lock.next_in_turn()]):
        crawl_draft.delay(waiting_id)


@shared_task(acks_late=True, max_retries=0)
def sweep_drafts() -> None:
    """Wake the crawler for drafts whose worker or message was lost, and expire those never submitted; periodic."""
    for draft_id in lock.requeue_lost():
        crawl_draft.delay(draft_id)
    drafts.expire_drafts()


def _end_process(draft_id: int) -> None:
    """Give up a crawl that does not end: the process is started again, and the leases of what else it read run out."""
    logger.critical("a crawl has not ended, so its process does", extra={"draft_id": draft_id})
    os.kill(os.getpid(), signal.SIGKILL)
