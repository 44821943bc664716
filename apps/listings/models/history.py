from typing import ClassVar

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils import timezone


class ListingVersion(models.Model):
    """What one edit made of a company's facts, or of a listing's texts on its site.

    A row without a listing is about the company's facts, which all of its listings share. Rows of one call have the
    same `edit_id`. `changes` is `[{field, before, after}]`; `snapshot` has the value of every field after the edit,
    so that a version can be restored from its row alone.
    """

    class Via(models.TextChoices):
        BROWSER = "browser"
        KEY = "key"
        ASSISTANT = "assistant"
        ADMIN = "admin"
        SYSTEM = "system"

    company = models.ForeignKey("listings.Company", on_delete=models.CASCADE, related_name="versions")
    listing = models.ForeignKey(
        "listings.Listing", null=True, blank=True, on_delete=models.CASCADE, related_name="versions"
    )
    edit_id = models.UUIDField(db_index=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    via = models.CharField(max_length=12, choices=Via)
    credential = models.CharField(max_length=255, blank=True, help_text="Name of the API key or of the client.")
    changes = models.JSONField(default=list, encoder=DjangoJSONEncoder)
    snapshot = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    restored_from = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        indexes: ClassVar = [
            models.Index(fields=["company", "-id"], name="versions_of_company"),
            models.Index(fields=["listing", "-id"], name="versions_of_listing"),
        ]

    def __str__(self) -> str:
        return f"{self.listing or self.company}, version {self.pk}"
