"""Shapes of boards and the launch queue in the API."""

from typing import Any

from rest_framework import serializers

from apps.core.api.serializers import PageQuery, PatternField
from apps.core.weeks import PATTERN
from apps.launches.leaderboards.periods import Board
from apps.listings.api.serializers import MyListingSerializer, PublicListingSerializer


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
