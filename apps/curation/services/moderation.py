"""Approve, remove and restore collections."""

import logging

from django.db import transaction

from apps.accounts.actors import Actor
from apps.core.errors import Conflict
from apps.curation.models import Collection
from apps.curation.services.states import lock_collection, move
from apps.moderation.emails import notify_removed
from apps.moderation.models import Decision
from apps.moderation.services.decisions import clean_reason, keep_decision

logger = logging.getLogger(__name__)

Status = Collection.Status
Action = Decision.Action


@transaction.atomic
def approve_collection(*, collection: Collection, by: Actor, note: str = "") -> None:
    """Publish a collection in review. Raises Conflict (409) for any other."""
    locked = lock_collection(collection)
    if locked.status != Status.IN_REVIEW:
        raise Conflict("Only collections in review can be approved.", code="not_in_review")
    _publish(locked, Action.APPROVED, by=by, note=note)


@transaction.atomic
def restore_collection(*, collection: Collection, by: Actor, note: str = "") -> None:
    """Publish a removed collection again. Raises Conflict (409) for any other."""
    locked = lock_collection(collection)
    if locked.status != Status.REMOVED:
        raise Conflict("Only removed collections can be restored.", code="not_removed")
    _publish(locked, Action.RESTORED, by=by, note=note)


@transaction.atomic
def remove_collection(*, collection: Collection, reason: str, by: Actor, note: str = "") -> None:
    """Take a collection down and email the reason to its author, who still sees it.

    Raises Unprocessable (422), and IllegalTransition (409) for private ones.
    """
    reason = clean_reason(reason)
    locked = lock_collection(collection)
    if locked.status == Status.REMOVED:
        return
    move(locked, Status.REMOVED, removed_reason=reason, review_reason="")
    notify_removed(keep_decision("collection", locked, Action.REMOVED, by=by, reason=reason, note=note))
    logger.info("collection removed", extra={"collection": locked.pk})


def _publish(collection: Collection, action: Decision.Action, *, by: Actor, note: str) -> None:
    move(collection, Status.PUBLIC, review_reason="", removed_reason="")
    keep_decision("collection", collection, action, by=by, note=note)
