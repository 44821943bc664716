"""Move comments between their states, with the listing's number of posted comments."""

from typing import Any

from django.db.models import F

from apps.comments.models import Comment
from apps.contributions.writing import lock_listing
from apps.core.errors import Conflict
from apps.core.stores.valkey import generations
from apps.core.stores.valkey.generations import listing_name
from apps.listings.models import Listing

Status = Comment.Status


class NotCommentable(Conflict):
    code = "not_commentable"
    title = "Comments closed"


def lock_live(listing_id: int) -> Listing:
    """Lock a live listing for a change of its comments. Raises NotCommentable (409) for any other."""
    listing = lock_listing(listing_id)
    if listing.status != Listing.Status.LIVE:
        raise NotCommentable("You can only comment on live listings.")
    return listing


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
