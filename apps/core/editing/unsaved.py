"""Rows of unsaved text. Each app extends them with its own keys."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone


class AbstractUnsavedText(models.Model):
    """Text that a person typed into an editor's field and did not save yet.

    Only they see it, in the editor. `base` is the mark of the saved text it started from, which reveals edits made in
    between.
    """

    # Larger than every limit, so that text that is too long to save is kept until it is shortened.
    MAX_CHARACTERS: ClassVar = 40_000

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=20, help_text="title, a section, or the id of a question.")
    text = models.TextField(blank=True)
    base = models.CharField(max_length=64)
    updated_at = models.DateTimeField(default=timezone.now)

    objects: ClassVar = models.Manager["AbstractUnsavedText"]()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.name}, not saved yet"
