from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.utils import timezone

from apps.accounts.models import User
from apps.core.states import HasStates
from apps.core.stores.valkey.generations import LISTS, listing_name, site_name
from apps.core.stores.valkey.watch import PublicRow
from apps.core.text.weeks import Week
from apps.events.recording import Subject

# Fewer verified reviews have no average.
MIN_RATINGS = 5


class ListingQuerySet(models.QuerySet["Listing"]):
    def visible_to(self, user: User | models.Expression) -> "ListingQuerySet":
        """The listings an account owns, in any status."""
        return self.filter(company__owner=user)

    def public(self) -> "ListingQuerySet":
        """Return listings that visitors see."""
        return self.filter(status=Listing.Status.LIVE)

    def upcoming(self) -> "ListingQuerySet":
        """Return listings on the way to their launch, which have a coming soon page."""
        return self.filter(status__in=Listing.UPCOMING)

    def with_details(self) -> "ListingQuerySet":
        """Load everything a list shows, in a fixed number of queries."""
        return self.select_related("company", "site", "standing").prefetch_related("categories")

    def for_owner(self) -> "ListingQuerySet":
        """Load what the owner's own page or response needs in addition."""
        return self.with_details().select_related("company__owner__founder_profile")

    def with_everything(self) -> "ListingQuerySet":
        """A single listing with its milestones and its founder story."""
        return self.for_owner().select_related("founder_story").prefetch_related("milestones")


@dataclass(frozen=True, slots=True)
class Rating:
    """The average stars of `count` verified reviews."""

    average: float
    count: int

    def __str__(self) -> str:
        return f"{self.average:.1f}"


def rating_of(star_counts: Sequence[int]) -> Rating | None:
    """Return the average of verified reviews by how many of them give 1 to 5 stars. None with too few for one."""
    count = sum(star_counts)
    if count < MIN_RATINGS:
        return None
    return Rating(sum(stars * given for stars, given in enumerate(star_counts, start=1)) / count, count)


def no_stars() -> list[int]:
    """Return the counts of a listing without reviews."""
    return [0] * 5


# Statuses that aren't words that go on after "The listing is".
_STATE_WORDS = {"draft": "a draft", "in_review": "in review", "awaiting_badge": "awaiting its badge"}


