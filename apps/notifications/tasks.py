"""Background tasks of notifications."""

from celery import shared_task

from apps.notifications import digest


@shared_task(max_retries=0)
def send_digests() -> None:
    """Write the daily digests that are due. Periodic and safe to repeat."""
    digest.send_digests()
