"""Stories and interviews in the API."""

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.actors import actor_of
from apps.accounts.requests import account_of
from apps.core.operations import operation
from apps.core.scopes import Scope
from apps.core.views import ApiViewSet
from apps.listings.models import Listing
from apps.sites.requests import SiteRequest
from apps.stories import services
from apps.stories.models import InterviewQuestion
from apps.stories.serializers import InterviewQuestionListSerializer, SetStorySerializer, StoryOutcomeSerializer


class StoryViewSet(ApiViewSet):
    lookup_url_kwarg = "listing_id"

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
        to do, with counts, and where; the draft is published by itself once nothing is missing. An empty body changes
        no words and answers how the story stands. A published story that falls below the rules by an edit is a draft
        again. Visitors see it while its listing is live, as `shown_on_listing` says. Every version is kept.
        """
        fields = self.parse(SetStorySerializer)
        outcome = services.set_story(listing=self.get_object(), fields=fields, by=actor_of(request))
        return Response(StoryOutcomeSerializer(_shown(outcome)).data)


class InterviewViewSet(ApiViewSet):
    @operation(
        scope=None,
        tag="Founder stories",
        summary="List interview questions",
        returns=InterviewQuestionListSerializer,
    )
    def list_interview_questions(self, request: SiteRequest) -> Response:
        """List the questions this site asks founders, in their order."""
        questions = InterviewQuestion.objects.asked(request.site)
        return Response(InterviewQuestionListSerializer({"items": questions}).data)


def _shown(outcome: services.Outcome) -> dict[str, object]:
    story = outcome.story
    return {
        "title": story.title,
        "url": services.story_url(story),
        "published_at": story.published_at,
        "shown_on_listing": story.is_shown,
        "status": story.status,
        "missing": outcome.gaps,
    }