class Listing(HasStates, PublicRow):
    """One company on one site: that site's texts, plan, launch week and status."""

    class BadgeState(models.TextChoices):
        """The result of the badge checks. `unknown` means that the last one could not be made."""

        UNCHECKED = "unchecked"
        FOUND = "found"
        ABSENT = "absent"
        UNKNOWN = "unknown"

    class Status(models.TextChoices):
        DRAFT = "draft"
        IN_REVIEW = "in_review", "In review"
        REJECTED = "rejected"
        AWAITING_BADGE = "awaiting_badge", "Awaiting badge"
        SCHEDULED = "scheduled"
        LIVE = "live"
        ARCHIVED = "archived"
        SUSPENDED = "suspended"

    class Plan(models.TextChoices):
        NONE = "none"
        FREE = "free"
        PAID = "paid"

    # Statuses before a launch.
    LAUNCHABLE: ClassVar = frozenset({Status.DRAFT, Status.AWAITING_BADGE, Status.SCHEDULED})
    # In these, visitors see a coming soon page at the listing's URL, which its badge links to.
    UPCOMING: ClassVar = frozenset({Status.AWAITING_BADGE, Status.SCHEDULED})
    # Those that visitors find a page of.
    WITH_PAGE: ClassVar = UPCOMING | {Status.LIVE}
    # Before its launch, a listing is archived only as the duplicate in a merge. It returns from scheduled to draft when
    # its paid launch is withdrawn.
    TRANSITIONS: ClassVar[Mapping[str, frozenset[str]]] = {
        Status.DRAFT: frozenset(
            {Status.AWAITING_BADGE, Status.IN_REVIEW, Status.SCHEDULED, Status.LIVE, Status.ARCHIVED}
        ),
        Status.IN_REVIEW: frozenset({Status.DRAFT, Status.REJECTED, Status.ARCHIVED}),
        Status.REJECTED: frozenset(),
        Status.AWAITING_BADGE: frozenset({Status.SCHEDULED, Status.LIVE, Status.ARCHIVED}),
        Status.SCHEDULED: frozenset(
            {Status.DRAFT, Status.AWAITING_BADGE, Status.LIVE, Status.SUSPENDED, Status.ARCHIVED}
        ),
        Status.LIVE: frozenset({Status.ARCHIVED, Status.SUSPENDED}),
        Status.ARCHIVED: frozenset({Status.SUSPENDED}),
        Status.SUSPENDED: frozenset({Status.SCHEDULED, Status.LIVE, Status.ARCHIVED}),
    }

    # Constraints and indexes below begin with the company and with the site.
    company = models.ForeignKey("listings.Company", on_delete=models.CASCADE, related_name="listings", db_index=False)
    site = models.ForeignKey("sites.Site", on_delete=models.PROTECT, related_name="listings", db_index=False)
    slug = models.SlugField(max_length=90)
    status = models.CharField(max_length=16, choices=Status, default=Status.DRAFT)
    plan = models.CharField(max_length=8, choices=Plan, default=Plan.NONE)
    launch_week = models.CharField(max_length=8, blank=True, help_text="ISO week such as 2026-W46.")
    unlocked_sections = ArrayField(models.CharField(max_length=20), default=list, blank=True)

    headline = models.CharField(max_length=80, blank=True)
    summary = models.TextField(max_length=600, blank=True)
    description = models.TextField(max_length=6000, blank=True)
    categories = models.ManyToManyField("listings.Category", related_name="listings", blank=True)
    tags = ArrayField(models.CharField(max_length=30), default=list, blank=True)
    alternatives = ArrayField(models.CharField(max_length=80), default=list, blank=True)
    faqs = models.JSONField(default=list, blank=True)
    seo_title = models.CharField(max_length=60, blank=True)
    seo_description = models.CharField(max_length=160, blank=True)
    seo_keywords = models.CharField(max_length=200, blank=True)

    status_reason = models.CharField(
        max_length=300, blank=True, help_text="Why a site admin suspended or rejected the listing. Shown to its owner."
    )
    suspended_from = models.CharField(
        max_length=16,
        choices=Status,
        blank=True,
        editable=False,
        help_text="The status to restore when the suspension ends.",
    )
    merged_into = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        editable=False,
        on_delete=models.PROTECT,
        related_name="merged",
        help_text="The listing this one redirects to since their companies were merged.",
    )

    votes = models.PositiveIntegerField(default=0, help_text="Number of votes in its launch week.")
    comment_count = models.PositiveIntegerField(
        default=0, editable=False, help_text="Number of posted comments, changed in their transactions."
    )
    review_count = models.PositiveIntegerField(
        default=0, db_default=0, editable=False, help_text="Number of posted reviews, changed in their transactions."
    )
    star_counts = ArrayField(
        models.PositiveIntegerField(),
        default=no_stars,
        db_default=[0, 0, 0, 0, 0],
        editable=False,
        help_text="How many verified reviews give 1 to 5 stars, changed likewise.",
    )
    badge_state = models.CharField(max_length=10, choices=BadgeState, default=BadgeState.UNCHECKED)
    badge_seen_at = models.DateTimeField(null=True, blank=True, help_text="When the badge was last found.")
    badge_checked_at = models.DateTimeField(null=True, blank=True)
    badge_result = models.CharField(max_length=200, blank=True, help_text="Result of the last badge check.")
    badge_evidence = models.JSONField(
        default=dict, blank=True, help_text="Page, status, link and time of the last completed check."
    )
    badge_failed_checks = models.PositiveSmallIntegerField(default=0, help_text="Failed badge checks in a row.")
    badge_missing_since = models.DateTimeField(null=True, blank=True, help_text="When the first of them failed.")
    badge_check_at = models.DateTimeField(null=True, blank=True, help_text="When the next check is due.")
    badge_check_requested_at = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="When a check was requested. Empty once it is done.",
    )
    submitted_at = models.DateTimeField(default=timezone.now)
    launched_at = models.DateTimeField(null=True, blank=True)
    upgraded_at = models.DateTimeField(
        null=True, blank=True, help_text="When it moved from the free to the paid plan after its launch."
    )
    updated_at = models.DateTimeField(auto_now=True)
    search_vector = SearchVectorField(null=True, editable=False)
    indexed_texts = models.BigIntegerField(
        null=True, editable=False, help_text="Hash of the indexed texts and the version of the word splitter."
    )

    objects: ClassVar = ListingQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["company", "site"], name="one_listing_per_company_and_site"),
            models.UniqueConstraint(fields=["site", "slug"], name="one_listing_per_slug"),
            models.CheckConstraint(
                condition=~models.Q(status__in=["scheduled", "live"]) | ~models.Q(launch_week=""),
                name="launched_listing_has_a_week",
            ),
            models.CheckConstraint(
                condition=~models.Q(status="live") | models.Q(launched_at__isnull=False),
                name="live_listing_has_launched",
            ),
            models.CheckConstraint(
                condition=models.Q(launch_week="") | models.Q(launch_week__regex=r"^\d{4}-W\d{2}$"),
                name="launch_week_is_an_iso_week",
            ),
            models.CheckConstraint(
                condition=models.Q(status="suspended", suspended_from__in=["scheduled", "live", "archived"])
                | (~models.Q(status="suspended") & models.Q(suspended_from="")),
                name="suspended_listing_knows_where_from",
            ),
            models.CheckConstraint(
                condition=models.Q(upgraded_at__isnull=True) | models.Q(plan="paid", launched_at__isnull=False),
                name="upgraded_listing_is_paid_and_launched",
            ),
            models.CheckConstraint(
                condition=models.Q(badge_missing_since__isnull=True) | models.Q(badge_failed_checks__gte=1),
                name="missing_badge_was_looked_for",
            ),
            models.CheckConstraint(
                condition=models.Q(merged_into__isnull=True) | ~models.Q(merged_into=models.F("id")),
                name="listing_is_not_merged_into_itself",
            ),
        ]
        indexes: ClassVar = [
            GinIndex(fields=["search_vector"], name="listing_search"),
            models.Index(fields=["site", "status", "launch_week", "-votes"], name="listing_board"),
            models.Index(fields=["site", "status", "-votes", "id"], name="listing_votes"),
            models.Index(fields=["site", "status", "-launched_at", "-id"], name="listing_newest"),
            models.Index(fields=["site", "status", "id"], name="listing_sitemap"),
            models.Index(
                fields=["site", "launch_week"], include=["status", "plan", "upgraded_at"], name="listing_calendar"
            ),
            models.Index(
                fields=["site", "-updated_at"],
                condition=models.Q(launched_at__isnull=False),
                name="listing_changes",
            ),
            models.Index(
                fields=["site", "id"],
                condition=models.Q(status="live") & ~models.Q(alternatives=[]),
                name="listing_alternatives",
            ),
            models.Index(
                fields=["badge_check_at"],
                condition=models.Q(status__in=["awaiting_badge", "scheduled"]),
                name="badges_to_check",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.company} on {self.site}"

    def generations(self) -> tuple[str, ...]:
        return listing_name(self.pk), LISTS, *([site_name(self.site_id)] if self.leaves else [])

    def event_subject(self) -> Subject:
        data = {"slug": self.slug, "plan": str(self.plan), "launch_week": self.launch_week or None}
        return Subject("listing", self.pk, self.company.owner_id, self.site_id, data)

    @property
    def week(self) -> Week | None:
        return Week.parse(self.launch_week) if self.launch_week else None

    @property
    def state_words(self) -> str:
        """Return the status in the words that go on after "The listing is"."""
        return _STATE_WORDS.get(self.status) or self.status

    @property
    def is_upgradable(self) -> bool:
        """Whether buying a launch changes only the plan, because it launched free and is live."""
        return self.status == self.Status.LIVE and self.plan != self.Plan.PAID

    @property
    def current_votes(self) -> int:
        """Return the number of people who vote for it now, by its standing.

        `votes` follows within seconds, for searches.

        Loaded by `with_details()`.
        """
        standing = getattr(self, "standing", None)
        return standing.votes if standing else self.votes

    @property
    def votes_under_review(self) -> int:
        """Return how many of its current votes don't count yet. Loaded by `with_details()`."""
        standing = getattr(self, "standing", None)
        return standing.held if standing else 0

    @property
    def rating(self) -> Rating | None:
        """Return the average of the verified reviews, or None with too few for one."""
        return rating_of(self.star_counts)

    @property
    def own_story(self) -> Any:
        """Return its present owner's founder story, or None. A former owner's story does not count."""
        story = getattr(self, "founder_story", None)
        return story if story and story.author_id == self.company.owner_id else None

    @property
    def path(self) -> str:
        return self.path_of(self.slug)

    @staticmethod
    def path_of(slug: str) -> str:
        """The path of a listing's page on its site."""
        return f"/listings/{slug}"

    @property
    def page_url(self) -> str:
        return self.site.url(self.path)
