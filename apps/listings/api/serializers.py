"""Shapes of listings in the API."""

from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, Value
from django.db.models.functions import Coalesce, NullIf
from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.core.api.lists.includes import ShortAnswer
from apps.core.api.lists.rows import Made, Rows
from apps.core.api.serializers import NextStepsField
from apps.core.versions.models import Via
from apps.core.web.page_numbers import COUNTED
from apps.listings import history
from apps.listings.guidance import badge_status
from apps.listings.guidance import blockers as guidance
from apps.listings.models import Category, CompanyPicture, Listing, Milestone, Update, logo_image_url
from apps.listings.services.sections import SECTIONS, Shown, Unlock, hidden_fields, shown_sections, shows
from apps.sites.models import base_url

# How many updates the owner's response contains. Listing pages show all.
NEWEST_UPDATES = 50
PUBLIC_UPDATES = 5


class PublicListingSerializer(serializers.Serializer[Listing]):
    """A listing as visitors see it."""

    id = serializers.IntegerField()
    slug = serializers.CharField()
    name = serializers.CharField(source="company.name")
    url = serializers.CharField(source="company.website", help_text="The company's website.")
    votes = serializers.IntegerField(source="current_votes")
    headline = serializers.CharField()
    logo_url = serializers.SerializerMethodField(help_text="Our copy of the logo. Empty if there is none.")
    categories = serializers.SerializerMethodField()
    launch_week = serializers.CharField(help_text="ISO week, such as 2026-W46.")
    status = serializers.ChoiceField(choices=Listing.Status.choices)
    listing_url = serializers.CharField(source="page_url", help_text="The listing's page on this site.")

    def get_categories(self, listing: Listing) -> list[str]:
        return [category.slug for category in listing.categories.all()]

    def get_logo_url(self, listing: Listing) -> str:
        return logo_image_url(listing.company.logo_key)


def _listing_url(host: str, is_default: bool, slug: str) -> str:
    return base_url(host, is_default=is_default) + Listing.path_of(slug)


PUBLIC_LISTINGS = Rows(
    Listing,
    PublicListingSerializer,
    votes=Coalesce("standing__votes", "votes"),
    categories=ArraySubquery(
        Category.objects.filter(listings=OuterRef("pk")).order_by("position", "name").values("slug")
    ),
    listing_url=Made(_listing_url, "site__host", "site__is_default", "slug"),
    logo_url=Made(logo_image_url, "company__logo_key"),
)


class BlockerSerializer(serializers.Serializer[guidance.Blocker]):
    code = serializers.ChoiceField(choices=["badge", "profile"])
    message = serializers.CharField(help_text="What to do next.")
    url = serializers.CharField(help_text="Link to do it.")


class BadgeCheckStatusSerializer(serializers.Serializer[badge_status.BadgeCheck]):
    """The badge check on the owner's website."""

    status = serializers.ChoiceField(
        choices=[(name, name) for name in (badge_status.CHECKING, *Listing.BadgeState.values)],
        help_text="`checking`: in progress. `absent`: not on the page. `unknown`: the page could not be read.",
    )
    message = serializers.CharField(help_text="The last result with its time, and whether a check is running.")
    checked_at = serializers.DateTimeField(allow_null=True, help_text="When the last check finished.")
    started_at = serializers.DateTimeField(allow_null=True, help_text="When the running check was requested.")
    retry_after_seconds = serializers.IntegerField(
        allow_null=True,
        help_text=("Seconds until you read the listing again or, past the hourly limit, request a new check."),
    )


