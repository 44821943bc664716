"""API operations that lead an owner's listing to its launch."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.actors import actor_of
from apps.core.api.lists.includes import include_query
from apps.core.api.operation import operation
from apps.core.api.scopes import Scope
from apps.launches.api.serializers import (
    BadgeSerializer,
    BadgesSerializer,
    FreeListingSerializer,
    MoveLaunchSerializer,
    QueuePromiseSerializer,
)
from apps.launches.badges.checks import wait_for_check
from apps.launches.badges.codes import get_badges
from apps.launches.calendar.closing import queue_promise
from apps.launches.services import launch
from apps.launches.services.reschedule import move_launch
from apps.listings.api.own_listing import OwnListingViewSet
from apps.listings.api.serializers import BadgeCheckStatusSerializer, MyListingSerializer
from apps.listings.guidance import badge_status

BadgesQuery = include_query(*sorted(BadgeSerializer.on_request))


class LaunchViewSet(OwnListingViewSet):
    def after_badge_check(self, response: Response) -> Response:
        """Return the answer with the badge check's result, if the check finishes while the caller can wait."""
        check = response.data["badge_check"]
        if check is None or check["status"] != badge_status.CHECKING or not wait_for_check(self.target.pk):
            return response
        return Response(self._chosen())

    @operation(
        scope=Scope.LISTINGS_WRITE,
        tag="Own listings",
        summary="Choose the free plan",
        returns=FreeListingSerializer,
        idempotency_key=True,
        idempotent=True,
        settle=after_badge_check,
    )
    def choose_free_listing(self, request: Request, listing_id: int) -> Response:
        """Choose the free plan for a submitted listing and check its website for the badge.

        The listing joins the launch queue once the badge is found and the founder profile is complete. Until
        then, `blockers` lists what to do. If `badge_check` is `checking`, call get_my_listing after
        `retry_after_seconds`. Limit: 10 checks per hour.
        """
        choice = launch.choose_free_listing(listing=self.target, by=actor_of(request))
        return Response(self._chosen(refused_for=choice.refused_for))

    def _chosen(self, *, refused_for: int | None = None) -> dict[str, Any]:
        """Return the listing's current state for choose_free_listing."""
        listing = self.get_object()
        representation: dict[str, Any] = MyListingSerializer(listing).data
        check = badge_status.badge_check(listing, refused_for=refused_for)
        representation["badge_check"] = BadgeCheckStatusSerializer(check).data if check else None
        representation["promise"] = QueuePromiseSerializer(queue_promise(listing.site)).data
        return representation

    @operation(
        scope=Scope.LISTINGS_WRITE,
        tag="Own listings",
        summary="Move a launch",
        body=MoveLaunchSerializer,
        returns=MyListingSerializer,
        destructive=True,
        idempotent=True,
    )
    def move_launch(self, request: Request, listing_id: int) -> Response:
        """Move a scheduled launch to another week with a free spot. list_weeks has the spots.

        The current week launches it immediately, which can't be undone, so ask the owner first.
        """
        move_launch(listing=self.target, week=self.parse(MoveLaunchSerializer)["week"], by=actor_of(request))
        return Response(MyListingSerializer(self.get_object()).data)

    @operation(
        scope=Scope.ACCOUNT_READ,
        tag="Own listings",
        summary="Get badges",
        query=BadgesQuery,
        returns=BadgesSerializer,
    )
    def get_badges(self, request: Request, listing_id: int) -> Response:
        """Get a listing's badges, with HTML to embed.

        A free launch needs a link to this site on the company's website. The `launching_on` badge works best.
        `check` shows the last badge check and, if the badge is missing, the deadline. After adding it, call
        choose_free_listing.
        """
        query = self.parse_query(BadgesQuery)
        return Response(BadgesSerializer(get_badges(listing=self.target), context=query).data)
