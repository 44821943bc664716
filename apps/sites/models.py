import re
from collections.abc import Collection
from contextlib import suppress
from email.utils import formataddr
from functools import lru_cache
from typing import Any, ClassVar
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models

from apps.core.pictures.storage import picture_path
from apps.core.stores.valkey.generations import EVERYTHING, SITES, site_name
from apps.core.stores.valkey.watch import PublicRow
from apps.core.versions.models import Version
from apps.core.web.colors import LEAST_CONTRAST, contrast, hex_of, is_readable, nearest_readable, oklch_of
from apps.core.web.hosts import ascii_host
from apps.sites.rule_choices import ProfilePart, StorySection, default_profile_parts, default_story_sections

_GRAY = 0.02
# The column's length. Each site sets its own limit below.
MAX_STORY_TITLE = 200


def validate_brand_color(color: str) -> None:
    """Reject what isn't `#rrggbb`, and colors on which white text is hard to read."""
    if not re.fullmatch(r"#[0-9a-f]{6}", color):
        raise ValidationError("Enter a color such as #4338ca.")
    if not is_readable(color):
        ratio = int(contrast(color, "#ffffff") * 10) / 10
        raise ValidationError(
            f"White text on {color} has a contrast of {ratio}:1, and needs {LEAST_CONTRAST}:1. "
            f"Use a darker shade, such as {nearest_readable(color)}."
        )


class SiteQuerySet(models.QuerySet["Site"]):
    def for_host(self, host: str) -> "Site":
        """Return the site of a host name, or the default site. Raises Site.DoesNotExist if there is neither.

        `has_imprint` says whether the operator wrote an imprint.
        """
        candidates = self.filter(models.Q(host=host) | models.Q(is_default=True)).order_by("is_default")
        # Every page's footer needs this.
        imprint = SitePage.objects.filter(site=models.OuterRef("pk"), kind=SitePage.Kind.IMPRINT)
        candidates = candidates.annotate(has_imprint=models.Exists(imprint))
        site = candidates.first()
        if site is None:
            raise Site.DoesNotExist
        return site


