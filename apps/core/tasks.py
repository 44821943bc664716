"""Housekeeping of the core."""

from celery import shared_task

from apps.core.api import idempotency
from apps.core.checks import health
from apps.core.delay_on_commit import delay_on_commit
from apps.core.email import delivery


@shared_task
def delete_expired_idempotency_records() -> None:
    idempotency.delete_expired()


@shared_task
def record_beat() -> None:
    health.record_beat()


@shared_task(max_retries=0)
def send_emails() -> None:
    """Send what waits in the outbox, batch after batch; the schedule runs it too, for what failed or was lost."""
    if delivery.send_batch():
        # A message of its own, so that other work gets in between.
        delay_on_commit("apps.core.tasks.send_emails")


@shared_task(max_retries=0)
def delete_old_emails() -> None:
    """Remove emails that left long ago; periodic."""
    delivery.delete_old()
