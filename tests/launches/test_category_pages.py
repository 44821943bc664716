"""The categories in the browser: what each holds, its order, and what is said where there is nothing."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from lxml import html

from apps.directory.views.categories import shelves
from apps.listings.models import Category, Listing
from apps.sites.models import Site
from tests.factories import CategoryFactory, ListingFactory, SiteFactory

pytestmark = pytest.mark.db


def page_of(client: Client, path: str) -> Any:
    answer = client.get(path)
    assert answer.status_code == 200
    return html.fromstring(answer.content)


def names(page: Any) -> list[str]:
    return [name.text_content() for name in page.xpath("//*[@id='results']//li//h2")]


@pytest.fixture
def site(site: Site) -> Site:
    """Without the categories that a new site begins with."""
    Category.objects.filter(site=site).delete()
    return site


@pytest.fixture
def boats(site: Site) -> Any:
    """A category with three live listings and one that is not."""
    category = CategoryFactory.create(site=site, slug="boats", name="Boats")
    for number, name in enumerate(("Raft", "Canoe", "Ferry")):
        ListingFactory.create(live=True, company__name=name, votes=number).categories.add(category)
    ListingFactory.create(company__name="Draft").categories.add(category)
    return category


def test_a_shelf_counts_what_is_live_and_shows_the_best(site: Site, boats: Any) -> None:
    empty = CategoryFactory.create(site=site, slug="trains", name="Trains", position=9)
    CategoryFactory.create(site=SiteFactory.create(), slug="elsewhere")
    ListingFactory.create(live=True, company__name="Barge", votes=9).categories.add(boats)
    result = shelves(site)
    assert [(shelf.category, shelf.count) for shelf in result] == [(boats, 4), (empty, 0)]
    assert [listing.company.name for listing in result[0].best] == ["Barge", "Ferry", "Canoe"]


def test_the_index_leads_to_each_category(site: Site, client: Client, boats: Any) -> None:
    CategoryFactory.create(site=site, slug="trains", name="Trains", position=9)
    page = page_of(client, "/categories")
    assert page.xpath("//main//h2/a/@href") == ["/categories/boats", "/categories/trains"]
    assert "No listings yet" in page.text_content()


def test_the_index_of_a_site_without_categories(site: Site, client: Client) -> None:
    assert "No categories yet" in page_of(client, "/categories").text_content()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ["Ferry", "Canoe", "Raft"]),
        ("?sort=votes", ["Ferry", "Canoe", "Raft"]),
        ("?sort=newest", ["Ferry", "Canoe", "Raft"]),
        ("?sort=nonsense", ["Ferry", "Canoe", "Raft"]),
    ],
)
def test_the_order(site: Site, client: Client, boats: Any, query: str, expected: list[str]) -> None:
    assert names(page_of(client, f"/categories/boats{query}")) == expected


def test_the_newest_first(site: Site, client: Client, boats: Any) -> None:
    raft, ferry = (Listing.objects.get(company__name=name) for name in ("Raft", "Ferry"))
    Listing.objects.filter(pk=raft.pk).update(launched_at=ferry.launched_at)
    Listing.objects.filter(pk=ferry.pk).update(launched_at=raft.launched_at)
    assert names(page_of(client, "/categories/boats?sort=newest")) == ["Raft", "Canoe", "Ferry"]


def test_its_leaderboards_and_the_other_categories_are_near(site: Site, client: Client, boats: Any) -> None:
    CategoryFactory.create(site=site, slug="trains")
    page = page_of(client, "/categories/boats")
    result = page.xpath("//aside//a/@href")
    assert "/boards/community-yearly?category=boats" in result
    assert "/categories/trains" in result
    assert "/categories/boats" not in result


def test_pages_keep_the_order(site: Site, client: Client, boats: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.directory.views.categories.PER_PAGE", 2)
    page = page_of(client, "/categories/boats?sort=newest")
    (following,) = page.xpath("//nav[@aria-label='Pages']/a[@rel='next']/@href")
    assert names(page_of(client, following)) == ["Raft"]
    assert page.xpath("//link[@rel='canonical']/@href")[0].endswith("/categories/boats?sort=newest")


def test_an_empty_category_invites(site: Site, client: Client) -> None:
    CategoryFactory.create(site=site, slug="trains")
    assert page_of(client, "/categories/trains").xpath("//*[@class='empty']//a/@href") == [reverse("draft_new")]