class MyListingSummarySerializer(PublicListingSerializer):
    """One of the owner's listings."""

    logo_url = serializers.CharField(  # type: ignore[assignment] # the owner's value, and ours for visitors
        source="company.logo_url", help_text="As the owner set it. Visitors see our copy."
    )
    site = serializers.CharField(source="site.key")
    plan = serializers.ChoiceField(choices=Listing.Plan.choices)
    launch_week = serializers.CharField(allow_null=True, help_text="ISO week, such as 2026-W46, or null.")
    submitted_at = serializers.DateTimeField()
    launched_at = serializers.DateTimeField(allow_null=True)

    def to_representation(self, instance: Listing) -> dict[str, Any]:
        representation: dict[str, Any] = super().to_representation(instance)
        representation["launch_week"] = representation["launch_week"] or None
        return representation


MY_LISTINGS = PUBLIC_LISTINGS.like(
    MyListingSummarySerializer, launch_week=NullIf("launch_week", Value("")), logo_url="company__logo_url"
)


class MilestoneSerializer(serializers.Serializer[Milestone]):
    id = serializers.IntegerField()
    date = serializers.DateField()
    title = serializers.CharField()
    description = serializers.CharField()
    url = serializers.CharField()


class AddedMilestoneSerializer(MilestoneSerializer):
    """The milestone that was added."""

    shown_on_listing = serializers.BooleanField(help_text="Whether visitors can see it.")
    next_steps = serializers.ListField(
        child=serializers.CharField(), help_text="How to make it visible. Empty if it is."
    )


class UnlockSerializer(serializers.Serializer[Unlock]):
    """A product that unlocks a section."""

    product = serializers.CharField()
    title = serializers.CharField()
    price_cents = serializers.IntegerField(help_text="US cents, excluding VAT.")
    url = serializers.CharField(allow_null=True, help_text="Link to buy it. Null until the draft is submitted.")


class SectionSerializer(serializers.Serializer[Shown]):
    """A paid section of the listing's page."""

    name = serializers.ChoiceField(source="section.name", choices=[(name, name) for name in SECTIONS])
    fields = serializers.ListField(  # type: ignore[assignment] # named for what it lists
        source="section.fields", child=serializers.CharField(), help_text="The listing fields it shows."
    )
    shown_on_listing = serializers.BooleanField(help_text="Whether visitors can see it.")
    unlock_with = UnlockSerializer(
        many=True, help_text="Products that unlock it. Any one is enough. Empty if unlocked."
    )
    next_steps = serializers.ListField(
        child=serializers.CharField(), help_text="How to make it visible. Empty if it is."
    )


class UpdateSerializer(serializers.Serializer[Update]):
    id = serializers.IntegerField()
    title = serializers.CharField()
    body = serializers.CharField()
    created_at = serializers.DateTimeField()


class FaqSerializer(serializers.Serializer[Any]):
    question = serializers.CharField()
    answer = serializers.CharField()


@extend_schema_field({"type": ["string", "number", "boolean", "array", "object", "null"]})
class AnyJsonField(serializers.JSONField):
    """Any JSON value. Its schema names every type, because some clients treat an empty schema as an error."""


class ChangeSerializer(serializers.Serializer[Any]):
    field = serializers.CharField(help_text="Such as headline, milestones or status.")
    before = AnyJsonField(help_text="Value before the edit, or null.")
    after = AnyJsonField(help_text="Value after the edit, or null.")


class VersionSerializer(serializers.Serializer[Any]):
    """An edit of a listing or its company facts."""

    id = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    author = serializers.CharField(help_text="Name or email of the editor, or a description such as an earlier owner.")
    via = serializers.ChoiceField(choices=Via.choices)
    credential = serializers.CharField(help_text="Name of the API key or connected app. Otherwise empty.")
    site = serializers.CharField(allow_null=True, help_text="Site key. Null for company facts shared by all sites.")
    changes = ChangeSerializer(many=True, help_text="Changes per field. Long texts are shortened.")
    restored_from = serializers.IntegerField(allow_null=True, help_text="The version this edit restored, if any.")


