"""Interviews in the API."""

from typing import Any

from django.urls import reverse
from rest_framework import serializers
from rest_framework.response import Response

from apps.accounts.actors import account_of, actor_of
from apps.core.api.operation import operation
from apps.core.api.scopes import Scope
from apps.core.api.serializers import PlainTextField, StatedListField, StrictIntegerField, StrictSerializer
from apps.core.api.views import ApiViewSet
from apps.sites.requests import SiteField, SiteQuery, SiteRequest, named_site
from apps.stories.models import InterviewAnswer, InterviewQuestion
from apps.stories.services import interviews

MAX_ANSWERS = 100
MAX_ID = 2**63 - 1


class InterviewQuestionSerializer(serializers.Serializer[InterviewQuestion]):
    id = serializers.IntegerField(help_text="Send it as question_id in answer_interview.")
    text = serializers.CharField()
    position = serializers.IntegerField()


class InterviewQuestionListSerializer(serializers.Serializer[Any]):
    items = InterviewQuestionSerializer(many=True)


class AnswerSerializer(StrictSerializer):
    """An answer to a question."""

    question_id = StrictIntegerField(
        min_value=1, max_value=MAX_ID, help_text="Question id from list_interview_questions."
    )
    answer = PlainTextField(
        allow_blank=True,
        multiline=True,
        max_length=InterviewAnswer.MAX_LENGTH,
        error_messages={"max_length": "Use up to {max_length} characters. This has %(show_value)s."},
        help_text="Plain text with blank lines between paragraphs. An empty string deletes the answer.",
    )


class AnswerInterviewSerializer(StrictSerializer):
    """Interview answers to save."""

    answers = StatedListField(
        child=AnswerSerializer(),
        max_length=MAX_ANSWERS,
        help_text="One per question.",
        error_messages={"not_a_list": "Send a list of objects with question_id and answer."},
    )
    site = SiteField()


class InterviewAnswerSerializer(serializers.Serializer[InterviewAnswer]):
    question_id = serializers.IntegerField()
    question = serializers.CharField(source="question.text")
    answer = serializers.CharField(source="text")
    updated_at = serializers.DateTimeField(help_text="When the text last changed.")


class InterviewSerializer(serializers.Serializer[Any]):
    """The account's interview on this site."""

    answers = InterviewAnswerSerializer(many=True, help_text="Answers to the site's current questions, in order.")
    unanswered = InterviewQuestionSerializer(many=True, help_text="Questions without an answer.")
    url = serializers.CharField(help_text="Page where the owner can read and edit the answers.")


class InterviewViewSet(ApiViewSet):
    @operation(
        scope=None,
        tag="Founder stories",
        summary="List interview questions",
        query=SiteQuery,
        returns=InterviewQuestionListSerializer,
    )
    def list_interview_questions(self, request: SiteRequest) -> Response:
        """List the questions this site asks founders, in order. Answer them with answer_interview."""
        site = named_site(request, self.parse_query(SiteQuery))
        questions = interviews.list_interview_questions(site=site)
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
        """Save the owner's answers to this site's founder interview. Answers are public immediately.

        Use question ids from list_interview_questions and the owner's own words. Only the answers you send
        change, and an empty list returns the current ones. If any entry is invalid, nothing is saved.
        """
        values = self.parse(AnswerInterviewSerializer)
        user, site = account_of(request), named_site(request, values)
        answers = interviews.answer_interview(
            user=user,
            site=site,
            answers=[interviews.Answer(entry["question_id"], entry["answer"]) for entry in values["answers"]],
            by=actor_of(request),
        )
        data = {
            "answers": answers,
            "unanswered": interviews.unanswered(answers, site=site),
            "url": site.url(reverse("edit_interview")),
        }
        return Response(InterviewSerializer(data).data)
