"""Founder stories in the API."""

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.actors import actor_of
from apps.accounts.requests import account_of
from apps.core.api.operation import operation
from apps.core.api.scopes import Scope
from apps.core.api.views import ApiViewSet
from apps.listings.guidance import blockers
from apps.listings.models import Listing
from apps.stories.api.serializers import SetStorySerializer, StoryOutcomeSerializer
from apps.stories.services import stories


class StoryViewSet(ApiViewSet):
    lookup_url_kwarg = "listing_id"
    listed_by = "list_my_listings"

    def get_queryset(self) -> QuerySet[Listing]:
        return Listing.objects.visible_to(account_of(self.request)).for_owner()

    @operation(
        scope=Scope.LISTINGS_WRITE,
        tag="Founder stories",
        summary="Set the founder story",
        body=SetStorySerializer,
        returns=StoryOutcomeSerializer,
        idempotency_key=True,
    )
    def set_founder_story(self, request: Request, listing_id: int) -> Response:
        """Write the founder story of one of the account's listings, in the owner's own words.

        Only the fields that are sent change; an empty text empties its section. All are plain text: HTML is shown as
        it is written. The story is published when it meets the site's rules (words, sections, title, links, and a
        complete founder profile with photo). Otherwise it is saved as a draft, and each entry of `missing` says what
        to do, with counts, and where; the draft is published by itself once nothing is missing. A text that is too
        long is refused with its limit, and nothing is saved then. An empty body changes no words, answers how the
        story stands, and does not publish what its owner took down. A published story stays when the site asks for
        more later; an edit that meets neither the rules of now nor those it was published by makes it a draft again.
        Visitors see it while its listing is live, as `shown_on_listing` says; before the launch `public_from` is the
        day it becomes public, and `url` a preview for its owner. Every version is kept.
        """
        fields = self.parse(SetStorySerializer)
        # A body without fields asks how the story stands: that does not publish what its owner took down.
        outcome = stories.set_founder_story(
            listing=self.target, fields=fields, publish=True if fields else None, by=actor_of(request)
        )
        return Response(StoryOutcomeSerializer(_shown(outcome)).data)


def _shown(outcome: stories.Outcome) -> dict[str, object]:
    story = outcome.story
    return {
        "title": story.title,
        "url": story.url,
        "published_at": story.published_at,
        "shown_on_listing": story.is_shown,
        "status": story.status,
        "missing": outcome.gaps,
        "public_from": story.public_from,
        "next_steps": blockers.story_steps(story),
    }
