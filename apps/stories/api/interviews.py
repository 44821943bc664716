"""Interviews in the API."""

from typing import Any

from django.urls import reverse
from rest_framework import serializers
from rest_framework.response import Response

from apps.accounts.actors import account_of, actor_of
from apps.core.api.operation import operation
from apps.core.api.scopes import Scope
from apps.core.api.serializers import PlainTextField, StrictIntegerField, StrictSerializer
from apps.core.api.views import ApiViewSet
from apps.sites.requests import SiteRequest
from apps.stories.models import InterviewAnswer, InterviewQuestion
from apps.stories.services import interviews

MAX_ANSWERS = 100
MAX_ID = 2**63 - 1


class InterviewQuestionSerializer(serializers.Serializer[InterviewQuestion]):
    id = serializers.IntegerField(help_text="Used as question_id in an answer.")
    text = serializers.CharField()
    position = serializers.IntegerField()


class InterviewQuestionListSerializer(serializers.Serializer[Any]):
    items = InterviewQuestionSerializer(many=True)


class AnswerSerializer(StrictSerializer):
    """One answer to one question."""

    question_id = StrictIntegerField(
        min_value=1, max_value=MAX_ID, help_text="The id of a question, from list_interview_questions."
    )
    answer = PlainTextField(
        allow_blank=True,
        multiline=True,
        max_length=InterviewAnswer.MAX_LENGTH,
        error_messages={"max_length": "This has %(show_value)s characters, {max_length} at most."},
        help_text="Plain text, with blank lines between paragraphs; an empty one removes the answer.",
    )


class AnswerInterviewSerializer(StrictSerializer):
    """Answers of the interview."""

    answers = serializers.ListField(
        child=AnswerSerializer(),
        max_length=MAX_ANSWERS,
        help_text="Answers to write, one a question; those to other questions stay.",
    )


class InterviewAnswerSerializer(serializers.Serializer[InterviewAnswer]):
    question_id = serializers.IntegerField()
    question = serializers.CharField(source="question.text")
    answer = serializers.CharField(source="text")
    updated_at = serializers.DateTimeField(help_text="When its words last changed.")


class InterviewSerializer(serializers.Serializer[Any]):
    """An account's interview on a site, after it was written."""

    answers = InterviewAnswerSerializer(many=True, help_text="All answers to what the site asks now, in its order.")
    unanswered = InterviewQuestionSerializer(many=True, help_text="What the site asks that has no answer yet.")
    url = serializers.CharField(help_text="Where the person reads and changes their answers.")


class InterviewViewSet(ApiViewSet):
    @operation(
        scope=None,
        tag="Founder stories",
        summary="List interview questions",
        returns=InterviewQuestionListSerializer,
    )
    def list_interview_questions(self, request: SiteRequest) -> Response:
        """List the questions this site asks founders, in their order; answer_interview answers them."""
        questions = interviews.list_interview_questions(site=request.site)
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
        answers = interviews.answer_interview(
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
