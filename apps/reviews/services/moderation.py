"""Decide about reviews: approve those in moderation, remove, restore."""

import logging
from datetime import datetime

from django.db import transaction

from apps.accounts.actors import Actor
from apps.contributions.writing import lock
from apps.core.errors import Conflict
from apps.moderation.emails import notify_removed
from apps.moderation.models import Decision
from apps.moderation.services.decisions import clean_reason, decided, keep_decision
from apps.reviews import announcing
from apps.reviews.models import Review
from apps.reviews.services.counting import move

logger = logging.getLogger(__name__)

Status = Review.Status
Action = Decision.Action


@transaction.atomic
def approve_review(*, review: Review, by: Actor, note: str = "") -> None:
    """Post a review in moderation. Once posted, it is no error. Raises IllegalTransition (409)."""
    locked = lock(review)
    if locked.is_posted:
        return
    if locked.status != Status.IN_REVIEW:
        raise Conflict("Only reviews waiting for a moderator can be approved.", code="not_in_review")
    move(locked, Status.POSTED, review_reason="")
    keep_decision("review", locked, Action.APPROVED, by=by, note=note)
    announcing.tell_author(locked, "approved", by=by)
    # An edited review was announced when it was first posted.
    if locked.edited_at is None or decided("review", locked.pk, Action.APPROVED) == 1:
        announcing.announce(locked, by=by)


@transaction.atomic
def remove_review(*, review: Review, reason: str, by: Actor, note: str = "") -> None:
    """Remove a review and email the reason to its author. Raises Unprocessable (422) and IllegalTransition (409)."""
    reason = clean_reason(reason)
    locked = lock(review)
    if locked.status == Status.REMOVED:
        return
    move(locked, Status.REMOVED, removed_reason=reason, review_reason="")
    notify_removed(keep_decision("review", locked, Action.REMOVED, by=by, reason=reason, note=note))
    announcing.tell_author(locked, "removed", by=by)
    logger.info("review removed", extra={"review": locked.pk, "listing": locked.listing_id})


@transaction.atomic
def remove_answer(*, review: Review, reason: str, by: Actor, note: str = "") -> None:
    """Remove the owner's answer and email the reason to them. They may write another one. Twice is no error.

    Raises Unprocessable (422).
    """
    reason = clean_reason(reason)
    locked = lock(review)
    if not locked.answer:
        return
    kept = {"answer": locked.answer, "answered_at": str(locked.answered_at)}
    decision = keep_decision("review_answer", locked, Action.REMOVED, by=by, reason=reason, note=note, kept=kept)
    notify_removed(decision)
    _set_answer(locked, "", None)


@transaction.atomic
def restore_answer(*, decision: Decision, by: Actor, note: str = "") -> None:
    """Undo `remove_answer`. Raises Conflict (409) if the review is gone, or has another answer by now."""
    review = Review.objects.filter(pk=decision.case.object_id).exclude(status=Status.DELETED).first()
    locked = lock(review) if review else None
    if locked is None or locked.answer or locked.status == Status.DELETED:
        raise Conflict("The review was deleted, or has a new answer.", code="not_restorable")
    _set_answer(locked, decision.kept["answer"], datetime.fromisoformat(decision.kept["answered_at"]))
    keep_decision("review_answer", locked, Action.RESTORED, by=by, note=note)


def _set_answer(review: Review, answer: str, answered_at: datetime | None) -> None:
    review.answer, review.answered_at, review.answer_edited_at = answer, answered_at, None
    review.save(update_fields=["answer", "answered_at", "answer_edited_at"])


@transaction.atomic
def restore_review(*, review: Review, by: Actor, note: str = "") -> None:
    """Post a removed review again. Raises Conflict (409) for any other."""
    locked = lock(review)
    if locked.status != Status.REMOVED:
        raise Conflict("Only removed reviews can be restored.", code="not_removed")
    move(locked, Status.POSTED, removed_reason="")
    keep_decision("review", locked, Action.RESTORED, by=by, note=note)
    announcing.tell_author(locked, "approved", by=by)
