"""Approve, remove and restore collections. The event log has who did."""

import logging

from django.db import transaction

from apps.contributions.texts import clean_writing
from apps.core.errors import Conflict, Unprocessable
from apps.curation import announcing
from apps.curation.models import MAX_REASON, Collection
from apps.curation.services.states import lock_collection, move

logger = logging.getLogger(__name__)

Status = Collection.Status


@transaction.atomic
def approve_collection(*, collection: Collection) -> None:
    """Publish a collection in review. Raises Conflict (409) for any other."""
    _publish(collection, Status.IN_REVIEW, "Only collections in review can be approved.")


@transaction.atomic
def restore_collection(*, collection: Collection) -> None:
    """Publish a removed collection again. Raises Conflict (409) for any other."""
    _publish(collection, Status.REMOVED, "Only removed collections can be restored.")


@transaction.atomic
def remove_collection(*, collection: Collection, reason: str) -> None:
    """Take a collection down and email the reason to its author, who still sees it.

    Raises Unprocessable (422), and IllegalTransition (409) for private ones.
    """
    reason = clean_writing(reason)[:MAX_REASON]
    if not reason:
        raise Unprocessable("Write a reason.", code="blank", pointer="/reason")
    locked = lock_collection(collection)
    if locked.status == Status.REMOVED:
        return
    move(locked, Status.REMOVED, removed_reason=reason, review_reason="")
    announcing.email_removal(locked)
    logger.info("collection removed", extra={"collection": locked.pk})


def _publish(collection: Collection, status: Collection.Status, refusal: str) -> None:
    locked = lock_collection(collection)
    if locked.status != status:
        raise Conflict(refusal)
    move(locked, Status.PUBLIC, review_reason="", removed_reason="")
