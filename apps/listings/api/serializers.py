"""Shapes of listings in the API."""

from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, Value
from django.db.models.functions import Coalesce, NullIf
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.core.api.lists.rows import Made, Rows
from apps.core.api.serializers import NextStepsField
from apps.core.versions.models import Via
from apps.listings import history
from apps.listings.guidance import badge_status
from apps.listings.guidance import blockers as guidance
from apps.listings.models import Category, Listing, Milestone, Update
from apps.listings.services.sections import SECTIONS, Shown, Unlock, shown_sections, shows
from apps.sites.models import base_url

# Of a listing's updates its owner's answer has so many; all of them stand on its pages.
NEWEST_UPDATES = 50


class PublicListingSerializer(serializers.Serializer[Listing]):
    """A listing as visitors find it."""

    id = serializers.IntegerField()
    slug = serializers.CharField()
    name = serializers.CharField(source="company.name")
    url = serializers.CharField(source="company.website", help_text="The company's website.")
    votes = serializers.IntegerField(source="current_votes")
    headline = serializers.CharField()
    logo_url = serializers.CharField(source="company.logo_url", help_text="Empty when there is none.")
    categories = serializers.SerializerMethodField()
    launch_week = serializers.CharField(help_text="ISO week such as 2026-W46.")
    status = serializers.ChoiceField(choices=Listing.Status.choices)
    listing_url = serializers.CharField(source="page_url", help_text="The listing's page on this site.")

    def get_categories(self, listing: Listing) -> list[str]:
        return [category.slug for category in listing.categories.all()]


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
)


class BlockerSerializer(serializers.Serializer[guidance.Blocker]):
    code = serializers.ChoiceField(choices=["badge", "profile"])
    message = serializers.CharField(help_text="What to do.")
    url = serializers.CharField(help_text="Where to do it.")


class BadgeCheckStatusSerializer(serializers.Serializer[badge_status.BadgeCheck]):
    """The check for the site's badge on the owner's website."""

    status = serializers.ChoiceField(
        choices=[(name, name) for name in (badge_status.CHECKING, *Listing.BadgeState.values)],
        help_text="`checking` while one is running; `absent`: not on the page; `unknown`: the page could not be read.",
    )
    message = serializers.CharField(help_text="The last result with its time, and whether a new check is running.")
    checked_at = serializers.DateTimeField(allow_null=True, help_text="Time of the last result.")
    started_at = serializers.DateTimeField(allow_null=True, help_text="When the running check was asked for.")
    retry_after_seconds = serializers.IntegerField(
        allow_null=True, help_text="When to read the listing again, or, past the hourly limit, to ask for a new check."
    )


class MyListingSummarySerializer(PublicListingSerializer):
    """A listing in its owner's list."""

    site = serializers.CharField(source="site.key")
    plan = serializers.ChoiceField(choices=Listing.Plan.choices)
    launch_week = serializers.CharField(allow_null=True, help_text="ISO week such as 2026-W46, or null.")
    submitted_at = serializers.DateTimeField()
    launched_at = serializers.DateTimeField(allow_null=True)

    def to_representation(self, instance: Listing) -> dict[str, Any]:
        shown: dict[str, Any] = super().to_representation(instance)
        shown["launch_week"] = shown["launch_week"] or None
        return shown


MY_LISTINGS = PUBLIC_LISTINGS.like(MyListingSummarySerializer, launch_week=NullIf("launch_week", Value("")))


class MilestoneSerializer(serializers.Serializer[Milestone]):
    id = serializers.IntegerField()
    date = serializers.DateField()
    title = serializers.CharField()
    description = serializers.CharField()
    url = serializers.CharField()


class AddedMilestoneSerializer(MilestoneSerializer):
    """A milestone that was just added."""

    shown_on_listing = serializers.BooleanField(help_text="Whether visitors see it.")
    next_steps = serializers.ListField(child=serializers.CharField(), help_text="What makes it visible.")


class UnlockSerializer(serializers.Serializer[Unlock]):
    """A product that unlocks a section of the listing's page."""

    product = serializers.CharField()
    title = serializers.CharField()
    price_cents = serializers.IntegerField(help_text="US cents, without VAT.")
    url = serializers.CharField(allow_null=True, help_text="Where to buy it; null before the draft is submitted.")


class SectionSerializer(serializers.Serializer[Shown]):
    """A paid section of the listing's page."""

    name = serializers.ChoiceField(source="section.name", choices=[(name, name) for name in SECTIONS])
    fields = serializers.ListField(  # type: ignore[assignment] # named for what it lists
        source="section.fields", child=serializers.CharField(), help_text="The fields of the listing that it shows."
    )
    shown_on_listing = serializers.BooleanField(help_text="Whether visitors see it.")
    unlock_with = UnlockSerializer(many=True, help_text="Products that unlock it, any one of them; empty once it is.")
    next_steps = serializers.ListField(child=serializers.CharField(), help_text="What makes visitors see it.")


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
    """Any JSON value. Its schema names every type: clients take one that says nothing for a mistake."""


