"""Wake-ups of the workers. Attempts, deadlines and failures are the business of the draft's row."""

from celery import shared_task

from apps.drafts import crawl, expiry, leases


@shared_task(acks_late=True, soft_time_limit=75, time_limit=90, max_retries=0)
def crawl_draft(draft_id: int) -> None:
    for waiting_id in crawl.run(draft_id):
        crawl_draft.delay(waiting_id)


@shared_task(acks_late=True, max_retries=0)
def sweep_drafts() -> None:
    for draft_id in leases.requeue_lost():
        crawl_draft.delay(draft_id)
    expiry.expire_drafts()
