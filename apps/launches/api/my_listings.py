"""What an owner does on the way to the launch, in the API."""

from typing import Any

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.requests import account_of
from apps.core.api.operation import operation
from apps.core.api.scopes import Scope
from apps.core.api.views import ApiViewSet
from apps.launches.api.my_listing_serializers import BadgesSerializer
from apps.launches.api.serializers import FreeListingSerializer, QueuePromiseSerializer
from apps.launches.badges.codes import code_of
from apps.launches.badges.kinds import Kind, all_badges
from apps.launches.badges.waiting import wait_for_check
from apps.launches.calendar.closing import queue_promise
from apps.launches.services import launch
from apps.listings.api.serializers import BadgeCheckStatusSerializer, MyListingSerializer
from apps.listings.guidance import badge_status, blockers
from apps.listings.guidance.badge_status import needs_badge
from apps.listings.models import Listing


class LaunchViewSet(ApiViewSet):
    lookup_url_kwarg = "listing_id"
    listed_by = "list_my_listings"

    def get_queryset(self) -> QuerySet[Listing]:
        return Listing.objects.visible_to(account_of(self.request)).with_everything()

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
        choice = launch.choose_free_listing(listing=self.target, by=account_of(request))
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
        return Response(BadgesSerializer(_badges(self.target)).data)


def _badges(listing: Listing) -> dict[str, Any]:
    is_needed = needs_badge(listing)
    return {
        "items": [code_of(badge, listing=listing) for badge in all_badges(listing)],
        "check": {
            "is_needed": is_needed,
            "kind": Kind.LAUNCHING_ON.value,
            "badge_state": listing.badge_state,
            "badge_result": badge_status.badge_message(listing) if is_needed else listing.badge_result,
            "started_at": listing.badge_check_requested_at if badge_status.is_checking(listing) else None,
            "badge_checked_at": listing.badge_checked_at,
            "badge_seen_at": listing.badge_seen_at,
            "next_check_at": listing.badge_check_at if is_needed else None,
            "badge_failed_checks": listing.badge_failed_checks,
            "badge_missing_since": listing.badge_missing_since,
            "lose_at": blockers.lose_at(listing),
            "badge_evidence": listing.badge_evidence or None,
        },
    }
