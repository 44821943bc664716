from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models

from apps.core.stores.valkey.generations import site_name
from apps.core.stores.valkey.watch import PublicRow


class Category(PublicRow):
    """A category of one site's directory."""

    site = models.ForeignKey("sites.Site", on_delete=models.CASCADE, related_name="categories")
    slug = models.SlugField(max_length=40)
    name = models.CharField(max_length=40)
    synonyms = ArrayField(
        models.CharField(max_length=40),
        default=list,
        blank=True,
        help_text=(
            "Words and phrases that put a draft into this category. End one with ? if it only counts together "
            "with others, or with * to match the start of words. Start one with - to exclude it."
        ),
    )
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["position", "name"]
        verbose_name_plural = "categories"
        constraints: ClassVar = [models.UniqueConstraint(fields=["site", "slug"], name="one_category_per_slug")]

    def __str__(self) -> str:
        return self.name

    def generations(self) -> tuple[str, ...]:
        return (site_name(self.site_id),)
