"""Launching and boards in the API."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.requests import account_of
from apps.core.errors import NotFound
from apps.core.operations import operation
from apps.core.pagination import paginate
from apps.core.scopes import Scope
from apps.core.views import ApiViewSet
from apps.launches import services
from apps.launches.boards import Board, Period, period_of, ranked
from apps.launches.calendar import Places, queue_promise
from apps.launches.serializers import (
    FreeListingSerializer,
    LeaderboardItemSerializer,
    LeaderboardQuery,
    LeaderboardSerializer,
)
from apps.listings.models import Listing
from apps.listings.serializers import MyListingSerializer
from apps.sites.requests import SiteRequest


class LaunchViewSet(ApiViewSet):
    lookup_url_kwarg = "listing_id"

    def get_queryset(self) -> QuerySet[Listing]:
        return Listing.objects.visible_to(account_of(self.request)).with_everything()

    @operation(
        scope=Scope.LISTINGS_WRITE,
        tag="Own listings",
        summary="Choose the free plan",
        returns=FreeListingSerializer,
        idempotency_key=True,
        idempotent=True,
    )
    def choose_free_listing(self, request: Request, listing_id: int) -> Response:
        """Choose the free plan for a submitted listing.

        It is queued for a launch week some weeks out once the site's badge is on the owner's website and the
        founder profile is complete; until then it is `awaiting_badge` and `blockers` say what is missing. The
        look for the badge runs in the background: read the listing again, or choose again to look again.
        `promise` names the first free and the first paid week with places left.
        """
        services.choose_free_listing(listing=self.target, by=account_of(request))
        listing = self.get_object()
        promise = queue_promise(listing.site)
        shown = MyListingSerializer(listing).data
        shown["promise"] = {"free": _shown(promise.free, "free"), "paid": _shown(promise.paid, "paid")}
        return Response(shown)


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
        """Get a board of this site: its listings in the order of their votes, for the current period or a past one."""
        query = self.parse_query(LeaderboardQuery)
        period = _period(board, query)
        category = query.get("category")
        page = paginate(
            ranked(request.site, period, category=category),
            request=request,
            page=query["page"],
            per_page=query["per_page"],
            item=LeaderboardItemSerializer,
        )
        return Response({"board": board, "period": period.name, "category": category, **page})


def _period(board: str, query: dict[str, Any]) -> Period:
    try:
        known = Board(board)
    except ValueError:
        raise NotFound(f"There is no such board. There are: {', '.join(Board)}.") from None
    try:
        return period_of(known, week=query.get("week"), month=query.get("month"), year=query.get("year"))
    except ValueError:
        raise ValidationError({"period": "There is no such week, month or year."}) from None


def _shown(places: Places, plan: str) -> dict[str, Any]:
    return {"week": str(places.week), "places_left": places.left(plan)}
