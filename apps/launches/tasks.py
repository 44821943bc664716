"""Celery tasks for launches."""

from celery import shared_task

from apps.launches.badges import checks
from apps.launches.services import queue, reminders, rollover
from apps.launches.votes import rankings


@shared_task(acks_late=True, max_retries=0)
def check_badge(listing_id: int) -> None:
    """Check one listing's badge. Celery never retries it, because a lost check is due again soon.

    The fetch has its own deadline, because Celery's time limits don't work in a crawler's threads.
    """
    checks.check_badge(listing_id=listing_id)


@shared_task(max_retries=0)
def check_due_badges() -> None:
    """Start a task for each badge check that is due; periodic."""
    for listing_id in checks.lease_due_badges():
        check_badge.delay(listing_id)


@shared_task(max_retries=0)
def queue_ready_listings() -> None:
    """Queue listings that waited for something other than a badge check, such as the profile or a spot; periodic."""
    queue.queue_ready()


@shared_task(max_retries=0)
def roll_over_week() -> None:
    """Close leaderboards of past weeks and publish due launches; periodic."""
    rollover.roll_over_week()


@shared_task(max_retries=0)
def copy_votes() -> None:
    """Copy new votes to the listings, where searches read them; periodic."""
    rankings.copy_votes()


@shared_task(max_retries=0)
def send_reminders() -> None:
    """Email who asked for it when a listing launches; periodic."""
    reminders.send_reminders()