class ListedVersionSerializer(ShortAnswer, VersionSerializer):
    """One edit in a list. The values before and after are included on request."""

    on_request = frozenset({"changes"})

    changed = serializers.ListField(child=serializers.CharField(), help_text="Names of the changed fields.")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        representation = self.context["shown"](instance)
        named: dict[str, Any] = super().to_representation(
            {**representation, "changed": [change["field"] for change in representation["changes"]]}
        )
        return named


class OwnStorySerializer(serializers.Serializer[Any]):
    """A listing's founder story."""

    title = serializers.CharField()
    sections = serializers.DictField(
        child=serializers.CharField(), help_text="Section texts by name. Empty sections are omitted."
    )
    status = serializers.ChoiceField(choices=["published", "draft"])
    published_at = serializers.DateTimeField(allow_null=True)
    shown_on_listing = serializers.BooleanField(source="is_shown", help_text="Whether visitors can see it.")
    url = serializers.CharField(help_text="The public page or, before that, the owner's preview or editor.")
    public_from = serializers.DateField(
        allow_null=True, help_text="The day a published story goes public with its scheduled listing."
    )
    next_steps = NextStepsField(guidance.story_steps, help_text="What happens next with a published story.")


class PictureSerializer(serializers.Serializer[CompanyPicture]):
    """A logo or screenshot. Visitors see our copy, which is made soon after its URL is set."""

    field = serializers.ChoiceField(choices=CompanyPicture.Field.choices)
    url = serializers.CharField(help_text="The URL in that field.")
    status = serializers.ChoiceField(
        choices=[(name, name) for name in ("stored", "pending", "refused")],
        help_text="`pending`: being downloaded. `refused`: see `problem`. Send the field again to try again.",
    )
    image_url = serializers.CharField(
        source="shown_image_url",
        help_text="Our copy that visitors see. Until this picture is stored, the one it replaces, or empty.",
    )
    alt = serializers.CharField(help_text="What it shows, for people who can't see it.")
    problem = serializers.CharField(
        help_text="Why it can't be shown, or why the last download failed while it's pending. Otherwise empty."
    )


class SiteChangeSerializer(serializers.Serializer[Any]):
    """The result of `apply_to` on another site."""

    site = serializers.CharField()
    changed = serializers.ListField(child=serializers.CharField())
    reason = serializers.CharField(help_text="Why nothing changed on that site. Otherwise empty.")


