"""list_categories: the site's own, in its order, with what is live in each."""

import pytest

from apps.listings.models import Category
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import CategoryFactory, ListingFactory, SiteFactory

pytestmark = pytest.mark.django_db


def test_only_live_listings_count(anonymous: ApiClient, site: Site) -> None:
    Category.objects.filter(site=site).delete()
    second = CategoryFactory.create(site=site, slug="tools", name="Tools", position=2)
    first = CategoryFactory.create(site=site, slug="ai", name="AI", position=1)
    for listing in (*ListingFactory.create_batch(2, live=True), ListingFactory.create()):
        listing.categories.add(second)
    assert anonymous.get("/categories").json()["items"] == [
        {"slug": "ai", "name": "AI", "listings": 0, "url": site.url("/categories/ai")},
        {"slug": "tools", "name": "Tools", "listings": 2, "url": site.url("/categories/tools")},
    ]
    assert first.pk


def test_other_sites_have_their_own(anonymous: ApiClient, site: Site) -> None:
    CategoryFactory.create(site=SiteFactory.create(), slug="elsewhere")
    assert "elsewhere" not in {item["slug"] for item in anonymous.get("/categories").json()["items"]}
