"""Background work of launches."""

from celery import shared_task

from apps.launches import queue, turn


@shared_task
def check_badge(listing_id: int) -> None:
    """Look for the badge of one listing."""
    queue.check_badge(listing_id=listing_id)


@shared_task
def check_waiting_badges() -> None:
    """Look again for everybody who waits, each in a task of its own."""
    for listing_id in queue.waiting_for_badge():
        check_badge.delay(listing_id)


@shared_task
def turn_week() -> None:
    """Publish what is due."""
    turn.turn_week()
