"""The founders of a site: who is listed, in which order, and with what."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from lxml import html

from apps.accounts.models import FounderProfile
from apps.sites.models import Site
from apps.stories.views import founders
from apps.stories.views.founders import latest_launches, listed_founders
from tests.factories import CompanyFactory, ListingFactory, SiteFactory, UserFactory, complete_profile
from tests.stories.writing import enough, write

pytestmark = pytest.mark.db


def founder(name: str, *, status: str = "live", days_ago: int = 0, site: Site | None = None) -> FounderProfile:
    """Somebody with a page on the site and one listing there."""
    profile = complete_profile(UserFactory.create())
    profile.real_name, profile.slug = name, name.lower()
    profile.save()
    options: dict[str, Any] = {"site": site} if site else {}
    company = CompanyFactory.create(owner=profile.user, name=f"{name} & Co")
    launched_at = timezone.now() - timedelta(days=days_ago)
    listing = ListingFactory.create(live=True, company=company, launched_at=launched_at, **options)
    if status != "live":
        type(listing).objects.filter(pk=listing.pk).update(status=status)
    return profile


def page_of(client: Client, path: str = "/founders") -> Any:
    answer = client.get(path)
    assert answer.status_code == 200
    return html.fromstring(answer.content)


def names(page: Any) -> list[str]:
    return [name.text_content() for name in page.xpath("//main//li/div//h2")]


def test_whose_launch_is_the_latest_comes_first(site: Site, client: Client) -> None:
    for name, days_ago in (("Ada", 20), ("Ben", 1), ("Cleo", 8)):
        founder(name, days_ago=days_ago)
    page = page_of(client)
    assert names(page) == ["Ben", "Cleo", "Ada"]
    assert "/founders/ben" in page.xpath("//main//h2/a/@href")


def test_only_who_has_a_page_here_is_listed(site: Site, client: Client) -> None:
    founder("Hidden", status="archived")
    founder("Elsewhere", site=SiteFactory.create())
    nameless = founder("Nameless")
    FounderProfile.objects.filter(pk=nameless.pk).update(slug=None)
    page = page_of(client)
    assert names(page) == []
    assert "No founders yet" in page.text_content()


def test_several_listings_make_one_entry(site: Site, client: Client) -> None:
    ada = founder("Ada")
    for number in range(4):
        ListingFactory.create(live=True, company=CompanyFactory.create(owner=ada.user, name=f"Thing {number}"))
    page = page_of(client)
    assert names(page) == ["Ada"]
    products = page.xpath("//main//ul[@aria-label='Products']/li")
    assert [one.text_content().strip() for one in products] == ["Thing 3", "Thing 2", "Thing 1", "and 2 more"]


def test_a_published_story_is_told(site: Site, client: Client) -> None:
    ada = founder("Ada")
    assert "Founder story" not in page_of(client).xpath("string(//main)")
    write(enough(), listing=ada.user.companies.get().listings.get())
    assert "Founder story" in page_of(client).xpath("string(//main)")


def test_pages(site: Site, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        founder(f"Person{number}", days_ago=number)
    monkeypatch.setattr(founders, "FOUNDERS_PER_PAGE", 3)
    page = page_of(client)
    assert len(names(page)) == 3
    (following,) = page.xpath("//nav[@aria-label='Pages']/a[@rel='next']/@href")
    assert names(page_of(client, following)) == ["Person3", "Person4"]


def test_founders_are_counted_without_their_launches(site: Site, client: Client) -> None:
    """In any order, counting ends with the first founders. By their latest launches, PostgreSQL would find all."""
    for name in ("Ada", "Ben"):
        founder(name)
    with CaptureQueriesContext(connection) as queries:
        page_of(client)
    [counting] = [query["sql"] for query in queries if "COUNT(*)" in query["sql"]]
    assert "launched_at" not in counting
    assert listed_founders(site).count() == latest_launches(site).count() == 2
