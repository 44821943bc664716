"""Shapes of interviews in the API."""

from typing import Any

from rest_framework import serializers

from apps.core.api.serializers import PlainTextField, StrictIntegerField, StrictSerializer
from apps.stories.models import InterviewAnswer, InterviewQuestion

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
