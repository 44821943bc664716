from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone


class WorkingText(models.Model):
    """What a person has typed into an editor and not saved yet: one field of a story, or one answer.

    It is theirs alone and shown nowhere but in the editor. `base` is the mark of the saved text that it was typed over,
    by which an edit that came in between is found.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    listing = models.ForeignKey(
        "listings.Listing", null=True, blank=True, on_delete=models.CASCADE, related_name="+", help_text="Of a story."
    )
    site = models.ForeignKey(
        "sites.Site", null=True, blank=True, on_delete=models.CASCADE, related_name="+", help_text="Of an interview."
    )
    name = models.CharField(max_length=20, help_text="title, a section, or the id of a question.")
    text = models.TextField(blank=True)
    base = models.CharField(max_length=64)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(listing__isnull=False, site__isnull=True)
                | models.Q(listing__isnull=True, site__isnull=False),
                name="working_text_is_of_a_story_or_an_interview",
            ),
            models.UniqueConstraint(
                fields=["user", "listing", "name"],
                condition=models.Q(listing__isnull=False),
                name="one_working_text_per_story_field",
            ),
            models.UniqueConstraint(
                fields=["user", "site", "name"],
                condition=models.Q(site__isnull=False),
                name="one_working_text_per_interview_answer",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}, not saved yet"
