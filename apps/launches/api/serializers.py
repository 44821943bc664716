"""Shapes of boards and the launch queue in the API."""

from typing import Any

from rest_framework import serializers

from apps.core.api.serializers import PageQuery, PatternField
from apps.core.weeks import PATTERN
from apps.launches.badges.codes import BadgeCode
from apps.launches.badges.kinds import Kind
from apps.launches.leaderboards.periods import Board
from apps.listings.api.serializers import MyListingSerializer, PublicListingSerializer
from apps.listings.models import Listing


class PlacesSerializer(serializers.Serializer[Any]):
    week = serializers.CharField(help_text="ISO week such as 2026-W46.")
    places_left = serializers.IntegerField()


class QueuePromiseSerializer(serializers.Serializer[Any]):
    """The first weeks that a free and a paid launch would get now, with the places left in them."""

    free = PlacesSerializer(allow_null=True, help_text="First week with a free place; null when no week has one.")
    paid = PlacesSerializer(
        allow_null=True,
        help_text=(
            "First week with a paid place, which a launch gets without the option week; null when no week has one. In "
            "its last days the running week is passed over: the option week: now buys the rest of it."
        ),
    )


class FreeListingSerializer(MyListingSerializer):
    """A listing after the free plan was chosen, with the weeks that are free at the moment."""

    promise = QueuePromiseSerializer()


class LeaderboardItemSerializer(PublicListingSerializer):
    """A listing with its rank; it is given a standing with its `.place`."""

    rank = serializers.IntegerField(help_text="1 is the first. There are gaps where listings left later.")
    points = serializers.IntegerField(help_text="The votes' weights added up; 100 is a whole vote. Ranks go by them.")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        vars(instance.listing).update(rank=instance.place, points=instance.points)
        shown: dict[str, Any] = super().to_representation(instance.listing)
        return shown


class LeaderboardSerializer(serializers.Serializer[Any]):
    board = serializers.ChoiceField(choices=[(board.value, board.value) for board in Board])
    period = serializers.CharField(help_text="2026-W46, 2026-11, 2026 or all-time.")
    category = serializers.CharField(allow_null=True)
    is_final = serializers.BooleanField(help_text="The period is over and its ranks do not change any more.")
    previous_period = serializers.CharField(
        allow_null=True, help_text="The nearest earlier period with launches, for the parameter of this board."
    )
    next_period = serializers.CharField(allow_null=True, help_text="The nearest later one, or the current one.")
    ledger_url = serializers.CharField(
        allow_null=True, help_text="Weekly boards: every vote of the week, anonymised, as JSON Lines."
    )
    ledger_hash = serializers.CharField(
        allow_null=True, help_text="Hash of the ledger's last entry, once the week is closed. Note it to check later."
    )
    items = LeaderboardItemSerializer(many=True)
    page = serializers.IntegerField()
    per_page = serializers.IntegerField()
    total = serializers.IntegerField()
    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)


class LeaderboardQuery(PageQuery):
    week = PatternField(PATTERN, required=False, help_text="For community-weekly: an ISO week such as 2026-W47.")
    month = PatternField(
        "^2[01][0-9]{2}-(?:0[1-9]|1[0-2])$",
        required=False,
        help_text="For community-monthly: a month such as 2026-11.",
    )
    year = PatternField("^2[01][0-9]{2}$", required=False, help_text="For community-yearly: a year such as 2026.")
    category = serializers.SlugField(required=False, help_text="Slug of a category.")


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
