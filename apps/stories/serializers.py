"""Shapes of stories and interviews in the API."""

from typing import Any

from rest_framework import serializers

from apps.stories.models import InterviewQuestion


class InterviewQuestionSerializer(serializers.Serializer[InterviewQuestion]):
    id = serializers.IntegerField(help_text="Used as question_id in an answer.")
    text = serializers.CharField()
    position = serializers.IntegerField()


class InterviewQuestionListSerializer(serializers.Serializer[Any]):
    items = InterviewQuestionSerializer(many=True)
