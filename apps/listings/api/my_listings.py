"""An owner's own listings in the API."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.actors import actor_of
from apps.core.api.lists.includes import include_query
from apps.core.api.operation import operation
from apps.core.api.pagination import page_answer, page_of
from apps.core.api.scopes import Scope
from apps.core.api.serializers import PageQuery
from apps.core.api.views import ApiViewSet
from apps.core.errors import unknown_id
from apps.listings.api.requests import NewMilestoneSerializer, UpdateListingSerializer
from apps.listings.api.serializers import (
    MY_LISTINGS,
    AddedMilestoneSerializer,
    MyListingSerializer,
    MyListingSummarySerializer,
    SiteChangeSerializer,
    UpdatedListingSerializer,
)
from apps.listings.models import Listing
from apps.listings.services import editing, milestones, moderation
from apps.listings.services.reading import get_my_listing, list_my_listings
from apps.listings.services.sections import shown_sections

MyListingQuery = include_query("founder_story", "pictures", "versions")


class MyListingViewSet(ApiViewSet):
    lookup_url_kwarg = "listing_id"

    def get_object(self) -> Listing:
        return get_my_listing(listing_id=self.kwargs["listing_id"], by=actor_of(self.request))

    @operation(
        scope=Scope.ACCOUNT_READ,
        tag="Own listings",
        summary="List my listings",
        query=PageQuery,
        returns=page_of(MyListingSummarySerializer),
    )
    def list_my_listings(self, request: Request) -> Response:
        """List the account's listings in every status and site, newest first. Use get_my_listing for details."""
        query = self.parse_query(PageQuery)
        result = list_my_listings(by=actor_of(request), read=MY_LISTINGS.page, **query)
        return Response(page_answer(result, request=request, **query))

    @operation(
        scope=Scope.ACCOUNT_READ,
        # Anyone who can choose the free plan must be able to follow the badge check.
        or_scope=Scope.LISTINGS_WRITE,
        tag="Own listings",
        summary="Get my listing",
        query=MyListingQuery,
        returns=MyListingSerializer,
    )
    def get_my_listing(self, request: Request, listing_id: int) -> Response:
        """Get one of the account's listings with its texts, launch week, sections and badge check.

        Read `blockers` for what holds up a free launch and `next_steps` for what the owner can do next. Scope
        listings:write is enough.
        """
        query = self.parse_query(MyListingQuery)
        return Response(MyListingSerializer(self.target, context=query).data)

    @operation(
        scope=Scope.LISTINGS_WRITE,
        tag="Own listings",
        summary="Update my listing",
        body=UpdateListingSerializer,
        returns=UpdatedListingSerializer,
        idempotency_key=True,
        idempotent=True,
    )
    def update_my_listing(self, request: Request, listing_id: int) -> Response:
        """Edit a listing. Changes are public immediately.

        Only the `fields` you send change. `socials` and `faqs` replace the whole list and go beside `fields`.
        Use `apply_to` to copy the headline, summary and SEO fields to the company's listings on other sites.
        `changed` and `applied` show the result, and `sections` shows what the plan hides.
        """
        values = self.parse(UpdateListingSerializer)
        beside = {name: values[name] for name in ("socials", "faqs") if name in values}
        edit = editing.update_my_listing(
            listing=self.target,
            fields=values.get("fields", {}) | beside,
            apply_to=values.get("apply_to", ()),
            by=actor_of(request),
        )
        representation = MyListingSerializer(self.get_object()).data
        representation["changed"] = edit.changed
        representation["next_steps"] = [*_steps_to_show(edit.changed, representation), *representation["next_steps"]]
        representation["applied"] = SiteChangeSerializer(edit.applied, many=True).data
        return Response(representation)

    @operation(
        scope=Scope.LISTINGS_WRITE,
        tag="Own listings",
        summary="Archive my listing",
        returns=MyListingSerializer,
        idempotency_key=True,
        destructive=True,
        idempotent=True,
    )
    def archive_listing(self, request: Request, listing_id: int) -> Response:
        """Remove a live listing from the directory for good. Its page, votes and badges go, and only staff can undo it.

        Get the owner's explicit approval first.
        """
        moderation.archive_listing(listing=self.target, by=actor_of(request))
        return Response(MyListingSerializer(self.get_object()).data)

    @operation(
        scope=Scope.LISTINGS_WRITE,
        tag="Own listings",
        summary="Add a milestone",
        body=NewMilestoneSerializer,
        returns=AddedMilestoneSerializer,
        status=201,
        idempotency_key=True,
    )
    def add_milestone(self, request: Request, listing_id: int) -> Response:
        """Add a dated milestone to a listing, up to 100 each.

        Milestones are public on paid listings or after unlocking the milestones section. Check
        `shown_on_listing`, and follow `next_steps` if it is false.
        """
        values = self.parse(NewMilestoneSerializer)
        milestone = milestones.add_milestone(listing=self.target, **values, by=actor_of(request))
        [section] = shown_sections(milestone.listing, [milestones.SECTION])
        vars(milestone).update(shown_on_listing=section.shown_on_listing, next_steps=section.next_steps)
        return Response(AddedMilestoneSerializer(milestone).data, status=201)

    @operation(
        scope=Scope.LISTINGS_WRITE,
        tag="Own listings",
        summary="Delete a milestone",
        returns=None,
        idempotency_key=True,
        destructive=True,
    )
    def delete_milestone(self, request: Request, listing_id: int, milestone_id: int) -> Response:
        """Delete a milestone. Find its id with get_my_listing."""
        milestone = self.target.milestones.select_related("listing").filter(pk=milestone_id).first()
        if milestone is None:
            raise unknown_id("get_my_listing", "This listing has no milestone with this id.")
        milestones.delete_milestone(milestone=milestone, by=actor_of(request))
        return Response(status=204)


def _steps_to_show(changed: list[str], representation: dict[str, Any]) -> list[str]:
    """Return what unlocks each section whose fields changed but which the plan hides."""
    return [
        section["next_steps"][0]
        for section in representation["sections"]
        if section["name"] not in representation["unlocked_sections"] and not set(section["fields"]).isdisjoint(changed)
    ]
