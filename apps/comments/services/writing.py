"""Post, edit and delete comments. Only people in the browser do."""

import logging
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from apps.accounts.actors import Actor, only_person
from apps.accounts.models import User
from apps.comments import announcing
from apps.comments.models import MAX_LENGTH, Comment
from apps.comments.services.states import lock_live, move
from apps.contributions import trust
from apps.contributions.names import ensure_name
from apps.contributions.texts import fingerprint_of, hosts_in
from apps.contributions.writing import checked_text, lock
from apps.core.errors import Conflict, Forbidden
from apps.events.recording import record
from apps.listings.models import Listing
from apps.moderation.services.decisions import close_without_decision

logger = logging.getLogger(__name__)

Status = Comment.Status

EDITABLE = timedelta(minutes=15)
MAX_LINKS = 3
MAX_WAITING = 3
# Shorter texts, such as congratulations, may be repeated on other listings.
_LONG = 40


class DuplicateComment(Conflict):
    code = "duplicate_comment"
    title = "Already posted"


class TooManyInReview(Conflict):
    code = "too_many_in_review"
    title = "Comments waiting for review"


class NotReplyable(Conflict):
    code = "not_replyable"
    title = "No reply possible"


class NotEditable(Conflict):
    code = "comment_not_editable"
    title = "Comment not editable"


@transaction.atomic
def post_comment(
    *, listing: Listing, text: str, by: Actor, reply_to: Comment | None = None, name: str = "", is_crowded: bool = False
) -> Comment:
    """Post a comment on a live listing, or put it in review.

    `name` is for accounts that have none yet. A reply to a reply goes below the first comment. Raises Forbidden (403)
    for keys and clients, Unprocessable (422) for the text, and NotCommentable, NotReplyable, DuplicateComment and
    TooManyInReview (409).
    """
    author = only_person(by).account
    text = _checked(text)
    ensure_name(author, name)
    listing = lock_live(listing.pk)
    parent = _parent(listing, reply_to)
    hosts, fingerprint = hosts_in(text), fingerprint_of(text)
    _check_pace(author.pk, listing, text, fingerprint)
    reason = trust.review_reason(
        Comment, by, listing, text=text, hosts=hosts, fingerprint=fingerprint, is_crowded=is_crowded
    )
    comment = Comment(
        listing=listing,
        author=author,
        parent=parent,
        reply_to=reply_to,
        text=text,
        hosts=hosts,
        fingerprint=fingerprint,
        review_reason=reason,
    )
    move(comment, Status.IN_REVIEW if reason else Status.POSTED)
    if comment.is_posted:
        announcing.announce(comment, by=by)
    return comment


@transaction.atomic
def edit_comment(*, comment: Comment, text: str, by: Actor) -> Comment:
    """Change an own comment within 15 minutes. It may go to review. Raises as `post_comment`, and NotEditable (409)."""
    author = only_person(by).account
    text = _checked(text)
    locked = lock(comment)
    if problem := why_not_editable(locked, author.pk):
        raise NotEditable(problem)
    if text == locked.text:
        return locked
    hosts, fingerprint = hosts_in(text), fingerprint_of(text)
    reason = trust.review_reason(
        Comment,
        by,
        locked.listing,
        text=text,
        hosts=hosts,
        fingerprint=fingerprint,
        is_crowded=False,
        ignore=locked.pk,
    )
    # What a moderator approved stays posted, unless the new text calls for another look.
    goes = Status.IN_REVIEW if reason and (hosts or reason != Comment.Review.FIRST) else Status(locked.status)
    values = {"text": text, "hosts": hosts, "fingerprint": fingerprint, "edited_at": timezone.now()}
    if goes == Status.IN_REVIEW:
        values["review_reason"] = reason
    move(locked, goes, **values)
    record("comment.edited", locked.event_subject(), by=by)
    return locked


@transaction.atomic
def delete_comment(*, comment: Comment, by: Actor) -> None:
    """Delete an own comment for good. Its replies stay. Deleting twice is no error. Raises Forbidden (403)."""
    author = only_person(by).account
    locked = lock(comment)
    if locked.author_id != author.pk:
        raise Forbidden("Only the author can delete a comment.")
    erase(locked)


@transaction.atomic
def delete_account_comments(*, account: User) -> None:
    """Delete all comments of an account that is about to be erased. May run again."""
    for comment in Comment.objects.filter(author=account).exclude(status=Status.DELETED).order_by("listing_id", "pk"):
        erase(lock(comment))


def erase(comment: Comment) -> None:
    """Empty a locked comment."""
    close_without_decision("comment", comment.pk)
    emptied = {"text": "", "hosts": [], "fingerprint": "", "removed_reason": "", "review_reason": ""}
    move(comment, Status.DELETED, **emptied)


def why_not_editable(comment: Comment, account_id: int | None) -> str:
    """Return why an account can't edit a comment, as a sentence, or an empty string."""
    if comment.author_id != account_id:
        return "Only the author can edit a comment."
    if comment.status not in {Status.POSTED, Status.IN_REVIEW}:
        return f"The comment is {comment.get_status_display().lower()} and can't be edited."
    if timezone.now() >= comment.created_at + EDITABLE:
        return "You can edit a comment for 15 minutes. Reply to add something."
    return ""


def _parent(listing: Listing, reply_to: Comment | None) -> Comment | None:
    if reply_to is None:
        return None
    result = Comment.objects.select_related("parent").filter(pk=reply_to.pk, listing=listing).first()
    if result is None or not result.is_posted:
        raise NotReplyable("The comment no longer exists.")
    return result.parent or result


def _checked(text: str) -> str:
    return checked_text(text, most=MAX_LENGTH, links=MAX_LINKS, blank="Write a comment.")


def _check_pace(author_id: int, listing: Listing, text: str, fingerprint: str) -> None:
    """Reject repeated texts, and more comments of an account whose others still wait for a moderator."""
    own = Comment.objects.filter(author=author_id)
    same = own.filter(fingerprint=fingerprint, created_at__gt=timezone.now() - trust.DAY)
    if (same if len(text) >= _LONG else same.filter(listing=listing)).exists():
        raise DuplicateComment("You already posted this comment.")
    if own.filter(status=Status.IN_REVIEW).count() >= MAX_WAITING:
        raise TooManyInReview(f"{MAX_WAITING} of your comments are in review. Wait for a moderator to read them.")
