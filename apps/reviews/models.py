"""Reviews of listings, their history, and what proves that somebody uses a product."""

from collections.abc import Mapping
from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from apps.accounts.models import SIGN_UP_NETWORK_LENGTH, User
from apps.contributions.models import Contribution
from apps.core.versions.models import Version
from apps.events.recording import Subject

MIN_LENGTH, MAX_LENGTH = 50, 4000
MAX_ANSWER_LENGTH = 2000
MAX_LABEL_LENGTH = 60
CODE_LENGTH = 10
STARS = (1, 2, 3, 4, 5)


class ReviewLink(models.Model):
    """A link or code that an owner gives to customers. It verifies the reviews that are written with it."""

    listing = models.ForeignKey("listings.Listing", on_delete=models.CASCADE, related_name="review_links")
    code = models.CharField(max_length=CODE_LENGTH, unique=True, editable=False)
    label = models.CharField(max_length=MAX_LABEL_LENGTH, blank=True, help_text="The owner's own note.")
    max_uses = models.PositiveIntegerField(null=True, blank=True)
    uses = models.PositiveIntegerField(default=0)
    network = models.CharField(
        max_length=SIGN_UP_NETWORK_LENGTH,
        blank=True,
        editable=False,
        help_text="Keyed digest of the owner's network. Reviews from the same one stay unverified.",
    )
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(max_uses__isnull=True) | Q(uses__lte=F("max_uses")), name="review_link_is_not_overused"
            )
        ]

    def __str__(self) -> str:
        return self.label or f"Link {self.pk}"


class CustomerDomain(models.Model):
    """An email domain whose people use the product, by the word of its owner."""

    listing = models.ForeignKey("listings.Listing", on_delete=models.CASCADE, related_name="customer_domains")
    domain = models.CharField(max_length=253)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["domain"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["listing", "domain"], name="one_customer_domain_per_listing")
        ]

    def __str__(self) -> str:
        return self.domain


class ReviewQuerySet(models.QuerySet["Review"]):
    def visible_to(self, user: User) -> "ReviewQuerySet":
        """Return the reviews that an account wrote, in any status."""
        return self.filter(author=user)

    def in_order(self) -> "ReviewQuerySet":
        """Order verified ones first, then by date, newest first. The listing's index has this order."""
        return self.order_by("-is_verified", "-pk")


class Review(Contribution):
    """What a person thinks of a listing: 1 to 5 stars, a text, and the one answer of the owner.

    A review that was verified stays so, whatever the owner does with links and domains later.
    """

    class Status(models.TextChoices):
        IN_REVIEW = "in_review", "In review"
        POSTED = "posted"
        REMOVED = "removed"
        DELETED = "deleted"

    class Wait(models.TextChoices):
        """Why a moderator reads a review before it is posted."""

        FIRST = "first", "First review of the account"
        LINKS = "links", "Links to a website that many reviews link to"
        COPIES = "copies", "Same text as other reviews"
        CROWD = "crowd", "One of many reviews by new accounts"
        REMOVED = "removed", "A review of the account was removed"
        BLOCKED = "blocked", "Matches the block list"

    class Proof(models.TextChoices):
        """How the author proved to be a customer."""

        LINK = "link", "Link or code of the owner"
        DOMAIN = "domain", "Email domain of a customer"

    TRANSITIONS: ClassVar[Mapping[str, frozenset[str]]] = {
        Status.IN_REVIEW: frozenset({Status.POSTED, Status.REMOVED, Status.DELETED}),
        Status.POSTED: frozenset({Status.IN_REVIEW, Status.REMOVED, Status.DELETED}),
        Status.REMOVED: frozenset({Status.POSTED, Status.DELETED}),
        Status.DELETED: frozenset(),
    }

    # Indexes below begin with these.
    listing = models.ForeignKey("listings.Listing", on_delete=models.CASCADE, related_name="reviews", db_index=False)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reviews", db_index=False
    )
    rating = models.PositiveSmallIntegerField(null=True, help_text="1 to 5 stars. Empty once deleted.")
    text = models.TextField(max_length=MAX_LENGTH, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.IN_REVIEW)
    review_reason = models.CharField(max_length=10, choices=Wait, blank=True)
    is_verified = models.BooleanField(default=False)
    proof = models.CharField(max_length=10, choices=Proof, blank=True)
    link = models.ForeignKey(ReviewLink, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    answer = models.TextField(max_length=MAX_ANSWER_LENGTH, blank=True, help_text="Of the listing's owner.")
    answered_at = models.DateTimeField(null=True, blank=True)
    answer_edited_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar = ReviewQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["listing", "author"], condition=~Q(status="deleted"), name="one_review_per_person_and_listing"
            ),
            models.CheckConstraint(
                condition=Q(status="deleted", rating__isnull=True, text="", answer="")
                | ~Q(status="deleted") & Q(rating__gte=1, rating__lte=5),
                name="review_has_1_to_5_stars",
            ),
            models.CheckConstraint(
                condition=Q(is_verified=True) & ~Q(proof="") | Q(is_verified=False, proof=""),
                name="verified_review_has_a_proof",
            ),
            models.CheckConstraint(
                condition=Q(status="removed") & ~Q(removed_reason="") | ~Q(status="removed") & Q(removed_reason=""),
                name="review_is_removed_for_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(answer="", answered_at__isnull=True) | ~Q(answer="") & Q(answered_at__isnull=False),
                name="answer_of_review_has_a_time",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["listing", "-is_verified", "-id"], name="reviews_of_listing"),
            models.Index(fields=["author", "-id"], name="reviews_of_author"),
            models.Index(fields=["fingerprint", "created_at"], name="reviews_by_text"),
            models.Index(fields=["id"], condition=Q(status="in_review"), name="reviews_waiting"),
            GinIndex(fields=["hosts"], name="reviews_by_link"),
        ]

    def event_subject(self) -> Subject:
        data = {"listing_id": self.listing_id, "rating": self.rating, "is_verified": self.is_verified}
        return Subject("review", self.pk, self.listing.company.owner_id, self.listing.site_id, data)


class ReviewVersion(Version):
    """What a review said, for moderators. Its first version has no changes."""

    review = models.ForeignKey(Review, on_delete=models.CASCADE, related_name="versions")

    def __str__(self) -> str:
        return f"Version {self.pk} of review {self.review_id}"
