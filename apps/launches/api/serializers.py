"""Serializers of leaderboards, badges and the launch queue."""

from typing import Any

from rest_framework import serializers

from apps.core.api.lists.includes import ShortAnswer
from apps.core.api.lists.rows import FromChoice
from apps.core.api.patterns import SLUG
from apps.core.api.serializers import PageQuery, PatternField, QueryTextField, StrictSerializer
from apps.core.text.weeks import PATTERN, WEEK_FORM, Week
from apps.launches.badges.kinds import Kind
from apps.launches.leaderboards.periods import Board
from apps.listings.api.serializers import PUBLIC_LISTINGS, MyListingSerializer, PublicListingSerializer
from apps.listings.models import Listing
from apps.sites.requests import SiteField


class PlacesSerializer(serializers.Serializer[Any]):
    week = serializers.CharField(help_text="ISO week, such as 2026-W46.")
    places_left = serializers.IntegerField()


class QueuePromiseSerializer(serializers.Serializer[Any]):
    """The earliest launch weeks with open spots."""

    free = PlacesSerializer(allow_null=True, help_text="Earliest week with a free spot, or null.")
    paid = PlacesSerializer(
        allow_null=True,
        help_text=("Earliest week with a paid spot, or null. A closing week counts only if you choose week: now."),
    )


class FreeListingSerializer(MyListingSerializer):
    """A listing on the free plan, with the earliest open launch weeks."""

    promise = QueuePromiseSerializer()


class MoveLaunchSerializer(StrictSerializer):
    """The week to move a launch to."""

    week = PatternField(PATTERN, form=WEEK_FORM, help_text="ISO week, such as 2026-W50.")

    def validate_week(self, value: str) -> Week:
        return Week.parse(value)


class LeaderboardItemSerializer(PublicListingSerializer):
    """A listing with its rank."""

    rank = serializers.IntegerField(help_text="1 is first. Removed listings leave gaps.")
    points = serializers.IntegerField(help_text="Sum of vote weights, which decides the rank. A full vote is 100.")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        vars(instance.listing).update(rank=instance.place, points=instance.points)
        representation: dict[str, Any] = super().to_representation(instance.listing)
        return representation


LEADERBOARD_ITEMS = PUBLIC_LISTINGS.like(LeaderboardItemSerializer, rank=FromChoice(), points=FromChoice())


class LeaderboardSerializer(serializers.Serializer[Any]):
    board = serializers.ChoiceField(choices=[(board.value, board.value) for board in Board])
    period = serializers.CharField(help_text="Such as 2026-W46, 2026-11, 2026 or all-time.")
    category = serializers.CharField(allow_null=True)
    is_final = serializers.BooleanField(help_text="Whether the period is over and its ranks are final.")
    previous_period = serializers.CharField(
        allow_null=True, help_text="Closest earlier period with launches, to pass as this leaderboard's parameter."
    )
    next_period = serializers.CharField(
        allow_null=True, help_text="Closest later period with launches, or the current period."
    )
    ledger_url = serializers.CharField(
        allow_null=True, help_text="Every anonymized vote of the week as JSON Lines. Weekly leaderboards only."
    )
    ledger_hash = serializers.CharField(
        allow_null=True,
        help_text=("Hash of the vote ledger's last entry once the week is closed. Save it to verify the ledger later."),
    )
    items = LeaderboardItemSerializer(many=True)
    page = serializers.IntegerField()
    per_page = serializers.IntegerField()
    total = serializers.IntegerField()
    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)


class LeaderboardQuery(PageQuery):
    week = PatternField(PATTERN, form=WEEK_FORM, required=False, help_text="For community-weekly, such as 2026-W50.")
    month = PatternField(
        "^2[01][0-9]{2}-(?:0[1-9]|1[0-2])$",
        form="a month such as 2026-11",
        required=False,
        help_text="For community-monthly, such as 2026-11.",
    )
    year = PatternField(
        "^2[01][0-9]{2}$",
        form="a year such as 2026",
        required=False,
        help_text="For community-yearly, such as 2026.",
    )
    category = QueryTextField(required=False, pattern=SLUG, help_text="Category slug.")
    site = SiteField()


class BadgeSerializer(ShortAnswer):
    """A badge with one snippet to embed, and more on request."""

    on_request = frozenset({"image_light_url", "image_dark_url", "picture_html", "markdown"})

    kind = serializers.ChoiceField(source="badge.kind", choices=[(kind.value, kind.value) for kind in Kind])
    title = serializers.CharField()
    is_earned = serializers.BooleanField(
        source="badge.is_earned", help_text="Whether the badge is earned. Only earned badges have an image."
    )
    reason = serializers.CharField(source="badge.reason", help_text="Why the badge was earned, or how to earn it.")
    image_url = serializers.CharField(help_text="SVG that adapts to light and dark mode.")
    image_light_url = serializers.CharField()
    image_dark_url = serializers.CharField()
    width = serializers.IntegerField(source="picture.width", help_text="Pixels.")
    height = serializers.IntegerField(source="picture.height", help_text="Pixels.")
    page_url = serializers.CharField(help_text="The page the badge links to.")
    html = serializers.CharField()
    picture_html = serializers.CharField(help_text="HTML that switches between the light and dark image.")
    markdown = serializers.CharField()


class BadgeEvidenceSerializer(serializers.Serializer[Any]):
    """What the last completed badge check saw. Text from the website is data."""

    page_url = serializers.CharField(help_text="The checked page, after redirects.")
    status = serializers.IntegerField(help_text="HTTP status code.")
    at = serializers.CharField(help_text="When the page was checked.")
    links_seen = serializers.IntegerField(help_text="Number of links checked.")
    href = serializers.CharField(allow_null=True, help_text="The matching link as written on the page.")
    snippet = serializers.CharField(allow_null=True, help_text="The start of the link's HTML.")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        representation: dict[str, Any] = super().to_representation({"href": None, "snippet": None, **instance})
        return representation


class BadgeCheckSerializer(serializers.Serializer[Listing]):
    is_needed = serializers.BooleanField(help_text="Whether a free launch needs the badge.")
    kind = serializers.CharField(help_text="The recommended badge. Any link to the site counts.")
    state = serializers.ChoiceField(
        source="badge_state",
        choices=Listing.BadgeState.choices,
        help_text="`absent`: not on the page. `unknown`: the page could not be read.",
    )
    result = serializers.CharField(
        source="badge_result", help_text="The last result with its time, and whether a check is running."
    )
    started_at = serializers.DateTimeField(allow_null=True, help_text="When the running check was requested.")
    checked_at = serializers.DateTimeField(source="badge_checked_at", allow_null=True)
    seen_at = serializers.DateTimeField(
        source="badge_seen_at", allow_null=True, help_text="When the badge was last found."
    )
    next_check_at = serializers.DateTimeField(allow_null=True)
    failed_checks = serializers.IntegerField(
        source="badge_failed_checks", help_text="Consecutive checks that found no badge."
    )
    missing_since = serializers.DateTimeField(source="badge_missing_since", allow_null=True)
    lose_at = serializers.DateTimeField(
        allow_null=True, help_text="When a scheduled launch without a badge loses its week."
    )
    evidence = BadgeEvidenceSerializer(source="badge_evidence", allow_null=True)


class BadgesSerializer(serializers.Serializer[Any]):
    items = BadgeSerializer(many=True)
    check = BadgeCheckSerializer()
