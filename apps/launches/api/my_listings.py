"""What an owner does on the way to the launch, in the API."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.actors import actor_of
from apps.core.api.operation import operation
from apps.core.api.scopes import Scope
from apps.core.api.views import ApiViewSet
from apps.launches.api.serializers import BadgesSerializer, FreeListingSerializer, QueuePromiseSerializer
from apps.launches.badges.checks import wait_for_check
from apps.launches.badges.codes import get_badges
from apps.launches.calendar.closing import queue_promise
from apps.launches.services import launch
from apps.listings.api.serializers import BadgeCheckStatusSerializer, MyListingSerializer
from apps.listings.guidance import badge_status
from apps.listings.models import Listing
from apps.listings.services.own_listings import get_my_listing


class LaunchViewSet(ApiViewSet):
    lookup_url_kwarg = "listing_id"

    def get_object(self) -> Listing:
        return get_my_listing(listing_id=self.kwargs["listing_id"], by=actor_of(self.request))

    def after_badge_check(self, response: Response) -> Response:
        """The answer with what the badge check found, if it finishes while the caller can be kept."""
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
        """Choose the free plan for a submitted listing.

        It is queued for a launch week some weeks out once the site's badge is on the owner's website and the
        founder profile is complete; until then it is `awaiting_badge` and `blockers` say what is missing.
        Each call checks the website for the badge, up to 10 times an hour, and waits up to 10 seconds for the result in
        `badge_check`. While that is `checking`, read the listing again with get_my_listing after `retry_after_seconds`.
        `promise` names the first free and the first paid week with places left.
        """
        choice = launch.choose_free_listing(listing=self.target, by=actor_of(request))
        return Response(self._chosen(refused_for=choice.refused_for))

    def _chosen(self, *, refused_for: int | None = None) -> dict[str, Any]:
        """The listing as it is now, for the answer of choose_free_listing."""
        listing = self.get_object()
        shown: dict[str, Any] = MyListingSerializer(listing).data
        check = badge_status.badge_check(listing, refused_for=refused_for)
        shown["badge_check"] = BadgeCheckStatusSerializer(check).data if check else None
        shown["promise"] = QueuePromiseSerializer(queue_promise(listing.site)).data
        return shown

    @operation(
        scope=Scope.ACCOUNT_READ,
        tag="Own listings",
        summary="Get badges",
        returns=BadgesSerializer,
    )
    def get_badges(self, request: Request, listing_id: int) -> Response:
        """Get the badges of one of the account's listings, with HTML and Markdown code for the owner's website.

        A free launch needs a link to the site on the company's website, best as the badge `launching_on`: `check` says
        what the last look for it found, when the next one is, and until when a missing badge must be back. All kinds
        are listed; those with `is_earned` have a picture.
        """
        return Response(BadgesSerializer(get_badges(listing=self.target)).data)
