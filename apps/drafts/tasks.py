"""Celery tasks for drafts. Attempts, deadlines and failures are kept in the draft's row."""

from threading import BoundedSemaphore
from typing import Any

from celery import shared_task
from celery.signals import celeryd_after_setup
from django.conf import settings

from apps.drafts.crawl import job, lock
from apps.drafts.services import drafts, pictures


class CrawlSlots:
    """Return how many crawls a crawler runs at a time: three quarters of its threads.

    The others stay free for checks of owners' websites that people wait for.
    """

    def __init__(self, threads: int) -> None:
        self.resize(threads)

    def resize(self, threads: int) -> None:
        """Set the number of crawl threads, before any crawl begins."""
        self._free = BoundedSemaphore(max(threads * 3 // 4, 1))

    def acquire(self) -> bool:
        """Take a slot if one is free, and return whether. The caller keeps it until it calls `release`."""
        return self._free.acquire(blocking=False)

    def release(self) -> None:
        self._free.release()


slots = CrawlSlots(settings.CRAWL_THREADS)


@celeryd_after_setup.connect
def resize_slots(instance: Any, **_: object) -> None:
    """Match the slots to the crawler's number of threads, which may differ from the setting."""
    slots.resize(instance.concurrency or settings.CRAWL_THREADS)


@shared_task(acks_late=True, max_retries=0)
def crawl_draft(draft_id: int) -> None:
    """Crawl the next draft, which need not be this one, then enqueue those that waited for it to end.

    Without a free slot the message is dropped, because each crawl that ends enqueues the next. Celery never retries it:
    the row counts attempts, and a lost worker's lease runs out.
    """
    if not slots.acquire():
        return
    try:
        waiting = job.run_next()
    finally:
        slots.release()
    # Checked after the slot is released, so that a later message finds the slot free.
    for waiting_id in dict.fromkeys([*waiting, *lock.next_draft_ids()]):
        crawl_draft.delay(waiting_id)


@shared_task(acks_late=True, max_retries=0)
def recover_drafts() -> None:
    """Enqueue drafts whose worker or message was lost, and expire those never submitted; periodic."""
    # A message wakes the next free worker, and the end of a crawl sends another. More would only fill the queue.
    for draft_id in lock.recover_lost()[: settings.CRAWL_THREADS]:
        crawl_draft.delay(draft_id)
    drafts.expire_drafts()


@shared_task(max_retries=0)
def delete_lost_pictures() -> None:
    """Delete files of logos and screenshots that nothing names; periodic."""
    pictures.delete_lost()
