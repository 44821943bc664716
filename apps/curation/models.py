"""Collections of listings, which people put in order, and who follows them."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import User
from apps.core.states import HasStates
from apps.core.stores.valkey.generations import COLLECTIONS, collection_name, listing_name
from apps.core.stores.valkey.watch import PublicRow
from apps.events.recording import Subject
from apps.moderation.models import MAX_REASON

MIN_NAME, MAX_NAME = 3, 60
MAX_DESCRIPTION = 500
MAX_NOTE = 280
# Collections of a person, listings in one, and collections that a person follows.
MAX_COLLECTIONS, MAX_ITEMS, MAX_FOLLOWED = 100, 200, 100


class CollectionQuerySet(models.QuerySet["Collection"]):
    def visible_to(self, user: User | AnonymousUser) -> "CollectionQuerySet":
        """Return the public collections, and an account's own in any status."""
        return self.filter(Q(status=Collection.Status.PUBLIC) | Q(author=user.pk))

    def public(self) -> "CollectionQuerySet":
        return self.filter(status=Collection.Status.PUBLIC)

    def waiting(self) -> "CollectionQuerySet":
        """Return what waits for a moderator."""
        return self.filter(status=Collection.Status.IN_REVIEW)


class Collection(HasStates, PublicRow):
    """Listings of one site that a person chose and put in order.

    `hosts` and `fingerprint` are what its texts have in common with floods of others. `slug` is part of its URL and
    never changes. Followers know what was added until `announced_at`.
    """

    class Status(models.TextChoices):
        PRIVATE = "private"
        IN_REVIEW = "in_review", "In review"
        PUBLIC = "public"
        REMOVED = "removed"

    class Review(models.TextChoices):
        """Why a moderator reads a collection before it is public."""

        FIRST = "first", "First public collection of the account"
        LINKS = "links", "Links to a website that many collections link to"
        COPIES = "copies", "Same text as other collections"
        REMOVED = "removed", "A collection or comment of the account was removed"
        BLOCKED = "blocked", "Matches the block list"

    TRANSITIONS: ClassVar[Mapping[str, frozenset[str]]] = {
        Status.PRIVATE: frozenset({Status.IN_REVIEW, Status.PUBLIC}),
        Status.IN_REVIEW: frozenset({Status.PRIVATE, Status.PUBLIC, Status.REMOVED}),
        Status.PUBLIC: frozenset({Status.PRIVATE, Status.IN_REVIEW, Status.REMOVED}),
        Status.REMOVED: frozenset({Status.PUBLIC}),
    }
    # A private collection is nobody else's business.
    announces_start = False

    # Indexes below begin with these.
    site = models.ForeignKey("sites.Site", on_delete=models.PROTECT, related_name="collections", db_index=False)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="collections", db_index=False
    )
    name = models.CharField(max_length=MAX_NAME)
    slug = models.SlugField(max_length=80, db_index=False)
    description = models.TextField(max_length=MAX_DESCRIPTION, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.PRIVATE)
    review_reason = models.CharField(max_length=10, choices=Review, blank=True)
    removed_reason = models.CharField(
        max_length=MAX_REASON, blank=True, help_text="Why a moderator removed it. Emailed to its author."
    )
    follower_count = models.PositiveIntegerField(default=0, editable=False)
    hosts = ArrayField(models.CharField(max_length=253), default=list, blank=True, editable=False)
    fingerprint = models.CharField(max_length=64, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now)
    changed_at = models.DateTimeField(default=timezone.now, help_text="When its texts or listings last changed.")
    published_at = models.DateTimeField(null=True, blank=True, help_text="When it was first public.")
    extended_at = models.DateTimeField(default=timezone.now, editable=False, help_text="When a listing was last added.")
    announced_at = models.DateTimeField(default=timezone.now, editable=False)

    objects: ClassVar = CollectionQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["author", "slug"], name="one_collection_per_person_and_slug"),
            models.CheckConstraint(
                condition=Q(status="removed") & ~Q(removed_reason="") | ~Q(status="removed") & Q(removed_reason=""),
                name="collection_is_removed_for_a_reason",
            ),
            models.CheckConstraint(
                condition=~Q(status="public") | Q(published_at__isnull=False), name="public_collection_was_published"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["site", "-published_at", "-id"], condition=Q(status="public"), name="collections_newest"
            ),
            models.Index(
                fields=["site", "-follower_count", "-id"], condition=Q(status="public"), name="collections_followed"
            ),
            models.Index(fields=["site", "-changed_at"], condition=Q(status="public"), name="collections_changed"),
            models.Index(fields=["id"], condition=Q(status="in_review"), name="collections_waiting"),
            models.Index(
                fields=["announced_at"],
                condition=Q(status="public", follower_count__gt=0, extended_at__gt=F("announced_at")),
                name="collections_to_announce",
            ),
            models.Index(fields=["changed_at", "fingerprint"], name="collections_by_text"),
            GinIndex(fields=["hosts"], name="collections_by_link"),
        ]

    def __str__(self) -> str:
        return self.name

    def generations(self) -> tuple[str, ...]:
        if self.Status.PUBLIC not in {self.status, self.leaves}:
            return ()
        listings = self.items.values_list("listing_id", flat=True)
        return COLLECTIONS, collection_name(self.pk), *map(listing_name, listings)

    def event_subject(self) -> Subject:
        return Subject("collection", self.pk, self.author_id, self.site_id, {"slug": self.slug})

    @property
    def is_public(self) -> bool:
        return self.status == self.Status.PUBLIC

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of its URLs."""
        return {"pk": self.pk, "slug": self.slug}

    @property
    def path(self) -> str:
        return reverse("collection", kwargs=self.arguments)

    @property
    def edit_path(self) -> str:
        return reverse("edit_collection", kwargs=self.arguments)

    @property
    def page_url(self) -> str:
        return self.site.url(self.path)


class CollectionItem(PublicRow):
    """A listing in a collection. It stays while the listing isn't public, and is shown when that is live again."""

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="items", db_index=False)
    listing = models.ForeignKey("listings.Listing", on_delete=models.CASCADE, related_name="collection_items")
    note = models.CharField(max_length=MAX_NOTE, blank=True)
    position = models.PositiveIntegerField()
    added_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["position", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["collection", "listing"], name="one_item_per_collection_and_listing")
        ]
        indexes: ClassVar = [models.Index(fields=["collection", "position", "id"], name="collection_in_order")]

    def __str__(self) -> str:
        return f"{self.listing_id} in {self.collection_id}"

    def generations(self) -> tuple[str, ...]:
        if not self.collection.is_public:
            return ()
        return COLLECTIONS, collection_name(self.collection_id), listing_name(self.listing_id)


class CollectionFollow(models.Model):
    """A person's wish to hear of what is added to a collection."""

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="follows", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="collection_follows")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["collection", "user"], name="one_follow_per_person_and_collection")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} follows {self.collection_id}"
