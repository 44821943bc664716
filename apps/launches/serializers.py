"""Shapes of boards and the launch queue in the API."""

from typing import Any

from rest_framework import serializers

from apps.core.serializers import PageQuery
from apps.launches.boards import Board
from apps.listings.models import Listing
from apps.listings.serializers import MyListingSerializer, PublicListingSerializer


class PlacesSerializer(serializers.Serializer[Any]):
    week = serializers.CharField(help_text="ISO week such as 2026-W46.")
    places_left = serializers.IntegerField()


class QueuePromiseSerializer(serializers.Serializer[Any]):
    free = PlacesSerializer(help_text="First week with a free place.")
    paid = PlacesSerializer(help_text="First week with a paid place.")


class FreeListingSerializer(MyListingSerializer):
    """A listing after the free plan was chosen, with the weeks that are free at the moment."""

    promise = QueuePromiseSerializer()


class LeaderboardItemSerializer(PublicListingSerializer):
    rank = serializers.IntegerField(help_text="1 is the first.")


class LeaderboardSerializer(serializers.Serializer[Listing]):
    board = serializers.ChoiceField(choices=[(board.value, board.value) for board in Board])
    period = serializers.CharField(help_text="2026-W46, 2026-11, 2026 or all-time.")
    category = serializers.CharField(allow_null=True)
    items = LeaderboardItemSerializer(many=True)
    page = serializers.IntegerField()
    per_page = serializers.IntegerField()
    total = serializers.IntegerField()
    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)


class LeaderboardQuery(PageQuery):
    week = serializers.RegexField(r"^\d{4}-W\d{2}$", required=False, help_text="For community-weekly: 2026-W46.")
    month = serializers.RegexField(r"^\d{4}-\d{2}$", required=False, help_text="For community-monthly: 2026-11.")
    year = serializers.RegexField(r"^\d{4}$", required=False, help_text="For community-yearly: 2026.")
    category = serializers.SlugField(required=False, help_text="Slug of a category.")
