from typing import ClassVar

from django.db import models

from apps.core.editing.unsaved import AbstractUnsavedText


class UnsavedText(AbstractUnsavedText):
    """Unsaved editor text of a story field or an answer."""

    listing = models.ForeignKey(
        "listings.Listing",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="+",
        help_text="Set for a story.",
    )
    site = models.ForeignKey(
        "sites.Site",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="+",
        help_text="Set for an interview.",
    )

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(listing__isnull=False, site__isnull=True)
                | models.Q(listing__isnull=True, site__isnull=False),
                name="unsaved_text_is_of_a_story_or_an_interview",
            ),
            models.UniqueConstraint(
                fields=["user", "listing", "name"],
                condition=models.Q(listing__isnull=False),
                name="one_unsaved_text_per_story_field",
            ),
            models.UniqueConstraint(
                fields=["user", "site", "name"],
                condition=models.Q(site__isnull=False),
                name="one_unsaved_text_per_interview_answer",
            ),
        ]
