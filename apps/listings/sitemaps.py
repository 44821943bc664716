"""Listings and their updates in the sitemap."""

from datetime import datetime
from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Greatest
from django.urls import reverse

from apps.listings.models import Company, Listing, Update
from apps.listings.services.updates import live_updates
from apps.sites.models import Site
from apps.sites.seo.sitemaps import Address, BlockSection, Section


class ListingSection(BlockSection):
    """The live listings. Each changes with its texts, its company's facts and its updates."""

    def rows(self) -> QuerySet[Any]:
        newest = Update.objects.filter(listing=OuterRef("pk")).order_by("-created_at").values("created_at")[:1]
        # PostgreSQL's GREATEST ignores nulls.
        changed_at = Greatest(F("updated_at"), F("company__updated_at"), Subquery(newest))
        return Listing.objects.public().filter(site=self.site).only("slug").annotate(changed_at=changed_at)

    def address_of(self, row: Any) -> Address:
        return Address(row.path, row.changed_at)

    def changed_since(self, moment: datetime) -> list[str]:
        live = Listing.objects.public().filter(site=self.site)
        changed = live.filter(updated_at__gte=moment) | live.filter(company__updated_at__gte=moment)
        slugs = changed.order_by("-updated_at").values_list("slug", flat=True)
        return [reverse("listing", args=[slug]) for slug in slugs[: self.limit]]

    def changed_at(self) -> datetime | None:
        live = Listing.objects.public().filter(site=self.site, launched_at__isnull=False)
        companies = Company.objects.filter(Exists(live.filter(company=OuterRef("pk"))))
        result: Any = Site.objects.filter(pk=self.site.pk).values_list(
            Subquery(live.order_by("-updated_at").values("updated_at")[:1]),
            Subquery(companies.order_by("-updated_at").values("updated_at")[:1]),
            Subquery(live_updates().filter(listing__site=self.site).values("created_at")[:1]),
        )
        return max((moment for moment in result.get() if moment), default=None)


class UpdateSection(Section):
    """The list of latest updates. Each also appears on its listing's page."""

    def addresses(self) -> list[Address]:
        newest = live_updates().filter(listing__site=self.site).first()
        return [Address(reverse("updates"), newest.created_at if newest else None)]


SECTIONS = {"listings": ListingSection, "updates": UpdateSection}
