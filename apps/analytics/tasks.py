"""Background tasks of analytics."""

from celery import shared_task

from apps.analytics import batches, weekly_email


@shared_task(max_retries=0)
def save_counts() -> None:
    """Move visit counts from Valkey to PostgreSQL. Periodic and safe to repeat or interrupt."""
    batches.save_counts()


@shared_task(max_retries=0)
def send_weekly_numbers() -> None:
    """Write the emails with last week's numbers on Mondays. Periodic and safe to repeat."""
    weekly_email.send_weekly_numbers()
