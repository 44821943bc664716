"""Background work of analytics."""

from celery import shared_task

from apps.analytics import batches, weekly_email


@shared_task(max_retries=0)
def save_counts() -> None:
    """Move the counts of visits from Valkey to PostgreSQL; periodic, and safe to repeat or to break off."""
    batches.save_counts()


@shared_task(max_retries=0)
def send_weekly_numbers() -> None:
    """Write the emails with last week's numbers, on Mondays; safe to repeat; periodic."""
    weekly_email.send_weekly_numbers()
