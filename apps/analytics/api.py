"""A listing's statistics in the API."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.analytics.series import DEFAULT_RANGE, RANGES, get_statistics
from apps.core.api.lists.includes import IncludeField, ShortAnswer
from apps.core.api.operation import operation
from apps.core.api.scopes import Scope
from apps.core.api.serializers import ListedChoiceField, QuerySerializer
from apps.listings.api.own_listing import OwnListingViewSet


class StatisticsQuery(QuerySerializer):
    days = ListedChoiceField(
        choices=list(RANGES), default=DEFAULT_RANGE, help_text="The last days, or all since launch."
    )
    include = IncludeField(("by_day",))


class NumbersSerializer(serializers.Serializer[Any]):
    views = serializers.IntegerField()
    visitors = serializers.IntegerField(help_text="Sum of each day's visitors.")
    clicks = serializers.IntegerField(help_text="Clicks to the website.")
    votes = serializers.IntegerField()


class DaySerializer(NumbersSerializer):
    day = serializers.DateField(help_text="A UTC day.")


class SourceSerializer(serializers.Serializer[Any]):
    source = serializers.CharField(source="name", help_text="Host that linked to the listing.")  # type: ignore[assignment] # the answer's name for it
    views = serializers.IntegerField()


class StatisticsSerializer(ShortAnswer):
    """A listing's statistics for a period."""

    on_request = frozenset({"by_day"})

    first_day = serializers.DateField()
    last_day = serializers.DateField()
    totals = NumbersSerializer()
    previous_totals = NumbersSerializer(
        allow_null=True, help_text="Totals of the same number of days before. Null if it wasn't live all the time."
    )
    sources = SourceSerializer(many=True, help_text="Where views came from, most first.")
    by_day = DaySerializer(many=True)


class StatisticsViewSet(OwnListingViewSet):
    @operation(
        scope=Scope.ACCOUNT_READ,
        tag="Own listings",
        summary="Get statistics",
        query=StatisticsQuery,
        returns=StatisticsSerializer,
    )
    def get_statistics(self, request: Request, listing_id: int) -> Response:
        """Get a listing's views, visitors, clicks and votes, with the period before and the sources of views."""
        query = self.parse_query(StatisticsQuery)
        return Response(StatisticsSerializer(get_statistics(self.target, key=query["days"]), context=query).data)
