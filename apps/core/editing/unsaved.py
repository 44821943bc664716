"""The rows that keep what is typed and not saved yet; each app has them with its own keys."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone


class AbstractUnsavedText(models.Model):
    """What a person has typed into a field of an editor and not saved yet.

    It is theirs alone and shown nowhere but in the editor. `base` is the mark of the saved text that it was typed over,
    by which an edit that came in between is found.
    """

    # Past every limit, so that what is too long to be saved is still kept until it is shortened.
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
