"""Founder stories, interviews and unsaved text."""

from apps.stories.models.interviews import InterviewAnswer, InterviewQuestion, InterviewVersion
from apps.stories.models.stories import FounderStory, StoryQuerySet, StoryVersion
from apps.stories.models.unsaved import UnsavedText

__all__ = [
    "FounderStory",
    "InterviewAnswer",
    "InterviewQuestion",
    "InterviewVersion",
    "StoryQuerySet",
    "StoryVersion",
    "UnsavedText",
]
