"""Collections in the sitemap."""

from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from apps.curation.reading import listed_collections
from apps.sites.seo.sitemaps import Address, BlockSection


class CollectionSection(BlockSection):
    """The list of collections and each public one with enough listings."""

    list_route = "collections"

    def rows(self) -> QuerySet[Any]:
        return listed_collections(self.site)

    def address_of(self, row: Any) -> Address:
        return Address(row.path, row.changed_at)

    def changed_at(self) -> datetime | None:
        newest = listed_collections(self.site).order_by("-changed_at").values_list("changed_at", flat=True)
        return newest.first()


SECTIONS = {"collections": CollectionSection}
