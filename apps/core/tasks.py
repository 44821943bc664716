"""Housekeeping tasks of the core."""

from celery import shared_task

from apps.core.api import idempotency
from apps.core.delay_on_commit import delay_on_commit
from apps.core.email import delivery
from apps.core.operations.checks import health
from apps.core.operations.personal_data import retention
from apps.core.web.public_cache import purging


@shared_task
def delete_expired_idempotency_records() -> None:
    idempotency.delete_expired()


@shared_task
def record_beat() -> None:
    health.record_beat()


@shared_task(max_retries=0)
def send_emails() -> None:
    """Send waiting emails, one batch per message. The schedule also runs it, for failed and lost ones."""
    if delivery.send_batch():
        # A separate message lets other work run in between.
        delay_on_commit("apps.core.tasks.send_emails")


@shared_task(max_retries=0)
def purge_caches() -> None:
    """Send the keys of changed pages to the CDN. Queued by changes, and periodic for what failed."""
    purging.purge_waiting()


@shared_task(max_retries=0)
def delete_expired_data() -> None:
    """Delete rows that have been kept as long as the retention settings say. Periodic."""
    retention.delete_expired_data()