class MyListingSerializer(ShortAnswer, MyListingSummarySerializer):
    """A listing with everything its owner can see."""

    on_request = frozenset({"founder_story", "pictures", "versions"})

    website = serializers.CharField(source="company.website", help_text="Same as url, under its name in `fields`.")
    status_reason = serializers.CharField(help_text="Why a moderator suspended or rejected the listing.")
    summary = serializers.CharField()
    description = serializers.CharField()
    tags = serializers.ListField(child=serializers.CharField())
    alternatives = serializers.ListField(child=serializers.CharField())
    seo_title = serializers.CharField()
    seo_description = serializers.CharField()
    seo_keywords = serializers.CharField()
    founded_year = serializers.IntegerField(source="company.founded_year", allow_null=True)
    country = serializers.CharField(source="company.country")
    city = serializers.CharField(source="company.city")
    team_size = serializers.IntegerField(source="company.team_size", allow_null=True)
    stage = serializers.CharField(source="company.stage")
    funding = serializers.CharField(source="company.funding")
    legal_name = serializers.CharField(source="company.legal_name")
    contact_email = serializers.CharField(source="company.contact_email")
    pricing_model = serializers.CharField(source="company.pricing_model")
    price_from_cents = serializers.IntegerField(
        source="company.price_from_cents", allow_null=True, help_text="In hundredths of price_currency."
    )
    price_currency = serializers.CharField(source="company.price_currency", help_text="ISO 4217 code.")
    price_period = serializers.CharField(
        source="company.price_period", help_text="day, week, month, year or once. Empty if unknown."
    )
    platforms = serializers.ListField(source="company.platforms", child=serializers.CharField())
    tech_stack = serializers.ListField(source="company.tech_stack", child=serializers.CharField())
    audience = serializers.CharField(source="company.audience")
    screenshots = serializers.ListField(
        source="company.screenshots", child=serializers.CharField(), help_text="As the owner set them."
    )
    pictures = PictureSerializer(
        source="company.own_pictures", many=True, help_text="Our copies of the logo and screenshots."
    )
    video_url = serializers.CharField(source="company.video_url")
    docs_url = serializers.CharField(source="company.docs_url")
    openapi_url = serializers.CharField(source="company.openapi_url")
    mcp_url = serializers.CharField(source="company.mcp_url")
    llms_url = serializers.CharField(source="company.llms_url")
    socials = serializers.DictField(source="company.socials", child=serializers.CharField())
    faqs = FaqSerializer(many=True)
    milestones = MilestoneSerializer(many=True)
    founder_story = OwnStorySerializer(
        source="own_story", allow_null=True, help_text="Null until the owner writes one."
    )
    updates = serializers.SerializerMethodField(help_text=f"Up to {NEWEST_UPDATES} updates, newest first.")
    unlocked_sections = serializers.SerializerMethodField(
        help_text="Paid sections visible on the listing's page. The paid plan shows all."
    )
    sections = serializers.SerializerMethodField(
        help_text="Paid sections, whether they are visible, and what unlocks them."
    )
    badge_seen_at = serializers.DateTimeField(allow_null=True, help_text="When the badge was last found.")
    badge_checked_at = serializers.DateTimeField(allow_null=True)
    badge_result = serializers.SerializerMethodField(
        help_text="Result of the last badge check, or that one is running."
    )
    badge_check = serializers.SerializerMethodField(help_text="Null if no launch depends on the badge.")
    versions = serializers.SerializerMethodField(help_text="Latest edits of the listing and its company facts.")
    blockers = serializers.SerializerMethodField()
    next_steps = NextStepsField(guidance.next_steps)

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_unlocked_sections(self, listing: Listing) -> list[str]:
        return [name for name in SECTIONS if shows(listing, name)]

    @extend_schema_field(SectionSerializer(many=True))
    def get_sections(self, listing: Listing) -> Any:
        result: Any = shown_sections(listing)
        return SectionSerializer(result, many=True).data

    def get_badge_result(self, listing: Listing) -> str:
        return badge_status.badge_message(listing) if badge_status.is_checking(listing) else listing.badge_result

    @extend_schema_field(BadgeCheckStatusSerializer(allow_null=True))
    def get_badge_check(self, listing: Listing) -> Any:
        check = badge_status.badge_check(listing)
        return BadgeCheckStatusSerializer(check).data if check else None

    @extend_schema_field(UpdateSerializer(many=True))
    def get_updates(self, listing: Listing) -> Any:
        newest: Any = listing.updates.all()[:NEWEST_UPDATES]
        return UpdateSerializer(newest, many=True).data

    @extend_schema_field(VersionSerializer(many=True))
    def get_versions(self, listing: Listing) -> Any:
        return VersionSerializer(history.shown_versions(listing), many=True).data

    @extend_schema_field(BlockerSerializer(many=True))
    def get_blockers(self, listing: Listing) -> Any:
        return [BlockerSerializer(blocker).data for blocker in guidance.blockers(listing)]


class FounderSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(source="real_name")
    role = serializers.CharField()


class PublicStorySerializer(serializers.Serializer[Any]):
    title = serializers.CharField()
    url = serializers.CharField()