class Site(PublicRow):
    """A directory with its own host name, look and rules."""

    bulk_generations: ClassVar = (SITES, EVERYTHING)

    key = models.SlugField(max_length=32, unique=True, help_text="Short name in the API, for example in apply_to.")
    host = models.CharField(
        max_length=253,
        unique=True,
        validators=[RegexValidator(r"^[a-z0-9.-]+$", "A host name in lower case, without port.")],
        help_text="Host name this site is served on.",
    )
    name = models.CharField(max_length=40)
    tagline = models.CharField(max_length=160, blank=True)
    hue = models.PositiveSmallIntegerField(
        default=265,
        validators=[MaxValueValidator(359)],
        help_text="Angle of the shades on the color wheel. Follows the brand color.",
    )
    color = models.CharField(
        "brand color",
        max_length=7,
        blank=True,
        validators=[validate_brand_color],
        help_text="Buttons and links. White text on it needs a contrast of 4.5:1.",
    )
    logo_key = models.CharField(max_length=80, blank=True, editable=False, help_text="Folder of the logo's files.")
    icon_key = models.CharField(
        max_length=80, blank=True, editable=False, help_text="Folder of the favicon's files. Empty for the logo."
    )
    contact_email = models.EmailField(
        max_length=254, blank=True, help_text="Shown on pages. Replies to emails go there."
    )
    sender_email = models.EmailField(
        max_length=254, blank=True, help_text="Sender of emails. Empty for DEFAULT_FROM_EMAIL."
    )
    set_up_at = models.DateTimeField(null=True, blank=True, editable=False, help_text="When setup was finished.")
    is_default = models.BooleanField(default=False, help_text="Also serves host names that belong to no other site.")

    free_queue_weeks = models.PositiveSmallIntegerField(
        default=4, help_text="Minimum number of weeks until a free launch."
    )
    free_places_per_week = models.PositiveSmallIntegerField(
        "free spots per week", default=20, help_text="Free spots per week."
    )
    paid_places_per_week = models.PositiveSmallIntegerField(
        "paid spots per week", default=10, help_text="Paid spots per week."
    )
    closing_days = models.PositiveSmallIntegerField(
        default=3,
        validators=[MaxValueValidator(7)],
        help_text="In the last days of a week, purchases go to a later week unless the buyer chooses the current one. "
        "0 turns this off.",
    )
    drafts_per_hour = models.PositiveSmallIntegerField(
        default=10, validators=[MinValueValidator(1)], help_text="Drafts per account and hour."
    )
    badge_checks_per_hour = models.PositiveSmallIntegerField(
        default=10, help_text="Badge checks per listing and hour that owners can request."
    )
    badge_check_hours = models.PositiveSmallIntegerField(
        default=24,
        validators=[MinValueValidator(1)],
        help_text="Hours between automatic badge checks of a queued listing.",
    )
    badge_failed_checks = models.PositiveSmallIntegerField(
        default=2,
        validators=[MinValueValidator(1)],
        help_text="Failed checks in a row before the badge counts as missing.",
    )
    badge_grace_days = models.PositiveSmallIntegerField(
        default=7, help_text="Days a badge can be missing before a queued listing loses its week."
    )
    vote_new_account_days = models.PositiveSmallIntegerField(
        default=7, help_text="Younger accounts count as new. Applies from the next launch week."
    )
    vote_new_account_percent = models.PositiveSmallIntegerField(
        default=50,
        validators=[MaxValueValidator(100)],
        help_text="Weight of a new account's vote. Applies from the next launch week.",
    )
    updates_per_day = models.PositiveSmallIntegerField(
        default=10, validators=[MinValueValidator(1)], help_text="Updates per listing in 24 hours."
    )
    team_email = models.EmailField(
        max_length=254, blank=True, help_text="Gets a copy of every edit. If empty, all site admins get one."
    )
    story_min_words = models.PositiveSmallIntegerField(default=300, help_text="Total of all sections.")
    story_min_sections = models.PositiveSmallIntegerField(
        default=4,
        validators=[MaxValueValidator(len(StorySection))],
        help_text="Sections that need the minimum number of words.",
    )
    story_min_section_words = models.PositiveSmallIntegerField(default=40)
    story_required_sections = ArrayField(
        models.CharField(max_length=20, choices=StorySection),
        default=default_story_sections,
        blank=True,
        help_text="Sections that must have the minimum number of words.",
    )
    story_title_min_characters = models.PositiveSmallIntegerField(default=10)
    story_title_max_characters = models.PositiveSmallIntegerField(
        default=90, validators=[MinValueValidator(1), MaxValueValidator(MAX_STORY_TITLE)]
    )
    story_max_links = models.PositiveSmallIntegerField(
        default=3, help_text="Links in a story, and in one interview answer."
    )
    profile_required_parts = ArrayField(
        models.CharField(max_length=20, choices=ProfilePart),
        default=default_profile_parts,
        blank=True,
        help_text="Required for stories and free launches.",
    )
    profile_min_bio_characters = models.PositiveSmallIntegerField(default=80)
    profile_min_photo_pixels = models.PositiveSmallIntegerField(
        default=256,
        validators=[MinValueValidator(64), MaxValueValidator(512)],
        help_text="Width and height of the cropped photo.",
    )
    is_moderated = models.BooleanField(default=False, help_text="Review new listings before they can launch.")
    updated_at = models.DateTimeField(auto_now=True, help_text="When a setting was last changed.")

    objects: ClassVar = SiteQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["key"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["is_default"], condition=models.Q(is_default=True), name="at_most_one_default_site"
            ),
            models.CheckConstraint(condition=models.Q(hue__lt=360), name="site_hue_is_an_angle"),
            models.CheckConstraint(
                condition=models.Q(vote_new_account_percent__lte=100), name="new_account_weighs_at_most_a_whole_vote"
            ),
            models.CheckConstraint(
                condition=models.Q(story_title_min_characters__lte=models.F("story_title_max_characters"))
                & models.Q(story_title_max_characters__range=(1, MAX_STORY_TITLE)),
                name="story_title_can_be_long_enough",
            ),
            models.CheckConstraint(
                condition=models.Q(story_min_sections__lte=len(StorySection)), name="story_has_sections_enough"
            ),
            models.CheckConstraint(
                condition=models.Q(profile_min_photo_pixels__range=(64, 512)), name="profile_photo_can_be_large_enough"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.color:
            _, chroma, hue = oklch_of(self.color)
            # A gray has no hue.
            self.hue = round(hue) % 360 if chroma > _GRAY else self.hue
        super().save(*args, **kwargs)

    def generations(self) -> tuple[str, ...]:
        return SITES, site_name(self.pk)

    @property
    def admin_contact(self) -> str:
        """Return whom to write to, for sentences such as `Contact the site admin at hello@example.com.`"""
        return f"the site admin at {self.contact_email}" if self.contact_email else "the site admin"

    def clean_fields(self, exclude: Collection[str] | None = None) -> None:
        """Accept an international host name in either form."""
        with suppress(ValueError):
            self.host = ascii_host(self.host.strip().lower().removesuffix("."))
        super().clean_fields(exclude)

    @property
    def accent(self) -> str:
        """Return the brand color, or the one that pages show without one."""
        return self.color or nearest_readable(hex_of(0.53, 0.215, self.hue))

    @property
    def picture_key(self) -> str:
        """Return the folder of the favicon's files: its own, or the logo's."""
        return self.icon_key or self.logo_key

    @property
    def logo_url(self) -> str:
        """Return the absolute URL of the logo for emails, or an empty text."""
        return self.url(picture_path(self.logo_key, "96.jpg")) if self.logo_key else ""

    @property
    def sender(self) -> str:
        """Return the From header of emails, or an empty text for the installation's."""
        return formataddr((self.name, self.sender_email)) if self.sender_email else ""

    @property
    def base_url(self) -> str:
        """Return the site's address without a trailing slash. Scheme and port are the installation's."""
        return base_url(self.host, is_default=self.is_default)

    def url(self, path: str) -> str:
        """Return the absolute URL of a path on this site. The path starts with a slash."""
        return f"{self.base_url}{path}"


def base_url(host: str, *, is_default: bool) -> str:
    """Return a site's address without a trailing slash."""
    installation: str = settings.PUBLIC_BASE_URL
    return installation if is_default else _with_host(installation, host)


@lru_cache(maxsize=1000)
def _with_host(installation: str, host: str) -> str:
    public = urlsplit(installation)
    port = f":{public.port}" if public.port else ""
    return f"{public.scheme}://{host}{port}"


class SitePage(PublicRow):
    """The current version of a site's page. Without one there is a placeholder or no page."""

    bulk_generations: ClassVar = (SITES, EVERYTHING)

    class Kind(models.TextChoices):
        """The kind of page, which is also its path."""

        TERMS = "terms", "Terms of use"
        PRIVACY = "privacy", "Privacy"
        IMPRINT = "imprint", "Imprint"

    site = models.ForeignKey("sites.Site", on_delete=models.CASCADE, related_name="pages")
    kind = models.CharField("page", max_length=8, choices=Kind)
    title = models.CharField(max_length=80)
    text = models.TextField(
        max_length=100_000,
        help_text="Markdown: ## for a heading, - for a list item, [text](URL) for a link. "
        "Separate paragraphs with a blank line.",
    )
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering: ClassVar = ["site", "kind"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["site", "kind"],
                name="one_page_per_site_and_kind",
                violation_error_message="This site already has this page.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of {self.site}"

    def generations(self) -> tuple[str, ...]:
        return SITES, site_name(self.site_id)


class SitePageVersion(Version):
    """A version of a page: its `title` and `text`."""

    page = models.ForeignKey("sites.SitePage", on_delete=models.CASCADE, related_name="versions")

    class Meta(Version.Meta):
        verbose_name = "page version"

    def __str__(self) -> str:
        return f"{self.page}, {self.created_at:%Y-%m-%d %H:%M}"
