"""Listings and their updates in the sitemap."""

from datetime import datetime
from functools import cached_property
from typing import Any

from django.core.paginator import EmptyPage, Page, Paginator
from django.db import connection
from django.db.models import Exists, F, OuterRef, Subquery
from django.db.models.functions import Greatest
from django.urls import reverse

from apps.listings.models import Company, Listing, Update
from apps.listings.services.updates import live_updates
from apps.sites.models import Site
from apps.sites.seo.sitemaps import Address, Section


class ListingSection(Section):
    """The live listings. Each changes with its texts, its company's facts and its updates."""

    def items(self) -> Any:
        newest = Update.objects.filter(listing=OuterRef("pk")).order_by("-created_at").values("created_at")[:1]
        # PostgreSQL's GREATEST ignores nulls.
        changed_at = Greatest(F("updated_at"), F("company__updated_at"), Subquery(newest))
        found = Listing.objects.public().filter(site=self.site).only("slug")
        return found.annotate(changed_at=changed_at).order_by("pk")

    @cached_property
    def paginator(self) -> Paginator[Listing]:
        """Pages are blocks of ids, which are found without counting the listings."""
        return IdBlocks(self.items(), self.limit, site=self.site)

    def get_latest_lastmod(self) -> datetime | None:
        """The latest of all, each part by an index."""
        live = Listing.objects.public().filter(site=self.site, launched_at__isnull=False)
        companies = Company.objects.filter(Exists(live.filter(company=OuterRef("pk"))))
        found: Any = Site.objects.filter(pk=self.site.pk).values_list(
            Subquery(live.order_by("-updated_at").values("updated_at")[:1]),
            Subquery(companies.order_by("-updated_at").values("updated_at")[:1]),
            Subquery(live_updates().filter(listing__site=self.site).values("created_at")[:1]),
        )
        return max((moment for moment in found.get() if moment), default=None)


class IdBlocks(Paginator[Listing]):
    """Split a site's live listings into blocks of `per_page` ids. Empty blocks are not pages."""

    def __init__(self, items: Any, per_page: int, *, site: Site) -> None:
        super().__init__(items, per_page)
        self._items, self._site = items, site

    @cached_property
    def blocks(self) -> list[int]:
        """The numbers of the blocks that contain listings. One query, which jumps from block to block."""
        with connection.cursor() as cursor:
            cursor.execute(_BLOCKS_SQL, {"site": self._site.pk, "size": self.per_page})
            return [number for (number,) in cursor.fetchall()]

    @cached_property
    def count(self) -> int:
        """An upper bound of the number of listings."""
        return len(self.blocks) * self.per_page

    def page(self, number: int | str) -> Page[Listing]:
        """Return the listings of a block. Raises InvalidPage if there is no such block."""
        number = self.validate_number(number)
        if not self.blocks:
            raise EmptyPage
        first = self.blocks[number - 1] * self.per_page
        rows = self._items.filter(pk__gte=first, pk__lt=first + self.per_page)
        return Page(rows, number, self)


class UpdateSection(Section):
    """The list of latest updates. Each also appears on its listing's page."""

    def addresses(self) -> list[Address]:
        newest = live_updates().filter(listing__site=self.site).first()
        return [Address(reverse("updates"), newest.created_at if newest else None)]


_BLOCKS_SQL = """
    WITH RECURSIVE block AS (
        (SELECT id / %(size)s AS number FROM listings_listing
        WHERE site_id = %(site)s AND status = 'live' ORDER BY id LIMIT 1)
        UNION ALL
        SELECT following.number FROM block CROSS JOIN LATERAL (
            SELECT id / %(size)s AS number FROM listings_listing
            WHERE site_id = %(site)s AND status = 'live' AND id >= (block.number + 1) * %(size)s ORDER BY id LIMIT 1
        ) following
    )
    SELECT number FROM block ORDER BY number"""
