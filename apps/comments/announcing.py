"""Tell people about comments: events, which are also notifications, and optional emails."""

from typing import Any

from django.urls import reverse
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import NotificationKind, User
from apps.accounts.notifications.services import put_optional
from apps.comments.models import Comment
from apps.contributions.names import public_name
from apps.contributions.writing import subject_for
from apps.events.recording import record


def announce(comment: Comment, *, by: Actor) -> None:
    """Notify the listing's owner and the author of the comment that was replied to, in the caller's transaction.

    The move to `posted` is the owner's event. Each gets at most one email an hour about a listing.
    """
    owner = comment.listing.company.owner
    if comment.author_id != owner.pk:
        _email(comment, owner, "posted")
    replied = comment.reply_to
    if replied is None or replied.author_id in {owner.pk, comment.author_id}:
        return
    record("reply.posted", subject_for(comment, replied.author_id), by=by)
    _email(comment, replied.author, "reply")


def tell_author(comment: Comment, action: str, *, by: Actor) -> None:
    """Notify the author of a decision."""
    record(f"own_comment.{action}", subject_for(comment, comment.author_id), by=by)


def page_url(comment: Comment) -> str:
    """Return the absolute URL of a comment with its replies."""
    return comment.listing.site.url(page_path(comment))


def page_path(comment: Comment) -> str:
    """Return the same on its site."""
    thread = comment.parent_id or comment.pk
    return f"{reverse('comment', args=[comment.listing.slug, thread])}#comment-{comment.pk}"


def _email(comment: Comment, to: User, name: str) -> None:
    hour = f"{timezone.now():%Y%m%d%H}"
    put_optional(
        NotificationKind.COMMENTS,
        to=to,
        key=f"comments-{name}-{comment.listing_id}-{to.pk}-{hour}",
        name=f"comments/emails/{name}",
        context=_context(comment),
        site=comment.listing.site,
    )


def _context(comment: Comment) -> dict[str, Any]:
    listing = comment.listing
    return {
        "listing": listing,
        "site": listing.site,
        "author_name": public_name(comment.author),
        "text": comment.text,
        "page_url": page_url(comment),
    }
