"""Comments on listings."""

from collections.abc import Mapping
from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q

from apps.accounts.models import User
from apps.contributions.models import Contribution
from apps.events.recording import Subject

MAX_LENGTH = 2000


class CommentQuerySet(models.QuerySet["Comment"]):
    def visible_to(self, user: User) -> "CommentQuerySet":
        """Return the comments that an account wrote, in any status."""
        return self.filter(author=user)

    def public(self) -> "CommentQuerySet":
        """Return the comments whose text everybody may read, if their listing is public."""
        return self.filter(status=Comment.Status.POSTED)

    def waiting(self) -> "CommentQuerySet":
        """Return the comments that appear once a moderator has read them."""
        return self.filter(status=Comment.Status.IN_REVIEW)


class Comment(Contribution):
    """A comment on a listing, or with a `parent` a reply. A reply to a reply has the same parent."""

    class Status(models.TextChoices):
        IN_REVIEW = "in_review", "In review"
        POSTED = "posted"
        HIDDEN = "hidden"
        REMOVED = "removed"
        DELETED = "deleted"

    class Review(models.TextChoices):
        """Why a moderator reads a comment before it is posted."""

        FIRST = "first", "First comment of the account"
        LINKS = "links", "Links to a website that many comments link to"
        COPIES = "copies", "Same text as other comments"
        CROWD = "crowd", "One of many comments by new accounts"
        REMOVED = "removed", "A comment of the account was removed"
        BLOCKED = "blocked", "Matches the block list"

    TRANSITIONS: ClassVar[Mapping[str, frozenset[str]]] = {
        Status.IN_REVIEW: frozenset({Status.POSTED, Status.REMOVED, Status.DELETED}),
        Status.POSTED: frozenset({Status.IN_REVIEW, Status.HIDDEN, Status.REMOVED, Status.DELETED}),
        Status.HIDDEN: frozenset({Status.POSTED, Status.REMOVED, Status.DELETED}),
        Status.REMOVED: frozenset({Status.POSTED, Status.DELETED}),
        Status.DELETED: frozenset(),
    }
    # Indexes below begin with these.
    listing = models.ForeignKey("listings.Listing", on_delete=models.CASCADE, related_name="comments", db_index=False)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="comments", db_index=False
    )
    parent = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="replies", db_index=False
    )
    reply_to = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="The comment that was replied to: the parent, or another reply to it.",
    )
    text = models.TextField(max_length=MAX_LENGTH, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.IN_REVIEW)
    review_reason = models.CharField(max_length=10, choices=Review, blank=True)
    is_pinned = models.BooleanField(default=False)

    objects: ClassVar = CommentQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["listing"], condition=Q(is_pinned=True), name="one_pinned_comment"),
            models.CheckConstraint(
                condition=Q(is_pinned=False) | Q(parent__isnull=True, status="posted"), name="pinned_comment_is_on_top"
            ),
            models.CheckConstraint(
                condition=Q(status="removed") & ~Q(removed_reason="") | ~Q(status="removed") & Q(removed_reason=""),
                name="comment_is_removed_for_a_reason",
            ),
            models.CheckConstraint(condition=~Q(status="deleted") | Q(text=""), name="deleted_comment_has_no_text"),
            models.CheckConstraint(condition=~Q(parent=models.F("id")), name="comment_is_no_reply_to_itself"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["listing", "-id"], name="comments_of_listing"),
            models.Index(
                fields=["listing", "-is_pinned", "-id"], condition=Q(parent__isnull=True), name="comment_threads"
            ),
            models.Index(fields=["parent", "id"], condition=Q(parent__isnull=False), name="replies_of_comment"),
            models.Index(fields=["author", "-id"], name="comments_of_author"),
            models.Index(fields=["fingerprint", "created_at"], name="comments_by_text"),
            models.Index(fields=["id"], condition=Q(status="in_review"), name="comments_waiting"),
            GinIndex(fields=["hosts"], name="comments_by_link"),
        ]

    def event_subject(self) -> Subject:
        data = {"listing_id": self.listing_id, "reply_to": self.reply_to_id}
        return Subject("comment", self.pk, self.listing.company.owner_id, self.listing.site_id, data)
