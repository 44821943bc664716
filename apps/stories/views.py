"""Stories and interviews in the API."""

from rest_framework.response import Response

from apps.core.operations import operation
from apps.core.views import ApiViewSet
from apps.sites.requests import SiteRequest
from apps.stories.models import InterviewQuestion
from apps.stories.serializers import InterviewQuestionListSerializer


class InterviewViewSet(ApiViewSet):
    @operation(
        scope=None,
        tag="Founder stories",
        summary="List interview questions",
        returns=InterviewQuestionListSerializer,
    )
    def list_interview_questions(self, request: SiteRequest) -> Response:
        """List the questions this site asks founders, in their order."""
        questions = InterviewQuestion.objects.filter(site=request.site, is_active=True)
        return Response(InterviewQuestionListSerializer({"items": questions}).data)
