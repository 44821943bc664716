"""Background work of accounts."""

from celery import shared_task

from apps.accounts.api_keys import expiry
from apps.accounts.founders import photos
from apps.accounts.oauth import connections
from apps.accounts.sign_in import sessions


@shared_task(max_retries=0)
def warn_of_expiry(key_id: int) -> None:
    """Send the email before a key expires; never retried by Celery: the sweep finds what failed."""
    expiry.warn_of_expiry(key_id)


@shared_task(max_retries=0)
def warn_of_expiring_keys() -> None:
    """Wake a worker for every email that is due, after an outage too; periodic."""
    for key_id in expiry.due_warnings():
        warn_of_expiry.delay(key_id)


@shared_task(max_retries=0)
def delete_oauth_leftovers() -> None:
    """Remove expired codes and tokens, and clients that nobody uses; periodic."""
    connections.delete_leftovers()


@shared_task(max_retries=0)
def delete_expired_sessions() -> None:
    """Remove sessions past their time; periodic."""
    sessions.delete_expired_sessions()


@shared_task(max_retries=0)
def delete_lost_photos() -> None:
    """Remove the files of photos that no profile has; periodic."""
    photos.delete_lost_photos()
