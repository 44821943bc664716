"""Decide about comments that are in review, reported or removed."""

import logging

from django.db import transaction

from apps.accounts.actors import Actor
from apps.comments import announcing
from apps.comments.models import Comment
from apps.comments.services.states import move
from apps.contributions.writing import lock
from apps.core.errors import Conflict
from apps.moderation.emails import notify_removed
from apps.moderation.models import Decision
from apps.moderation.services.decisions import clean_reason, decided, keep_decision

logger = logging.getLogger(__name__)

Status = Comment.Status
Action = Decision.Action


@transaction.atomic
def approve_comment(*, comment: Comment, by: Actor, note: str = "") -> None:
    """Post a comment in review. Once posted, it is no error. Raises Conflict (409)."""
    locked = lock(comment)
    if locked.is_posted:
        return
    if locked.status != Status.IN_REVIEW:
        raise Conflict("Only comments in review can be approved.", code="not_in_review")
    move(locked, Status.POSTED, review_reason="")
    keep_decision("comment", locked, Action.APPROVED, by=by, note=note)
    announcing.tell_author(locked, "approved", by=by)
    # An edited comment was announced when it was first posted.
    if decided("comment", locked.pk, Action.APPROVED) == 1:
        announcing.announce(locked, by=by)


@transaction.atomic
def remove_comment(*, comment: Comment, reason: str, by: Actor, note: str = "") -> None:
    """Remove a comment and email the reason to its author. Raises Unprocessable (422) and IllegalTransition (409)."""
    reason = clean_reason(reason)
    locked = lock(comment)
    if locked.status == Status.REMOVED:
        return
    move(locked, Status.REMOVED, removed_reason=reason, review_reason="")
    notify_removed(keep_decision("comment", locked, Action.REMOVED, by=by, reason=reason, note=note))
    announcing.tell_author(locked, "removed", by=by)
    logger.info("comment removed", extra={"comment": locked.pk, "listing": locked.listing_id})


@transaction.atomic
def restore_comment(*, comment: Comment, by: Actor, note: str = "") -> None:
    """Post a removed comment again. Raises IllegalTransition (409)."""
    locked = lock(comment)
    if locked.status != Status.REMOVED:
        raise Conflict("Only removed comments can be restored.", code="not_removed")
    move(locked, Status.POSTED, removed_reason="")
    keep_decision("comment", locked, Action.RESTORED, by=by, note=note)
    announcing.tell_author(locked, "approved", by=by)
