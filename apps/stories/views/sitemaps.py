"""Stories and founders in the sitemap."""

from datetime import datetime
from typing import Any

from django.db.models.functions import Greatest
from django.urls import reverse

from apps.sites.seo.sitemaps import Address, Section
from apps.stories.views.founders import listed_founders
from apps.stories.views.stories import published_stories


class StorySection(Section):
    """The list of stories and each published story."""

    def addresses(self) -> list[Address]:
        rows: Any = published_stories(self.site).annotate(changed_at=Greatest("updated_at", "published_at"))
        found = [
            Address(reverse("story", args=[slug]), changed_at)
            for slug, changed_at in rows.values_list("listing__slug", "changed_at")
        ]
        return [Address(reverse("stories"), _latest(found)), *found]


class FounderSection(Section):
    """The list of founders and each founder's page."""

    def addresses(self) -> list[Address]:
        rows: Any = listed_founders(self.site).annotate(changed_at=Greatest("updated_at", "launched_at"))
        found = [
            Address(reverse("founder", args=[slug]), changed_at)
            for slug, changed_at in rows.values_list("slug", "changed_at")
        ]
        return [Address(reverse("founders"), _latest(found)), *found]


def _latest(found: list[Address]) -> datetime | None:
    return max((address.changed_at for address in found if address.changed_at), default=None)
