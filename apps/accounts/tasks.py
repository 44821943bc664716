"""Background work of accounts."""

from celery import shared_task

from apps.accounts.api_keys import expiry
from apps.accounts.founders import photos
from apps.accounts.oauth import connections
from apps.accounts.sign_in import sessions


@shared_task(max_retries=0)
def warn_of_expiry(key_id: int) -> None:
    """Send the email before a key expires. Celery never retries it: the sweep finds failures."""
    expiry.warn_of_expiry(key_id)


@shared_task(max_retries=0)
def warn_of_expiring_keys() -> None:
    """Queue every due expiry email, also after an outage. Periodic."""
    for key_id in expiry.due_warnings():
        warn_of_expiry.delay(key_id)


@shared_task(max_retries=0)
def delete_oauth_leftovers() -> None:
    """Delete expired codes and tokens, and unused clients. Periodic."""
    connections.delete_leftovers()


@shared_task(max_retries=0)
def delete_expired_sessions() -> None:
    """Delete expired sessions. Periodic."""
    sessions.delete_expired_sessions()


@shared_task(max_retries=0)
def delete_lost_photos() -> None:
    """Delete photo files without a profile. Periodic."""
    photos.delete_lost_photos()
