from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from apps.core.stores.valkey.generations import LISTS, founder_name, site_name
from apps.core.stores.valkey.watch import PublicRow
from apps.core.versions.models import Version
from apps.sites.models import Site


class QuestionQuerySet(models.QuerySet["InterviewQuestion"]):
    def asked(self, site: Site) -> "QuestionQuerySet":
        """Return the site's current questions, in order."""
        return self.filter(site=site, is_active=True).order_by("position", "id")


class InterviewQuestion(PublicRow):
    """A question a site asks its founders."""

    site = models.ForeignKey("sites.Site", on_delete=models.CASCADE, related_name="interview_questions")
    text = models.CharField(max_length=200)
    position = models.PositiveSmallIntegerField(default=0)
    is_active = models.BooleanField(
        default=True, help_text="Clear to stop asking this question. Its answers are kept but hidden."
    )

    objects: ClassVar = QuestionQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["position", "id"]

    def __str__(self) -> str:
        return self.text

    def generations(self) -> tuple[str, ...]:
        return (site_name(self.site_id),)


class InterviewAnswer(PublicRow):
    """An account's answer to a question, as plain text."""

    MAX_LENGTH: ClassVar = 4000

    question = models.ForeignKey("stories.InterviewQuestion", on_delete=models.PROTECT, related_name="answers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="interview_answers")
    text = models.TextField(max_length=MAX_LENGTH)
    answered_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now, help_text="When the text last changed.")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["question", "user"], name="one_answer_per_question_and_account"),
            models.CheckConstraint(condition=~models.Q(text=""), name="interview_answer_has_words"),
        ]

    def __str__(self) -> str:
        return str(self.question)

    def generations(self) -> tuple[str, ...]:
        return founder_name(self.user_id), LISTS


class InterviewVersion(Version):
    """A saved change of an account's answers on a site.

    The `field` of a change is the question's ID as a string. Before or after is empty without an answer. `snapshot` has
    all answers on the site, including those to hidden questions.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="interview_versions")
    site = models.ForeignKey("sites.Site", on_delete=models.CASCADE, related_name="+")

    class Meta(Version.Meta):
        indexes: ClassVar = [models.Index(fields=["user", "site", "-id"], name="versions_of_interview")]

    def __str__(self) -> str:
        return f"Interview of {self.user_id}, version {self.pk}"
