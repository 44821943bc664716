"""Wake-ups of the crawler. Attempts, deadlines and failures are the business of the draft's row."""

import logging
import os
import signal
from threading import Timer

from celery import shared_task

from apps.drafts.crawl import job, lock
from apps.drafts.services import drafts

logger = logging.getLogger(__name__)

_HARD_SECONDS = 90


@shared_task(acks_late=True, soft_time_limit=75, time_limit=_HARD_SECONDS, max_retries=0)
def crawl_draft(draft_id: int) -> None:
    """Crawl the draft whose turn it is, which need not be this one; then wake the crawler for those that waited.

    Never retried by Celery: the row counts attempts, and a lost worker's lease runs out.
    """
    # Celery keeps its limits for pools of processes alone; no thread can be ended from outside.
    limit = Timer(_HARD_SECONDS, _end_process, [draft_id])
    limit.daemon = True
    limit.start()
    try:
        waiting = job.run_next()
    finally:
        limit.cancel()
    for waiting_id in waiting:
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
