"""Interviews in the API."""

from django.urls import reverse
from rest_framework.response import Response

from apps.accounts.actors import actor_of
from apps.accounts.requests import account_of
from apps.core.api.operation import operation
from apps.core.api.scopes import Scope
from apps.core.api.views import ApiViewSet
from apps.sites.requests import SiteRequest
from apps.stories import interviews
from apps.stories.interview_serializers import (
    AnswerInterviewSerializer,
    InterviewQuestionListSerializer,
    InterviewSerializer,
)
from apps.stories.models import InterviewQuestion


class InterviewViewSet(ApiViewSet):
    @operation(
        scope=None,
        tag="Founder stories",
        summary="List interview questions",
        returns=InterviewQuestionListSerializer,
    )
    def list_interview_questions(self, request: SiteRequest) -> Response:
        """List the questions this site asks founders, in their order; answer_interview answers them."""
        questions = InterviewQuestion.objects.asked(request.site)
        return Response(InterviewQuestionListSerializer({"items": questions}).data)

    @operation(
        scope=Scope.LISTINGS_WRITE,
        tag="Founder stories",
        summary="Answer the interview",
        body=AnswerInterviewSerializer,
        returns=InterviewSerializer,
        idempotency_key=True,
    )
    def answer_interview(self, request: SiteRequest) -> Response:
        """Answer the questions this site asks founders, in the account owner's own words.

        Each entry of `answers` is {question_id, answer}, with an id from list_interview_questions. Only the answers
        that are sent change; an empty text removes one, and an empty list changes nothing and answers how the
        interview stands. All are plain text: HTML is shown as it is written. They are public as soon as they are
        saved, beside the account's founder stories on this site. An id that this site does not ask, a text that is
        too long or has too many web addresses, and two answers to one question are refused by their place in the
        list, and nothing is saved then. Every change is kept in the interview's history.
        """
        sent = self.parse(AnswerInterviewSerializer)["answers"]
        user = account_of(request)
        answers = interviews.answer_questions(
            user=user,
            site=request.site,
            answers=[interviews.Answer(entry["question_id"], entry["answer"]) for entry in sent],
            by=actor_of(request),
        )
        shown = {
            "answers": answers,
            "unanswered": interviews.unanswered(answers, site=request.site),
            "url": request.site.url(reverse("edit_interview")),
        }
        return Response(InterviewSerializer(shown).data)
