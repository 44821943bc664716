"""Report comments, and decide about those in review and reported ones."""

import logging

from django.db import transaction
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.comments import announcing
from apps.comments.models import Comment, CommentDecision, CommentReport
from apps.comments.services.states import move
from apps.contributions.models import MAX_REASON_LENGTH
from apps.contributions.writing import keep_decision, lock, only_person
from apps.core.api.serializers import clean_text
from apps.core.errors import Conflict, Unprocessable

logger = logging.getLogger(__name__)

Status = Comment.Status
Action = CommentDecision.Action


class NotReportable(Conflict):
    code = "not_reportable"
    title = "Comment not reportable"


@transaction.atomic
def report_comment(*, comment: Comment, reason: str, note: str = "", by: Actor) -> None:
    """Put a visible comment into the moderators' queue. Reporting twice is no error. Raises NotReportable (409)."""
    reporter = only_person(by).account
    note = clean_text(note)
    if reason not in CommentReport.Reason.values:
        raise Unprocessable("Choose a reason.", code="invalid_choice", pointer="/reason")
    if len(note) > MAX_REASON_LENGTH:
        raise Unprocessable(f"Use up to {MAX_REASON_LENGTH} characters.", code="max_length", pointer="/note")
    locked = lock(comment)
    if not locked.is_posted or locked.author_id == reporter.pk:
        raise NotReportable("This comment can't be reported.")
    if locked.reports.filter(reporter=reporter).exists():
        return
    CommentReport.objects.create(comment=locked, reporter=reporter, reason=reason, note=note)
    locked.open_reports += 1
    locked.save(update_fields=["open_reports"])


@transaction.atomic
def approve_comment(*, comment: Comment, by: Actor, note: str = "") -> None:
    """Post a comment in review, or keep a reported one. Closes its reports. Raises IllegalTransition (409)."""
    locked = lock(comment)
    was = locked.status
    _close_reports(locked)
    if was != Status.IN_REVIEW:
        locked.save(update_fields=["open_reports"])
        keep_decision(locked, Action.KEPT, by=by, note=note)
        return
    move(locked, Status.POSTED, review_reason="")
    keep_decision(locked, Action.APPROVED, by=by, note=note)
    announcing.tell_author(locked, "approved", by=by)
    # An edited comment was announced when it was first posted.
    if locked.decisions.filter(action=Action.APPROVED).count() == 1:
        announcing.announce(locked, by=by)


@transaction.atomic
def remove_comment(*, comment: Comment, reason: str, by: Actor, note: str = "") -> None:
    """Remove a comment and email the reason to its author. Raises Unprocessable (422) and IllegalTransition (409)."""
    reason = clean_text(reason)[:MAX_REASON_LENGTH]
    if not reason:
        raise Unprocessable("Write a reason.", code="blank", pointer="/reason")
    locked = lock(comment)
    if locked.status == Status.REMOVED:
        return
    _close_reports(locked)
    move(locked, Status.REMOVED, removed_reason=reason, review_reason="")
    keep_decision(locked, Action.REMOVED, by=by, reason=reason, note=note)
    announcing.tell_author(locked, "removed", by=by)
    logger.info("comment removed", extra={"comment": locked.pk, "listing": locked.listing_id})


@transaction.atomic
def restore_comment(*, comment: Comment, by: Actor, note: str = "") -> None:
    """Post a removed comment again. Raises IllegalTransition (409)."""
    locked = lock(comment)
    if locked.status != Status.REMOVED:
        raise Conflict("Only removed comments can be restored.", code="not_removed")
    move(locked, Status.POSTED, removed_reason="")
    keep_decision(locked, Action.RESTORED, by=by, note=note)
    announcing.tell_author(locked, "approved", by=by)


def _close_reports(comment: Comment) -> None:
    comment.reports.filter(closed_at__isnull=True).update(closed_at=timezone.now())
    comment.open_reports = 0
