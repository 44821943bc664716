"""When the listings of a category last changed, as the sitemap says it."""

from datetime import UTC, datetime

import pytest

from apps.listings.models import Listing
from apps.listings.services import categories
from apps.sites.models import Site
from tests.factories import CategoryFactory, ListingFactory
from tests.plans import plan_of

pytestmark = pytest.mark.db


@pytest.mark.parametrize("few", [0, 200])
def test_the_latest_change_of_a_launched_listing_counts(site: Site, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(categories, "_FEW", few)
    maps, empty = CategoryFactory.create(site=site, slug="maps"), CategoryFactory.create(site=site, slug="none")
    for day, is_live in ((1, True), (2, True), (3, False)):
        listing = ListingFactory.create(live=is_live)
        listing.categories.add(maps)
        Listing.objects.filter(pk=listing.pk).update(updated_at=datetime(2026, 11, day, tzinfo=UTC))
    found = {slug: rest for slug, *rest in categories.changed_categories(site)}
    assert found[maps.slug] == [True, datetime(2026, 11, 2, tzinfo=UTC)]
    assert found[empty.slug] == [False, None]


def test_a_small_category_looks_up_its_own_listings_only(site: Site) -> None:
    """PostgreSQL takes every category for an average one, for which it would read all listings."""
    plan = plan_of(categories._CHANGES_SQL, {"site": site.pk, "few": 200})
    looked_up = [
        one.node
        for one in plan
        if one.node.get("Parent Relationship") == "SubPlan"
        and "(id = m_1.listing_id)" in one.node.get("Index Cond", "") + one.node.get("Filter", "")
    ]
    # By which index depends on the few rows that a test has.
    assert [node["Relation Name"] for node in looked_up] == ["listings_listing"]
