"""Background work of accounts."""

import logging

from celery import shared_task

from apps.accounts.api_keys import expiry
from apps.accounts.founders import photos
from apps.accounts.oauth import connections
from apps.accounts.own_data import deletion, exports
from apps.accounts.sign_in import sessions
from apps.core.errors import DomainError

logger = logging.getLogger(__name__)


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


@shared_task(max_retries=0)
def make_data_export(export_id: int) -> None:
    """Write a requested data export. The sweep retries failures."""
    exports.make_data_export(export_id)


@shared_task(max_retries=0)
def erase_account(user_id: int) -> None:
    """Erase an account after its 14 days. If something blocks it, such as a payment, the sweep tries again."""
    try:
        deletion.erase_account(user_id)
    except DomainError as error:
        logger.warning("an account can't be erased yet", extra={"account": user_id, "reason": error.code})


@shared_task(max_retries=0)
def process_own_data() -> None:
    """Queue missing exports and due deletions, and delete expired exports. Periodic."""
    for export_id in exports.unmade_exports():
        make_data_export.delay(export_id)
    for user_id in deletion.due_deletions():
        erase_account.delay(user_id)
    exports.delete_expired_exports()
