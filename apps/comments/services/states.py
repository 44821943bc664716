"""Lock comments and move them between their states, with the listing's number of posted comments."""

from typing import Any

from django.db.models import F

from apps.comments.models import Comment
from apps.core.errors import Conflict
from apps.core.stores.valkey import generations
from apps.core.stores.valkey.generations import listing_name
from apps.listings.models import Listing

Status = Comment.Status


class NotCommentable(Conflict):
    code = "not_commentable"
    title = "Comments closed"


class CommentChanged(Conflict):
    code = "comment_changed"
    title = "The comment has changed"


def lock_live(listing_id: int) -> Listing:
    """Lock a live listing for a change of its comments. Raises NotCommentable (409) for any other."""
    listing = _lock(listing_id)
    if listing.status != Listing.Status.LIVE:
        raise NotCommentable("Only live listings take comments.")
    return listing


def lock_comment(comment: Comment) -> Comment:
    """Lock a comment and, before it, its listing, so that two changes never wait for each other.

    Raises CommentChanged (409) if a merge has just moved it to another listing.
    """
    listing = _lock(comment.listing_id)
    locked = Comment.objects.select_for_update().filter(pk=comment.pk, listing=listing).first()
    if locked is None:
        raise CommentChanged("The comment was just moved or deleted. Reload the page.")
    locked.listing = listing
    return locked


def move(comment: Comment, status: Comment.Status, **fields: Any) -> None:
    """Move a locked or new comment with its other `fields`, and count it.

    Raises IllegalTransition (409).
    """
    was_posted = comment.is_posted and comment.pk is not None
    comment.move_to(status, **fields, is_pinned=comment.is_pinned and status == Status.POSTED)
    if comment.is_posted != was_posted:
        count(comment.listing_id, 1 if comment.is_posted else -1)


def count(listing_id: int, number: int) -> None:
    """Add to a listing's number of posted comments. Lists show it a few seconds later, like votes."""
    with generations.only(lambda: [listing_name(listing_id)]):
        Listing.objects.filter(pk=listing_id).update(comment_count=F("comment_count") + number)


def _lock(listing_id: int) -> Listing:
    # Joined rows would be stale after waiting for the lock.
    Listing.objects.select_for_update(no_key=True).only("pk").get(pk=listing_id)
    return Listing.objects.select_related("company__owner", "site").get(pk=listing_id)