class ChangeSerializer(serializers.Serializer[Any]):
    field = serializers.CharField(help_text="Such as headline, milestones or status.")
    before = AnyJsonField(help_text="Null where there was nothing.")
    after = AnyJsonField(help_text="Null where there is nothing now.")


class VersionSerializer(serializers.Serializer[Any]):
    """An edit of a listing, or of the facts of its company."""

    id = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    author = serializers.CharField(help_text="Your name or address, or in words who else it was.")
    via = serializers.ChoiceField(choices=Via.choices)
    credential = serializers.CharField(help_text="Name of the API key or of the assistant's client; otherwise empty.")
    site = serializers.CharField(allow_null=True, help_text="Key of the site; null for facts that all sites share.")
    changes = ChangeSerializer(many=True, help_text="Field by field. Long texts are shortened here.")
    restored_from = serializers.IntegerField(allow_null=True, help_text="The version that was put back, if one was.")


class OwnStorySerializer(serializers.Serializer[Any]):
    """The founder story of a listing, as its owner wrote it."""

    title = serializers.CharField()
    sections = serializers.DictField(child=serializers.CharField(), help_text="Text by name; empty ones are left out.")
    status = serializers.ChoiceField(choices=["published", "draft"])
    published_at = serializers.DateTimeField(allow_null=True)
    shown_on_listing = serializers.BooleanField(source="is_shown", help_text="Whether visitors see it.")
    url = serializers.CharField(help_text="The public page, or before that the owner's preview or editor.")
    public_from = serializers.DateField(
        allow_null=True, help_text="The day on which a published story of a scheduled listing becomes public."
    )
    next_steps = NextStepsField(guidance.story_steps, help_text="When a published story becomes public.")


class SiteChangeSerializer(serializers.Serializer[Any]):
    """What `apply_to` did on another site."""

    site = serializers.CharField()
    changed = serializers.ListField(child=serializers.CharField())
    reason = serializers.CharField(help_text="Why nothing changed there; empty when something did.")


class MyListingSerializer(MyListingSummarySerializer):
    """A listing with everything its owner may see."""

    website = serializers.CharField(source="company.website", help_text="The same as url, by its name in `fields`.")
    status_reason = serializers.CharField(help_text="Why the site team suspended or rejected the listing.")
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
    price_from_cents = serializers.IntegerField(source="company.price_from_cents", allow_null=True)
    platforms = serializers.ListField(source="company.platforms", child=serializers.CharField())
    tech_stack = serializers.ListField(source="company.tech_stack", child=serializers.CharField())
    audience = serializers.CharField(source="company.audience")
    screenshots = serializers.ListField(source="company.screenshots", child=serializers.CharField())
    video_url = serializers.CharField(source="company.video_url")
    docs_url = serializers.CharField(source="company.docs_url")
    openapi_url = serializers.CharField(source="company.openapi_url")
    mcp_url = serializers.CharField(source="company.mcp_url")
    llms_url = serializers.CharField(source="company.llms_url")
    socials = serializers.DictField(source="company.socials", child=serializers.CharField())
    faqs = FaqSerializer(many=True)
    milestones = MilestoneSerializer(many=True)
    founder_story = OwnStorySerializer(
        source="own_story", allow_null=True, help_text="Null before the owner has written one."
    )
    updates = serializers.SerializerMethodField(help_text=f"The newest ones, {NEWEST_UPDATES} at most.")
    unlocked_sections = serializers.SerializerMethodField(
        help_text="Paid sections that the listing's page shows; all of them on the paid plan."
    )
    sections = serializers.SerializerMethodField(
        help_text="The paid sections: whether visitors see each, and what unlocks it."
    )
    badge_seen_at = serializers.DateTimeField(allow_null=True, help_text="When the site's badge was last found.")
    badge_checked_at = serializers.DateTimeField(allow_null=True)
    badge_result = serializers.SerializerMethodField(
        help_text="What the last badge check found. While a new one is running it says so."
    )
    badge_check = serializers.SerializerMethodField(help_text="Null when no launch depends on the badge.")
    versions = serializers.SerializerMethodField(help_text="The newest edits of the listing and its company's facts.")
    blockers = serializers.SerializerMethodField()
    next_steps = NextStepsField(guidance.next_steps)

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_unlocked_sections(self, listing: Listing) -> list[str]:
        return [name for name in SECTIONS if shows(listing, name)]

    @extend_schema_field(SectionSerializer(many=True))
    def get_sections(self, listing: Listing) -> Any:
        found: Any = shown_sections(listing)
        return SectionSerializer(found, many=True).data

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


class UpdatedListingSerializer(MyListingSerializer):
    """A listing after an edit."""

    changed = serializers.ListField(child=serializers.CharField(), help_text="Fields that this call changed here.")
    applied = SiteChangeSerializer(many=True, help_text="For each site of `apply_to` what changed there, or why not.")
