"""Decide about reviews: approve those in moderation, remove, restore."""

import logging

from django.db import transaction

from apps.accounts.actors import Actor
from apps.contributions.models import MAX_REASON_LENGTH
from apps.contributions.writing import keep_decision, lock
from apps.core.api.serializers import clean_text
from apps.core.errors import Conflict, Unprocessable
from apps.reviews import announcing
from apps.reviews.models import Review, ReviewDecision
from apps.reviews.services.counting import move

logger = logging.getLogger(__name__)

Status = Review.Status
Action = ReviewDecision.Action


@transaction.atomic
def approve_review(*, review: Review, by: Actor, note: str = "") -> None:
    """Post a review in moderation. Once posted, it is no error. Raises IllegalTransition (409)."""
    locked = lock(review)
    if locked.is_posted:
        return
    if locked.status != Status.IN_REVIEW:
        raise Conflict("Only reviews in moderation can be approved.", code="not_in_review")
    move(locked, Status.POSTED, review_reason="")
    keep_decision(locked, Action.APPROVED, by=by, note=note)
    announcing.tell_author(locked, "approved", by=by)
    # An edited review was announced when it was first posted.
    if locked.edited_at is None or locked.decisions.filter(action=Action.APPROVED).count() == 1:
        announcing.announce(locked, by=by)


@transaction.atomic
def remove_review(*, review: Review, reason: str, by: Actor, note: str = "") -> None:
    """Remove a review and email the reason to its author. Raises Unprocessable (422) and IllegalTransition (409)."""
    reason = _reason(reason)
    locked = lock(review)
    if locked.status == Status.REMOVED:
        return
    move(locked, Status.REMOVED, removed_reason=reason, review_reason="")
    keep_decision(locked, Action.REMOVED, by=by, reason=reason, note=note)
    announcing.tell_author(locked, "removed", by=by)
    logger.info("review removed", extra={"review": locked.pk, "listing": locked.listing_id})


@transaction.atomic
def remove_answer(*, review: Review, reason: str, by: Actor, note: str = "") -> None:
    """Remove the owner's answer and email the reason to them. They may write another one. Twice is no error.

    Raises Unprocessable (422).
    """
    reason = _reason(reason)
    locked = lock(review)
    if not locked.answer:
        return
    announcing.tell_owner_of_removal(locked, reason=reason)
    locked.answer, locked.answered_at, locked.answer_edited_at = "", None, None
    locked.save(update_fields=["answer", "answered_at", "answer_edited_at"])
    keep_decision(locked, Action.UNANSWERED, by=by, reason=reason, note=note)


@transaction.atomic
def restore_review(*, review: Review, by: Actor, note: str = "") -> None:
    """Post a removed review again. Raises Conflict (409) for any other."""
    locked = lock(review)
    if locked.status != Status.REMOVED:
        raise Conflict("Only removed reviews can be restored.", code="not_removed")
    move(locked, Status.POSTED, removed_reason="")
    keep_decision(locked, Action.RESTORED, by=by, note=note)
    announcing.tell_author(locked, "approved", by=by)


def _reason(text: str) -> str:
    reason = clean_text(text)[:MAX_REASON_LENGTH]
    if not reason:
        raise Unprocessable("Write a reason.", code="blank", pointer="/reason")
    return reason
