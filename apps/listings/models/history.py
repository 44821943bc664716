from typing import ClassVar

from django.db import models
from django.utils import timezone

from apps.core.versions.models import Version


class ListingVersion(Version):
    """What one edit changed in a company's facts, or in a listing's texts on its site.

    A row without a listing is about the company's facts, which all of its listings share. Rows of one call have the
    same `edit_id`.
    """

    company = models.ForeignKey("listings.Company", on_delete=models.CASCADE, related_name="versions")
    listing = models.ForeignKey(
        "listings.Listing", null=True, blank=True, on_delete=models.CASCADE, related_name="versions"
    )
    edit_id = models.UUIDField(db_index=True)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta(Version.Meta):
        indexes: ClassVar = [
            models.Index(fields=["company", "-id"], name="versions_of_company"),
            models.Index(fields=["listing", "-id"], name="versions_of_listing"),
        ]

    def __str__(self) -> str:
        return f"{self.listing or self.company}, version {self.pk}"
