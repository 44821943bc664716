"""Leaderboards in the API."""

from typing import Any

from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from apps.core.api.operation import operation
from apps.core.api.pagination import page_answer
from apps.core.api.views import ApiViewSet
from apps.core.errors import NotFound
from apps.launches.api.serializers import LEADERBOARD_ITEMS, LeaderboardQuery, LeaderboardSerializer
from apps.launches.leaderboards.boards import Leaderboard, get_leaderboard
from apps.launches.leaderboards.periods import PARAMETERS, Board, Period, period_of
from apps.listings.api.search import read_category
from apps.sites.requests import SiteRequest, named_site


class LeaderboardViewSet(ApiViewSet):
    @operation(
        scope=None,
        tag="Directory",
        summary="Get a leaderboard",
        query=LeaderboardQuery,
        returns=LeaderboardSerializer,
        parameters=[
            OpenApiParameter(
                "board",
                OpenApiTypes.STR,
                OpenApiParameter.PATH,
                enum=[board.value for board in Board],
            )
        ],
    )
    def get_leaderboard(self, request: SiteRequest, board: str) -> Response:
        """Get this site's leaderboard for a week, month, year or all time, with the current period as the default.

        Ranks are final once `is_final` is true. For a week, `ledger_url` links to every anonymized vote, so anyone can
        recompute the result. Ranks can have gaps where listings were removed.
        """
        query = self.parse_query(LeaderboardQuery)
        site, slug = named_site(request, query), query.get("category", "")
        try:
            leaderboard = get_leaderboard(site=site, period=_period(board, query), category=slug)
        except NotFound:
            if slug:
                # Its error lists the valid categories.
                read_category(site, slug)
            raise
        place = {"page": query["page"], "per_page": query["per_page"]}
        result = leaderboard.standings.page(read=LEADERBOARD_ITEMS.page, **place)
        return Response({**_described(leaderboard), **page_answer(result, request=request, **place)})


def _period(board: str, query: dict[str, Any]) -> Period:
    try:
        known = Board(board)
    except ValueError:
        raise NotFound(f"Unknown leaderboard. Use one of: {', '.join(Board)}.") from None
    mine = PARAMETERS.get(known, "")
    for other in set(PARAMETERS.values()) - {mine}:
        if other in query:
            hint = f"Send {mine} instead." if mine else "Leave it out."
            raise ValidationError({other: f"{known} doesn't take {other}. {hint}"})
    try:
        return period_of(known, query.get(mine))
    except ValueError:
        raise ValidationError({mine: f"This {mine} doesn't exist."}) from None


def _described(board: Leaderboard) -> dict[str, Any]:
    ledger = board.ledger
    return {
        "board": board.period.board.value,
        "period": board.period.name,
        "category": board.category.slug if board.category else None,
        "is_final": board.is_final,
        "previous_period": board.previous.name if board.previous else None,
        "next_period": board.following.name if board.following else None,
        "ledger_url": ledger.site.url(reverse("ledger", args=[ledger.iso_week])) if ledger else None,
        "ledger_hash": ledger.head if ledger and ledger.closed_at else None,
    }
