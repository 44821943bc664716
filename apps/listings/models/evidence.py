from typing import ClassVar

from django.db import models

from apps.core.stores.valkey.generations import listing_name
from apps.core.stores.valkey.watch import PublicRow


class ListingEvidence(PublicRow):
    """The sources of a listing's facts, found by its drafts and kept for visitors.

    A separate row, because only the listing's page reads it. `facts` is `[{field, value, page_url, snippet, is_worded,
    read_at}]`. A fact counts only while its value is in the listing, so an edit needs no write here.
    """

    listing = models.OneToOneField("listings.Listing", on_delete=models.CASCADE, related_name="evidence")
    website_key = models.CharField(max_length=300, help_text="The key of the website that was read.")
    facts = models.JSONField(default=list, blank=True)

    class Meta:
        verbose_name_plural = "listing evidence"
        constraints: ClassVar = [
            models.CheckConstraint(condition=~models.Q(website_key=""), name="evidence_has_its_website"),
        ]

    def __str__(self) -> str:
        return f"Evidence for {self.listing_id}"

    def generations(self) -> tuple[str, ...]:
        return (listing_name(self.listing_id),)
