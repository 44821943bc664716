from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

SECTIONS = {
    "how_started": "How it started",
    "problem": "The problem",
    "what_built": "What we built",
    "hard_parts": "The hard parts",
    "milestones": "Milestones",
    "whats_next": "What’s next",
}


class StoryQuerySet(models.QuerySet["FounderStory"]):
    def published(self) -> "StoryQuerySet":
        """The stories that visitors see: published, on a live listing."""
        return self.filter(published_at__isnull=False, listing__status="live")


class FounderStory(models.Model):
    """A founder's story in their own words, section by section; plain text."""

    listing = models.OneToOneField("listings.Listing", on_delete=models.CASCADE, related_name="founder_story")
    title = models.CharField(max_length=90, blank=True)
    sections = models.JSONField(default=dict, blank=True, help_text="Text by section name.")
    published_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(auto_now=True)

    objects: ClassVar = StoryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "founder stories"

    def __str__(self) -> str:
        return self.title or f"Story of {self.listing}"

    @property
    def texts(self) -> list[tuple[str, list[str]]]:
        """The filled sections in their order, as (heading, paragraphs)."""
        return [
            (heading, [part.strip() for part in text.split("\n\n") if part.strip()])
            for name, heading in SECTIONS.items()
            if (text := self.sections.get(name, "").strip())
        ]


class InterviewQuestion(models.Model):
    """A question that a site asks its founders."""

    site = models.ForeignKey("sites.Site", on_delete=models.CASCADE, related_name="interview_questions")
    text = models.CharField(max_length=200)
    position = models.PositiveSmallIntegerField(default=0)
    is_active = models.BooleanField(default=True)

    class Meta:
        ordering: ClassVar = ["position", "id"]

    def __str__(self) -> str:
        return self.text


class InterviewAnswer(models.Model):
    """An account's answer to a question."""

    question = models.ForeignKey("stories.InterviewQuestion", on_delete=models.CASCADE, related_name="answers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="interview_answers")
    text = models.TextField(max_length=4000)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["question", "user"], name="one_answer_per_question_and_account")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} on {self.question_id}"
