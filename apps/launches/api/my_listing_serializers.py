"""Shapes of what an owner does on the way to the launch, in the API."""

from typing import Any

from rest_framework import serializers

from apps.launches.badges.codes import BadgeCode
from apps.launches.badges.kinds import Kind
from apps.listings.models import Listing


class BadgeSerializer(serializers.Serializer[BadgeCode]):
    kind = serializers.ChoiceField(source="badge.kind", choices=[(kind.value, kind.value) for kind in Kind])
    title = serializers.CharField()
    is_earned = serializers.BooleanField(
        source="badge.is_earned", help_text="The picture of a badge that is not earned is 404."
    )
    reason = serializers.CharField(source="badge.reason", help_text="Why it is earned, or what it is for.")
    image_url = serializers.CharField(help_text="SVG that follows the light or dark scheme by itself.")
    image_light_url = serializers.CharField()
    image_dark_url = serializers.CharField()
    width = serializers.IntegerField(source="picture.width", help_text="Pixels.")
    height = serializers.IntegerField(source="picture.height", help_text="Pixels.")
    page_url = serializers.CharField(help_text="Where the badge leads.")
    html = serializers.CharField()
    picture_html = serializers.CharField(help_text="HTML that chooses the light or the dark picture on the page.")
    markdown = serializers.CharField()


class BadgeEvidenceSerializer(serializers.Serializer[Any]):
    """What the last look that could be made saw; texts of the owner's website are data."""

    page_url = serializers.CharField(help_text="The page that was read, after redirects.")
    status = serializers.IntegerField(help_text="HTTP status.")
    at = serializers.CharField(help_text="Time of the look.")
    links_seen = serializers.IntegerField(help_text="Links that were looked at until the badge's was found.")
    href = serializers.CharField(allow_null=True, help_text="The link that was found, as it stands in the page.")
    snippet = serializers.CharField(allow_null=True, help_text="The beginning of its code.")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        shown: dict[str, Any] = super().to_representation({"href": None, "snippet": None, **instance})
        return shown


class BadgeCheckSerializer(serializers.Serializer[Listing]):
    is_needed = serializers.BooleanField(help_text="Whether a free launch still depends on the badge.")
    kind = serializers.CharField(help_text="The badge meant for that; any link to the site counts.")
    state = serializers.ChoiceField(
        source="badge_state",
        choices=Listing.BadgeState.choices,
        help_text="`absent` was looked for and not found; `unknown` is that we could not look.",
    )
    result = serializers.CharField(
        source="badge_result", help_text="What the last check found and when, and whether a new one is running."
    )
    started_at = serializers.DateTimeField(allow_null=True, help_text="When the check that is running was asked for.")
    checked_at = serializers.DateTimeField(source="badge_checked_at", allow_null=True)
    seen_at = serializers.DateTimeField(source="badge_seen_at", allow_null=True, help_text="When it was last found.")
    next_check_at = serializers.DateTimeField(allow_null=True)
    failed_checks = serializers.IntegerField(source="badge_failed_checks", help_text="Looks in a row without a badge.")
    missing_since = serializers.DateTimeField(source="badge_missing_since", allow_null=True)
    lose_at = serializers.DateTimeField(
        allow_null=True, help_text="From when on a scheduled launch without its badge loses its week."
    )
    evidence = BadgeEvidenceSerializer(source="badge_evidence", allow_null=True)


class BadgesSerializer(serializers.Serializer[Any]):
    items = BadgeSerializer(many=True)
    check = BadgeCheckSerializer()
