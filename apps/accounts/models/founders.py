"""Founder profiles."""

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.urls import reverse

from apps.core.stores.valkey.generations import LISTS, founder_name
from apps.core.stores.valkey.watch import PublicRow


class FounderProfile(PublicRow):
    """The person behind a company, shown with their story and required for a free launch.

    `photo_key` names the photo's files: square WebP and JPEG crops. The upload isn't kept. `slug` is part of the
    founder page's URL and set with the first real name.
    """

    MAX_LINKS: ClassVar = 5

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="founder_profile")
    slug = models.SlugField(max_length=90, null=True, blank=True, unique=True)  # noqa: DJ001 - unique, and NULL for people without a page
    real_name = models.CharField(max_length=80, blank=True)
    role = models.CharField(max_length=80, blank=True)
    bio = models.TextField(max_length=1000, blank=True)
    links = ArrayField(models.CharField(max_length=300), default=list, blank=True, help_text="https URLs.")
    photo_key = models.CharField(max_length=64, blank=True, help_text="Folder of the photo's files in the storage.")
    photo_pixels = models.PositiveSmallIntegerField(
        default=0, help_text="Width and height in pixels of the cropped photo."
    )
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(photo_key="", photo_pixels=0)
                | (~models.Q(photo_key="") & models.Q(photo_pixels__gt=0)),
                name="founder_photo_has_its_size",
            ),
            models.CheckConstraint(condition=models.Q(links__len__lte=5), name="founder_has_five_links_at_most"),
            models.CheckConstraint(condition=~models.Q(slug=""), name="founder_page_has_an_address_or_none"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["-updated_at"], condition=models.Q(slug__isnull=False), name="founder_changes"),
        ]

    @property
    def path(self) -> str:
        """The path of the founder's page, if they have one."""
        return reverse("founder", args=[self.slug])

    def __str__(self) -> str:
        return self.real_name or str(self.user)

    def generations(self) -> tuple[str, ...]:
        return founder_name(self.user_id), LISTS
