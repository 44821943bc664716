"""Wake-ups of the workers. Attempts, deadlines and failures are the business of the draft's row."""

from celery import shared_task

from apps.drafts import crawl, expiry, leases


@shared_task(acks_late=True, soft_time_limit=75, time_limit=90, max_retries=0)
def crawl_draft(draft_id: int) -> None:
    """Crawl a draft if it still waits, then wake a worker for the next one of its domain.

    Never retried by Celery: the row counts attempts, and a lost worker's lease runs out.
    """
    for waiting_id in crawl.run(draft_id):
        crawl_draft.delay(waiting_id)


@shared_task(acks_late=True, max_retries=0)
def sweep_drafts() -> None:
    """Wake workers for drafts whose worker or message was lost, and expire those never submitted; periodic."""
    for draft_id in leases.requeue_lost():
        crawl_draft.delay(draft_id)
    expiry.expire_drafts()
