"""Listings and their updates in the sitemap."""

from datetime import datetime
from typing import Any

from django.db.models import F, Max, OuterRef, Subquery
from django.db.models.functions import Greatest
from django.urls import reverse

from apps.listings.models import Listing, Update
from apps.listings.services.updates import live_updates
from apps.sites.seo.sitemaps import Address, Section


class ListingSection(Section):
    """The live listings; each changes with its texts, with its company's facts and with its updates."""

    def items(self) -> Any:
        newest = Update.objects.filter(listing=OuterRef("pk")).order_by("-created_at").values("created_at")[:1]
        # Of nothing and a time, PostgreSQL's GREATEST takes the time.
        changed_at = Greatest(F("updated_at"), F("company__updated_at"), Subquery(newest))
        found = Listing.objects.public().filter(site=self.site).only("slug")
        return found.annotate(changed_at=changed_at).order_by("pk")

    def get_latest_lastmod(self) -> datetime | None:
        """The latest of all, without reading the rows."""
        latest: datetime | None = self.items().aggregate(at=Max("changed_at"))["at"]
        return latest


class UpdateSection(Section):
    """The list of the latest updates; each of them stands on its listing's page."""

    def addresses(self) -> list[Address]:
        newest = live_updates().filter(listing__site=self.site).first()
        return [Address(reverse("updates"), newest.created_at if newest else None)]
