"""Background tasks of the newsletter."""

from celery import shared_task

from apps.newsletter import emails


@shared_task(max_retries=0)
def send_newsletters() -> None:
    """Write the emails of last week's newsletters. Periodic and safe to repeat."""
    emails.send_newsletters()
