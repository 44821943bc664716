"""Stories and founders in the sitemap."""

from datetime import datetime
from typing import Any

from django.db.models import F, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Greatest
from django.urls import reverse

from apps.listings.models import Listing
from apps.sites.seo.sitemaps import Address, BlockSection
from apps.stories.views.founders import latest_launches, listed_founders
from apps.stories.views.stories import published_stories


class StorySection(BlockSection):
    """The list of stories and each published story."""

    list_route = "stories"

    def rows(self) -> QuerySet[Any]:
        return published_stories(self.site).annotate(changed_at=Greatest("updated_at", "published_at"))

    def address_of(self, row: Any) -> Address:
        return Address(reverse("story", args=[row.listing.slug]), row.changed_at)

    def changed_at(self) -> datetime | None:
        result: QuerySet[Any] = published_stories(self.site)
        newest = [
            result.order_by(f"-{name}").values_list(name, flat=True).first() for name in ("updated_at", "published_at")
        ]
        return max((moment for moment in newest if moment), default=None)


class FounderSection(BlockSection):
    """The list of founders and each founder's page."""

    list_route = "founders"

    def rows(self) -> QuerySet[Any]:
        live = Listing.objects.public().filter(site=self.site, company__owner=OuterRef("user"))
        latest = live.order_by().values("company__owner").annotate(latest=Max("launched_at")).values("latest")
        return listed_founders(self.site).annotate(changed_at=Greatest(F("updated_at"), Subquery(latest)))

    def address_of(self, row: Any) -> Address:
        return Address(reverse("founder", args=[row.slug]), row.changed_at)

    def changed_at(self) -> datetime | None:
        founders = listed_founders(self.site)
        changed_at = founders.order_by("-updated_at").values_list("updated_at", flat=True).first()
        launch = latest_launches(self.site).first()
        return max((moment for moment in (changed_at, launch and launch.launched_at) if moment), default=None)


SECTIONS = {"stories": StorySection, "founders": FounderSection}
