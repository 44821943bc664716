"""What the owner of a listing does with its comments: pin, hide and show again."""

from django.db import transaction

from apps.accounts.actors import Actor, only_person
from apps.comments import announcing
from apps.comments.models import Comment
from apps.comments.services.states import move
from apps.contributions.writing import lock
from apps.core.errors import Conflict, Forbidden
from apps.core.stores.valkey import generations
from apps.moderation.models import Decision
from apps.moderation.services.decisions import keep_decision

Status = Comment.Status
Action = Decision.Action


class NotPinnable(Conflict):
    code = "not_pinnable"
    title = "Comment not pinnable"


@transaction.atomic
def pin_comment(*, comment: Comment, by: Actor) -> None:
    """Show a comment first, instead of the one that was pinned. Raises Forbidden (403) and NotPinnable (409)."""
    locked = _lock_as_owner(comment, by)
    if locked.parent_id is not None or not locked.is_posted:
        raise NotPinnable("You can only pin visible comments, not replies.")
    # The listing's lock lets nobody else pin meanwhile.
    with generations.only(locked.generations):
        Comment.objects.filter(listing=locked.listing_id, is_pinned=True).update(is_pinned=False)
    locked.is_pinned = True
    locked.save(update_fields=["is_pinned"])


@transaction.atomic
def unpin_comment(*, comment: Comment, by: Actor) -> None:
    """Show a comment in its place again. Doing it twice is no error."""
    locked = _lock_as_owner(comment, by)
    locked.is_pinned = False
    locked.save(update_fields=["is_pinned"])


@transaction.atomic
def hide_comment(*, comment: Comment, by: Actor) -> None:
    """Hide a comment's text from the public. The page says that the owner did. Raises IllegalTransition (409)."""
    locked = _lock_as_owner(comment, by)
    if locked.status == Status.HIDDEN:
        return
    move(locked, Status.HIDDEN)
    keep_decision("comment", locked, Action.HIDDEN, by=by)
    if locked.author_id != by.account.pk:
        announcing.tell_author(locked, "hidden", by=by)


@transaction.atomic
def show_comment(*, comment: Comment, by: Actor) -> None:
    """Show a comment that the owner hid. Raises IllegalTransition (409), and Forbidden (403) for removed ones."""
    locked = _lock_as_owner(comment, by)
    if locked.status == Status.POSTED:
        return
    if locked.status != Status.HIDDEN:
        raise Forbidden("Only a moderator can show this comment again.")
    move(locked, Status.POSTED)
    keep_decision("comment", locked, Action.SHOWN, by=by)


def _lock_as_owner(comment: Comment, by: Actor) -> Comment:
    locked = lock(comment)
    if locked.listing.company.owner_id != only_person(by).account.pk:
        raise Forbidden("Only the owner of the listing can do this.")
    return locked
