"""Boards in the API."""

from typing import Any

from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from apps.core.api.operation import operation
from apps.core.api.pagination import paginate
from apps.core.api.views import ApiViewSet
from apps.core.errors import NotFound
from apps.launches.api.serializers import LeaderboardItemSerializer, LeaderboardQuery, LeaderboardSerializer
from apps.launches.leaderboards.boards import Leaderboard, get_leaderboard
from apps.launches.leaderboards.periods import PARAMETERS, Board, Period, period_of
from apps.listings.api.search import read_category
from apps.sites.requests import SiteRequest


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
                description="Which board.",
            )
        ],
    )
    def get_leaderboard(self, request: SiteRequest, board: str) -> Response:
        """Get a board of this site: its launches in the order of their votes, for the current period or a past one.

        Votes count in the week of the launch. Once that week is closed its ranks are final (`is_final`), and
        `ledger_url` leads to every vote, anonymised, from which the ranks can be computed again. Ranks have gaps where
        listings left the site later.
        """
        query = self.parse_query(LeaderboardQuery)
        slug = query.get("category", "")
        try:
            shown = get_leaderboard(site=request.site, period=_period(board, query), category=slug)
        except NotFound:
            if slug:
                # Its refusal names the categories that there are.
                read_category(request.site, slug)
            raise
        page = paginate(
            shown.standings,
            request=request,
            page=query["page"],
            per_page=query["per_page"],
            item=LeaderboardItemSerializer,
        )
        return Response({**_described(shown), **page})


def _period(board: str, query: dict[str, Any]) -> Period:
    try:
        known = Board(board)
    except ValueError:
        raise NotFound(f"There is no such board. There are: {', '.join(Board)}.") from None
    mine = PARAMETERS.get(known, "")
    for other in set(PARAMETERS.values()) - {mine}:
        if other in query:
            hint = f"It takes {mine}." if mine else "It has no periods."
            raise ValidationError({other: f"{known} takes no {other}. {hint}"})
    try:
        return period_of(known, query.get(mine))
    except ValueError:
        raise ValidationError({mine: f"There is no such {mine}."}) from None


def _described(shown: Leaderboard) -> dict[str, Any]:
    ledger = shown.ledger
    return {
        "board": shown.period.board.value,
        "period": shown.period.name,
        "category": shown.category.slug if shown.category else None,
        "is_final": shown.is_final,
        "previous_period": shown.previous.name if shown.previous else None,
        "next_period": shown.following.name if shown.following else None,
        "ledger_url": ledger.site.url(reverse("ledger", args=[ledger.iso_week])) if ledger else None,
        "ledger_hash": ledger.head if ledger and ledger.closed_at else None,
    }
