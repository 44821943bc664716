from collections.abc import Mapping
from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex, OpClass
from django.contrib.postgres.search import SearchVectorField
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Upper
from django.utils import timezone

from apps.accounts.models import User
from apps.core.states import HasStates
from apps.core.weeks import Week
from apps.listings.websites import website_key


class Category(models.Model):
    """A category of one site's directory."""

    site = models.ForeignKey("sites.Site", on_delete=models.CASCADE, related_name="categories")
    slug = models.SlugField(max_length=40)
    name = models.CharField(max_length=40)
    synonyms = ArrayField(
        models.CharField(max_length=40),
        default=list,
        blank=True,
        help_text="Words by which drafts are sorted in.",
    )
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["position", "name"]
        verbose_name_plural = "categories"
        constraints: ClassVar = [models.UniqueConstraint(fields=["site", "slug"], name="one_category_per_slug")]

    def __str__(self) -> str:
        return self.name


class Company(models.Model):
    """The facts about a company that all sites share."""

    class PricingModel(models.TextChoices):
        FREE = "free"
        FREEMIUM = "freemium"
        PAID = "paid"
        OPEN_SOURCE = "open_source"

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="companies")
    name = models.CharField(max_length=80)
    website = models.URLField(max_length=300)
    website_key = models.CharField(
        max_length=300,
        unique=True,
        help_text="The website in lower case, without www, query, fragment and last slash.",
    )
    logo_url = models.URLField(max_length=500, blank=True)
    founded_year = models.PositiveSmallIntegerField(null=True, blank=True)
    country = models.CharField(max_length=2, blank=True)
    city = models.CharField(max_length=80, blank=True)
    team_size = models.PositiveIntegerField(null=True, blank=True)
    stage = models.CharField(max_length=40, blank=True)
    funding = models.CharField(max_length=80, blank=True)
    legal_name = models.CharField(max_length=120, blank=True)
    contact_email = models.EmailField(max_length=254, blank=True)
    pricing_model = models.CharField(max_length=12, choices=PricingModel, blank=True)
    price_from_cents = models.BigIntegerField(null=True, blank=True)
    platforms = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    tech_stack = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    audience = models.CharField(max_length=160, blank=True)
    screenshots = ArrayField(models.CharField(max_length=500), default=list, blank=True)
    video_url = models.URLField(max_length=500, blank=True)
    docs_url = models.URLField(max_length=500, blank=True)
    openapi_url = models.URLField(max_length=500, blank=True)
    mcp_url = models.URLField(max_length=500, blank=True)
    llms_url = models.URLField(max_length=500, blank=True)
    socials = models.JSONField(default=dict, blank=True, help_text="Address by platform.")
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "companies"
        indexes: ClassVar = [
            GinIndex(OpClass(Upper("name"), name="gin_trgm_ops"), name="company_name_trigrams"),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(price_from_cents__isnull=True) | models.Q(price_from_cents__gte=0),
                name="company_price_is_not_negative",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Say beside the field that another company has this website, before the database refuses it."""
        try:
            self.website_key = website_key(self.website)
        except ValueError:
            raise ValidationError({"website": "This is no address of a website."}) from None
        if Company.objects.filter(website_key=self.website_key).exclude(pk=self.pk).exists():
            raise ValidationError({"website": "Another company has this website."})


class ListingQuerySet(models.QuerySet["Listing"]):
    def visible_to(self, user: User) -> "ListingQuerySet":
        """The listings an account owns, in any status."""
        return self.filter(company__owner=user)

    def public(self) -> "ListingQuerySet":
        """What visitors see."""
        return self.filter(status=Listing.Status.LIVE)

    def with_details(self) -> "ListingQuerySet":
        """Everything a list shows, in a fixed number of queries."""
        return self.select_related("company", "site").prefetch_related("categories")

    def for_owner(self) -> "ListingQuerySet":
        """What the owner's own page or answer needs beyond that."""
        return self.with_details().select_related("company__owner__founder_profile")

    def with_everything(self) -> "ListingQuerySet":
        """A single listing with its milestones and updates."""
        return self.for_owner().prefetch_related("milestones", "updates")


class Listing(HasStates, models.Model):
    """One company on one site: that site's texts, plan, launch week and status."""

    class Status(models.TextChoices):
        DRAFT = "draft"
        IN_REVIEW = "in_review"
        REJECTED = "rejected"
        AWAITING_BADGE = "awaiting_badge"
        SCHEDULED = "scheduled"
        LIVE = "live"
        ARCHIVED = "archived"
        SUSPENDED = "suspended"

    class Plan(models.TextChoices):
        NONE = "none"
        FREE = "free"
        PAID = "paid"

    # From these a launch is still ahead.
    LAUNCHABLE: ClassVar = frozenset({Status.DRAFT, Status.AWAITING_BADGE, Status.SCHEDULED})
    TRANSITIONS: ClassVar[Mapping[str, frozenset[str]]] = {
        Status.DRAFT: frozenset({Status.AWAITING_BADGE, Status.IN_REVIEW, Status.SCHEDULED, Status.LIVE}),
        Status.IN_REVIEW: frozenset({Status.DRAFT, Status.REJECTED}),
        Status.REJECTED: frozenset(),
        Status.AWAITING_BADGE: frozenset({Status.SCHEDULED, Status.LIVE}),
        Status.SCHEDULED: frozenset({Status.AWAITING_BADGE, Status.LIVE, Status.SUSPENDED}),
        Status.LIVE: frozenset({Status.ARCHIVED, Status.SUSPENDED}),
        Status.ARCHIVED: frozenset({Status.SUSPENDED}),
        Status.SUSPENDED: frozenset({Status.SCHEDULED, Status.LIVE, Status.ARCHIVED}),
    }

    company = models.ForeignKey("listings.Company", on_delete=models.CASCADE, related_name="listings")
    site = models.ForeignKey("sites.Site", on_delete=models.PROTECT, related_name="listings")
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

    votes = models.PositiveIntegerField(default=0)
    badge_seen_at = models.DateTimeField(null=True, blank=True, help_text="When the site's badge was last found.")
    badge_checked_at = models.DateTimeField(null=True, blank=True)
    badge_result = models.CharField(max_length=200, blank=True, help_text="What the last look for the badge found.")
    submitted_at = models.DateTimeField(default=timezone.now)
    launched_at = models.DateTimeField(null=True, blank=True)
    updated_at = models.DateTimeField(auto_now=True)
    search_vector = SearchVectorField(null=True, editable=False)

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
        ]
        indexes: ClassVar = [
            GinIndex(fields=["search_vector"], name="listing_search"),
            models.Index(fields=["site", "status", "launch_week", "-votes"], name="listing_board"),
            models.Index(fields=["site", "status", "-votes", "id"], name="listing_votes"),
        ]

    def __str__(self) -> str:
        return f"{self.company} on {self.site}"

    @property
    def week(self) -> Week | None:
        return Week.parse(self.launch_week) if self.launch_week else None

    @property
    def path(self) -> str:
        return f"/listings/{self.slug}"

    @property
    def page_url(self) -> str:
        return self.site.url(self.path)


class Update(models.Model):
    """News that an owner posted."""

    listing = models.ForeignKey("listings.Listing", on_delete=models.CASCADE, related_name="updates")
    title = models.CharField(max_length=120)
    body = models.TextField(max_length=4000)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        ordering: ClassVar = ["-created_at", "-id"]

    def __str__(self) -> str:
        return self.title


class Milestone(models.Model):
    """Something a company reached, on a day."""

    listing = models.ForeignKey("listings.Listing", on_delete=models.CASCADE, related_name="milestones")
    date = models.DateField()
    title = models.CharField(max_length=120)
    description = models.TextField(max_length=1000, blank=True)
    url = models.URLField(max_length=500, blank=True)

    class Meta:
        ordering: ClassVar = ["-date", "-id"]

    def __str__(self) -> str:
        return f"{self.date}: {self.title}"