class ListingSerializer(PublicListingSerializer):
    """What a live listing's page shows. Fields that its plan hides are empty."""

    launched_at = serializers.DateTimeField()
    is_verified = serializers.SerializerMethodField(help_text="Whether the owner has proven the website.")
    summary = serializers.CharField()
    description = serializers.CharField()
    tags = serializers.ListField(child=serializers.CharField())
    alternatives = serializers.ListField(child=serializers.CharField())
    founded_year = serializers.IntegerField(source="company.founded_year", allow_null=True)
    country = serializers.CharField(source="company.country")
    city = serializers.CharField(source="company.city")
    team_size = serializers.IntegerField(source="company.team_size", allow_null=True)
    stage = serializers.CharField(source="company.stage")
    funding = serializers.CharField(source="company.funding")
    legal_name = serializers.CharField(source="company.legal_name")
    pricing_model = serializers.CharField(source="company.pricing_model")
    price_from_cents = serializers.IntegerField(
        source="company.price_from_cents", allow_null=True, help_text="In hundredths of price_currency."
    )
    price_currency = serializers.CharField(source="company.price_currency", help_text="ISO 4217 code.")
    price_period = serializers.CharField(
        source="company.price_period", help_text="day, week, month, year or once. Empty if unknown."
    )
    platforms = serializers.ListField(source="company.platforms", child=serializers.CharField())
    tech_stack = serializers.ListField(source="company.tech_stack", child=serializers.CharField())
    audience = serializers.CharField(source="company.audience")
    docs_url = serializers.CharField(source="company.docs_url")
    openapi_url = serializers.CharField(source="company.openapi_url")
    mcp_url = serializers.CharField(source="company.mcp_url")
    llms_url = serializers.CharField(source="company.llms_url")
    socials = serializers.DictField(source="company.socials", child=serializers.CharField())
    screenshots = serializers.SerializerMethodField(help_text="Our copies of the screenshots.")
    video_url = serializers.CharField(source="company.video_url")
    faqs = FaqSerializer(many=True)
    milestones = MilestoneSerializer(many=True)
    updates = serializers.SerializerMethodField(help_text=f"Up to {PUBLIC_UPDATES} updates, newest first.")
    founder = serializers.SerializerMethodField(help_text="Null without a public profile.")
    founder_story = serializers.SerializerMethodField(help_text="Null if none is public.")

    def get_is_verified(self, listing: Listing) -> bool:
        return listing.company.verified_at is not None

    def get_screenshots(self, listing: Listing) -> list[str]:
        return [shot.image_url for shot in listing.company.shown_screenshots()]

    @extend_schema_field(UpdateSerializer(many=True))
    def get_updates(self, listing: Listing) -> Any:
        newest: Any = listing.updates.all()[:PUBLIC_UPDATES]
        return UpdateSerializer(newest, many=True).data

    @extend_schema_field(FounderSerializer(allow_null=True))
    def get_founder(self, listing: Listing) -> Any:
        profile = getattr(listing.company.owner, "founder_profile", None)
        return FounderSerializer(profile).data if profile and profile.slug and profile.real_name else None

    @extend_schema_field(PublicStorySerializer(allow_null=True))
    def get_founder_story(self, listing: Listing) -> Any:
        story = listing.own_story
        return PublicStorySerializer(story).data if story and story.is_shown else None

    def to_representation(self, instance: Listing) -> dict[str, Any]:
        representation: dict[str, Any] = super().to_representation(instance)
        return {**representation, **{name: "" if name == "video_url" else [] for name in hidden_fields(instance)}}


class CategorySerializer(serializers.Serializer[Any]):
    slug = serializers.CharField()
    name = serializers.CharField()
    listings = serializers.IntegerField(source="live", help_text=f"Live listings, counted up to {COUNTED}.")
    url = serializers.SerializerMethodField()

    def get_url(self, category: Category) -> str:
        return category.site.url(reverse("category", args=[category.slug]))


class CategoryListSerializer(serializers.Serializer[Any]):
    """A site's categories."""

    items = CategorySerializer(many=True)


class UpdatedListingSerializer(MyListingSerializer):
    """A listing after an edit."""

    changed = serializers.ListField(
        child=serializers.CharField(), help_text="Fields this call changed on this listing."
    )
    applied = SiteChangeSerializer(many=True, help_text="What changed on each site in `apply_to`, or why nothing did.")
