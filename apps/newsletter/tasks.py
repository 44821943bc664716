"""Background work of the newsletter."""

from celery import shared_task

from apps.newsletter import emails


@shared_task(max_retries=0)
def send_newsletters() -> None:
    """Write the emails of the newsletters of the week that is over; periodic, and safe to repeat."""
    emails.send_newsletters()
