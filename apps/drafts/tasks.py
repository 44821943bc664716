"""Wake-ups of the crawler. Attempts, deadlines and failures are the business of the draft's row."""

from threading import BoundedSemaphore
from typing import Any

from celery import shared_task
from celery.signals import celeryd_after_setup
from django.conf import settings

from apps.drafts.crawl import job, lock
from apps.drafts.services import drafts


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


@shared_task(acks_late=True, max_retries=0)
def crawl_draft(draft_id: int) -> None:
    """Crawl the draft whose turn it is, which need not be this one; then wake the crawler for those that waited.

    Without a free place the message is dropped: each crawl that ends wakes the next. Never retried by Celery: the row
    counts attempts, and a lost worker's lease runs out.
    """
    if not places.take():
        return
    try:
        waiting = job.run_next()
    finally:
        places.leave()
    # Asked after the place is free: a message that comes later finds it.
    for waiting_id in dict.fromkeys([*waiting, *lock.next_in_turn()]):
        crawl_draft.delay(waiting_id)


@shared_task(acks_late=True, max_retries=0)
def sweep_drafts() -> None:
    """Wake the crawler for drafts whose worker or message was lost, and expire those never submitted; periodic."""
    # A message takes whoever is next, and the end of a crawl wakes another: more would only pile up in the queue.
    for draft_id in lock.requeue_lost()[: settings.CRAWL_THREADS]:
        crawl_draft.delay(draft_id)
    drafts.expire_drafts()
