from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex, OpClass
from django.db import models


class SearchWord(models.Model):
    """A word of a listing on a site, used to correct typos.

    It may remain when no listing has it any more. A search checks whether a live one does.
    """

    site = models.ForeignKey("sites.Site", on_delete=models.CASCADE, related_name="+")
    word = models.TextField()
    deletions = ArrayField(
        models.TextField(), help_text="The word itself, and the word without each one of its letters."
    )

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["site", "word"], name="one_search_word_per_site")]
        indexes: ClassVar = [
            GinIndex(fields=["deletions"], name="search_word_deletions"),
            GinIndex(OpClass("word", name="gin_trgm_ops"), name="search_word_trigrams"),
        ]

    def __str__(self) -> str:
        return self.word
