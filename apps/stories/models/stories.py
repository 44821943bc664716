from datetime import date
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import User
from apps.core.stores.valkey.generations import LISTS, listing_name
from apps.core.stores.valkey.watch import PublicRow
from apps.core.versions.models import Version
from apps.listings.models import Listing
from apps.sites.models import MAX_STORY_TITLE, Site


class StoryQuerySet(models.QuerySet["FounderStory"]):
    def published(self, site: Site | None = None) -> "StoryQuerySet":
        """Return public stories, of one site or all: published, on a live listing, by its owner."""
        shown = Listing.objects.public().filter(pk=models.OuterRef("listing"), company__owner=models.OuterRef("author"))
        if site is not None:
            # In here, because a condition beside it would look up each listing twice.
            shown = shown.filter(site=site)
        # No join: with one, PostgreSQL expects a single story and sorts all of them instead of reading an index.
        is_shown = models.Subquery(
            shown.order_by().values(yes=models.Value(True)),
            output_field=models.BooleanField(),
        )
        return self.filter(is_shown, published_at__isnull=False)

    def visible_to(self, user: User) -> "StoryQuerySet":
        """Return the stories of an account's own listings, whatever their status."""
        return self.filter(listing__company__owner=user)

    def pending(self) -> "StoryQuerySet":
        """Return drafts to publish as soon as they meet the rules."""
        return self.filter(published_at__isnull=True, publish_when_ready=True, taken_down_at__isnull=True)


class FounderStory(PublicRow):
    """A founder's story, section by section, as plain text.

    It is published once it meets the site's rules, and public while its listing is live and belongs to its author.
    `published_rules` are the rules at publication. They continue to apply when the site's rules change.
    """

    class Status(models.TextChoices):
        PUBLISHED = "published"
        DRAFT = "draft"

    listing = models.OneToOneField("listings.Listing", on_delete=models.CASCADE, related_name="founder_story")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="founder_stories",
        help_text="Who wrote it. Hidden while somebody else owns the listing.",
    )
    title = models.CharField(max_length=MAX_STORY_TITLE, blank=True)
    sections = models.JSONField(default=dict, blank=True, help_text="Text by section name, without empty sections.")
    publish_when_ready = models.BooleanField(
        default=True,
        help_text="Publish automatically once it meets the rules.",
    )
    published_at = models.DateTimeField(null=True, blank=True)
    first_published_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="Date of first publication, which a republished story keeps."
    )
    published_rules = models.JSONField(default=dict, blank=True, editable=False)
    taken_down_at = models.DateTimeField(null=True, blank=True, help_text="When a site admin took the story down.")
    taken_down_reason = models.CharField(max_length=300, blank=True, help_text="Reason, shown to the owner.")
    rules_applied_at = models.DateTimeField(
        default=timezone.now, editable=False, help_text="When the rules were last checked."
    )
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now, help_text="When the text last changed.")

    objects: ClassVar = StoryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "founder stories"
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(taken_down_at__isnull=True, taken_down_reason="")
                | (models.Q(taken_down_at__isnull=False, published_at__isnull=True) & ~models.Q(taken_down_reason="")),
                name="story_is_taken_down_for_a_reason",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["rules_applied_at"],
                condition=models.Q(published_at__isnull=True, publish_when_ready=True, taken_down_at__isnull=True),
                name="stories_pending",
            ),
            models.Index(
                fields=["-published_at", "-id"],
                condition=models.Q(published_at__isnull=False),
                name="stories_newest",
            ),
            models.Index(fields=["-updated_at"], condition=models.Q(published_at__isnull=False), name="story_changes"),
        ]

    def __str__(self) -> str:
        return self.title or f"Story of {self.listing}"

    def generations(self) -> tuple[str, ...]:
        return listing_name(self.listing_id), LISTS

    @property
    def status(self) -> Status:
        return self.Status.PUBLISHED if self.published_at else self.Status.DRAFT

    @property
    def is_shown(self) -> bool:
        """Return whether the story is public, as `published()` does, for a row loaded with its listing's company."""
        return (
            self.published_at is not None
            and self.listing.status == Listing.Status.LIVE
            and self.listing.company.owner_id == self.author_id
        )

    @property
    def public_from(self) -> date | None:
        """Return the day a published story becomes public with its listing. None if it already is or no day is set."""
        is_coming = self.published_at is not None and self.listing.status == Listing.Status.SCHEDULED
        week = self.listing.week
        return week.starts_at.date() if is_coming and week else None

    @property
    def url(self) -> str:
        """Return the public URL, the owner's preview before launch, or the editor of a draft."""
        page = "story" if self.is_shown else "story_preview" if self.published_at else "edit_story"
        return self.listing.site.url(reverse(page, args=[self.listing.slug]))


class StoryVersion(Version):
    """A change of a story's text or publication.

    `changes` lists title and sections. `snapshot` is `{title, sections}`.
    """

    class Action(models.TextChoices):
        SAVED = "saved", "Saved as a draft"
        PUBLISHED = "published", "Published"
        EDITED = "edited", "Edited while published"
        RETURNED = "returned", "Back to draft because it no longer meets the rules"
        UNPUBLISHED = "unpublished", "Unpublished by its owner"
        TAKEN_DOWN = "taken_down", "Taken down by a site admin"
        RELEASED = "released", "Restored by a site admin"

    story = models.ForeignKey("stories.FounderStory", on_delete=models.CASCADE, related_name="versions")
    action = models.CharField(max_length=12, choices=Action)
    reason = models.CharField(max_length=300, blank=True)

    class Meta(Version.Meta):
        indexes: ClassVar = [models.Index(fields=["story", "-id"], name="versions_of_story")]

    def __str__(self) -> str:
        return f"{self.story}, version {self.pk}"
