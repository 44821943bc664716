"""An owner's own listings in the API."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.actors import actor_of
from apps.core.api.operation import operation
from apps.core.api.pagination import page_answer, page_of
from apps.core.api.scopes import Scope
from apps.core.api.serializers import PageQuery
from apps.core.api.views import ApiViewSet
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
from apps.listings.services import editing, milestones
from apps.listings.services.own_listings import get_my_listing, list_my_listings
from apps.listings.services.sections import shown_sections


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
        """List every listing the account owns, in any status and on all sites, newest first."""
        query = self.parse_query(PageQuery)
        found = list_my_listings(by=actor_of(request), read=MY_LISTINGS.page, **query)
        return Response(page_answer(found, request=request, **query))

    @operation(
        scope=Scope.ACCOUNT_READ,
        # Whoever chooses the free plan has to be able to wait for the badge check.
        or_scope=Scope.LISTINGS_WRITE,
        tag="Own listings",
        summary="Get my listing",
        returns=MyListingSerializer,
    )
    def get_my_listing(self, request: Request, listing_id: int) -> Response:
        """Get one of the account's listings: status, plan, launch week, all facts and texts, its founder story, which
        paid `sections` visitors see and what unlocks the others, the newest edits in `versions`, `blockers` that hold
        up a free launch, the `badge_check`, and `next_steps` that the owner can take."""
        return Response(MyListingSerializer(self.target).data)

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
        """Change one of the account's listings; only what is sent changes, and edits are public at once.

        `fields` are the company's facts, which all sites share, and this site's headline, summary, description,
        categories, tags, alternatives and SEO texts. `socials` and `faqs` replace all that are there. `apply_to` also
        writes the headline, summary and SEO fields of this call to the same company's listings on other sites:
        ["all"], or keys of sites; nothing else travels. The answer is the listing with `changed`, the fields that
        are different now, and `applied`, for each of those sites what changed there or why not. What the plan does not
        show is saved all the same: `sections` says so, with what unlocks it. A changed website has the badge looked for
        there again. Every edit stays in `versions` with who made it and by what; the site team
        gets a copy.
        """
        values = self.parse(UpdateListingSerializer)
        beside = {name: values[name] for name in ("socials", "faqs") if name in values}
        edit = editing.update_my_listing(
            listing=self.target,
            fields=values.get("fields", {}) | beside,
            apply_to=values.get("apply_to", ()),
            by=actor_of(request),
        )
        shown = MyListingSerializer(self.get_object()).data
        shown["changed"] = edit.changed
        shown["next_steps"] = [*_steps_to_show(edit.changed, shown), *shown["next_steps"]]
        shown["applied"] = SiteChangeSerializer(edit.applied, many=True).data
        return Response(shown)

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
        """Add a milestone to one of the account's listings: what the company reached, and on which day.

        `date` is YYYY-MM-DD. Milestones show publicly on paid listings, or once the milestones section is unlocked;
        `shown_on_listing` says whether visitors see it, `next_steps` what is needed for that. A listing has 100 at
        most.
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
        """Remove a milestone from one of the account's listings; the version history keeps what it said."""
        milestone = get_object_or_404(self.target.milestones.select_related("listing"), pk=milestone_id)
        milestones.delete_milestone(milestone=milestone, by=actor_of(request))
        return Response(status=204)


def _steps_to_show(changed: list[str], shown: dict[str, Any]) -> list[str]:
    """For each section of which fields were changed but the plan does not show it, what unlocks it."""
    return [
        section["next_steps"][0]
        for section in shown["sections"]
        if section["name"] not in shown["unlocked_sections"] and not set(section["fields"]).isdisjoint(changed)
    ]
