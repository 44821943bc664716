"""Background work of launches."""

from celery import shared_task

from apps.launches.badges import checks
from apps.launches.services import queue, rollover
from apps.launches.votes import rankings


@shared_task(acks_late=True, max_retries=0)
def check_badge(listing_id: int) -> None:
    """Check for the badge of one listing; never retried by Celery: a check that is lost is due again soon.

    The fetch's deadline is its limit: Celery's own do nothing in a crawler's threads.
    """
    checks.check_badge(listing_id=listing_id)


@shared_task(max_retries=0)
def check_due_badges() -> None:
    """Check the badges that are due, each in a task of its own; periodic."""
    for listing_id in checks.lease_due_badges():
        check_badge.delay(listing_id)


@shared_task(max_retries=0)
def queue_ready_listings() -> None:
    """Queue what waited for something else than a check, such as the founder profile or a place; periodic."""
    queue.queue_ready()


@shared_task(max_retries=0)
def roll_over_week() -> None:
    """Close boards that are over and publish what is due; periodic."""
    rollover.roll_over_week()


@shared_task(max_retries=0)
def copy_votes() -> None:
    """Let searches know the votes that came in; periodic."""
    rankings.copy_votes()
