from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from apps.accounts.models import FounderProfile, User
from apps.core.stores.valkey.generations import LISTS, listing_name
from apps.core.stores.valkey.watch import PublicRow


class PostedUpdates(models.Manager["Update"]):
    """The updates that are not deleted."""

    def get_queryset(self) -> models.QuerySet["Update"]:
        return super().get_queryset().filter(deleted_at__isnull=True)


class Update(PublicRow):
    """News that an owner posted. A deleted update keeps its row, without its text, because it counts for the limit."""

    listing = models.ForeignKey("listings.Listing", on_delete=models.CASCADE, related_name="updates")
    title = models.CharField(max_length=120)
    body = models.TextField(max_length=4000)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)
    notified_through = models.BigIntegerField(
        default=0, editable=False, help_text="The last follower whose email is in the outbox."
    )
    notified_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When all followers' emails were in the outbox."
    )
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects: ClassVar = PostedUpdates()
    with_deleted: ClassVar = models.Manager()

    class Meta:
        ordering: ClassVar = ["-created_at", "-id"]
        indexes: ClassVar = [
            models.Index(fields=["id"], condition=models.Q(notified_at__isnull=True), name="updates_to_notify"),
        ]

    def __str__(self) -> str:
        return self.title

    def generations(self) -> tuple[str, ...]:
        return listing_name(self.listing_id), LISTS


class Milestone(PublicRow):
    """Something a company achieved, with its day."""

    listing = models.ForeignKey("listings.Listing", on_delete=models.CASCADE, related_name="milestones")
    date = models.DateField()
    title = models.CharField(max_length=120)
    description = models.TextField(max_length=1000, blank=True)
    url = models.URLField("URL", max_length=500, blank=True)

    class Meta:
        ordering: ClassVar = ["-date", "-id"]

    def __str__(self) -> str:
        return self.title

    def generations(self) -> tuple[str, ...]:
        return (listing_name(self.listing_id),)


class FollowQuerySet(models.QuerySet["Follow"]):
    def visible_to(self, user: User) -> "FollowQuerySet":
        """What an account follows."""
        return self.filter(user=user)


class Follow(models.Model):
    """A person's wish to hear of a listing's updates, or of a founder's launches."""

    listing = models.ForeignKey("listings.Listing", null=True, on_delete=models.CASCADE, related_name="follows")
    founder = models.ForeignKey(FounderProfile, null=True, on_delete=models.CASCADE, related_name="follows")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="follows")
    created_at = models.DateTimeField(default=timezone.now)

    objects: ClassVar = FollowQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["listing", "user"], name="one_follow_per_person_and_listing"),
            models.UniqueConstraint(fields=["founder", "user"], name="one_follow_per_person_and_founder"),
            models.CheckConstraint(
                condition=models.Q(listing__isnull=False, founder__isnull=True)
                | models.Q(listing__isnull=True, founder__isnull=False),
                name="follow_is_of_a_listing_or_a_founder",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} follows {self.listing_id or self.founder_id}"
