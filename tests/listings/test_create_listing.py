"""Listings that come into being at the same time, and companies changed in the admin."""

from collections import Counter

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.listings.models import Company, Listing
from apps.listings.search import find_listings
from apps.listings.services import creation
from apps.sites.models import Site
from tests.factories import CategoryFactory, CompanyFactory, ListingFactory, UserFactory
from tests.racing import count_outcomes

pytestmark = pytest.mark.db

FIELDS = {"name": "Acme", "headline": "Invoices", "summary": "Invoices in seconds."}


def create_at_once(site: Site, wanted: list[tuple[str, User]]) -> Counter[str]:
    """Each (website, owner) from a thread of its own; returns how often each outcome came."""

    def create(website: str, owner: User) -> None:
        creation.create_listing(site=site, website=website, fields=FIELDS, by=Actor(user=owner, via="browser"))

    return count_outcomes(*[lambda one=one: create(*one) for one in wanted])


@pytest.mark.django_db(transaction=True)
def test_equal_names_at_once_get_slugs_of_their_own(site: Site) -> None:
    wanted = [(f"https://acme{number}.example", UserFactory.create()) for number in range(6)]
    assert create_at_once(site, wanted) == {"done": 6}
    assert Listing.objects.values("slug").distinct().count() == 6


@pytest.mark.django_db(transaction=True)
def test_one_company_at_once_is_listed_once(site: Site) -> None:
    owner, stranger = UserFactory.create(), UserFactory.create()
    wanted = [("https://acme.example", owner)] * 4 + [("https://www.acme.example/", stranger)]
    outcomes = create_at_once(site, wanted)
    assert outcomes["done"] == 1
    assert sum(outcomes.values()) == 5
    assert set(outcomes) <= {"done", "already_listed", "website_taken"}
    assert Listing.objects.count() == Company.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("is_own", [True, False])
def test_the_website_of_a_merged_company_leads_to_the_one_it_became(site: Site, is_own: bool) -> None:
    owner = UserFactory.create()
    kept = CompanyFactory.create(owner=owner)
    merged = CompanyFactory.create(owner=owner, website_key="old.example", merged_into=kept)
    by = Actor(user=owner if is_own else UserFactory.create(), via="browser")
    if is_own:
        listing = creation.create_listing(site=site, website="https://old.example/", fields=FIELDS, by=by)
        assert listing.company == kept
    else:
        with pytest.raises(creation.WebsiteTaken):
            creation.create_listing(site=site, website="https://old.example/", fields=FIELDS, by=by)
    assert not merged.listings.exists()


def values_of(client: Client, address: str) -> dict[str, object]:
    form = client.get(address).context["adminform"].form
    return {name: "" if value is None else value for name, value in form.initial.items()} | {
        "socials": "{}",
        "platforms": "",
        "tech_stack": "",
        "screenshots": "",
    }


def test_a_website_changed_in_the_admin_is_compared_from_then_on(team: Client) -> None:
    listing = ListingFactory.create(live=True)
    company = listing.company
    address = reverse("admin:listings_company_change", args=[company.pk])
    changed = values_of(team, address) | {"website": "https://www.moved.example/", "name": "Moved"}
    answer = team.post(address, changed)
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    company.refresh_from_db()
    assert company.website_key == "moved.example"
    result = find_listings(site=listing.site, text="moved", page=1, per_page=20)
    assert [listing.company.name for listing in result.items] == ["Moved"]


def test_a_category_renamed_in_the_admin_is_found_by_its_new_name(team: Client, site: Site) -> None:
    listing = ListingFactory.create(live=True)
    category = CategoryFactory.create(site=site, name="Boats")
    listing.categories.add(category)
    address = reverse("admin:listings_category_change", args=[category.pk])
    form = team.get(address).context["adminform"].form
    answer = team.post(address, {**form.initial, "synonyms": "", "name": "Sailing"})
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    assert find_listings(site=site, text="sailing", page=1, per_page=20).items == [listing]


def test_a_website_that_is_no_address_is_refused_beside_its_field(team: Client) -> None:
    company = CompanyFactory.create()
    address = reverse("admin:listings_company_change", args=[company.pk])
    answer = team.post(address, values_of(team, address) | {"website": "https://x.example.org:99999/"})
    assert answer.status_code == 200
    assert "website" in answer.context["adminform"].form.errors


def test_a_website_of_another_company_is_refused_beside_its_field(team: Client) -> None:
    CompanyFactory.create(website="https://taken.example", website_key="taken.example")
    company = CompanyFactory.create()
    address = reverse("admin:listings_company_change", args=[company.pk])
    answer = team.post(address, values_of(team, address) | {"website": "https://www.taken.example"})
    assert answer.status_code == 200
    assert list(answer.context["adminform"].form.errors) == ["website"]
