"""Websites that were told apart by their pages, before a website was its host."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.core.admin.metrics import needs
from apps.drafts.models import Draft
from apps.listings.models import Company, Listing, ListingEvidence
from apps.listings.services.editing import update_my_listing
from apps.listings.services.evidence import Fact, evidence_of, keep_evidence
from apps.listings.services.merging import merge_companies
from apps.listings.websites.renewal import OTHER_OWNER
from apps.sites.models import Site
from tests.drafts.factories import DraftFactory
from tests.factories import CompanyFactory, ListingFactory, UserFactory

pytestmark = pytest.mark.db

FOUND_AGAIN = "Features (company {0.pk}, https://acme.example/features) has the website of Acme (company {1.pk}, "


def test_rows_from_before_get_their_website_s_key(site: Site) -> None:
    owner = UserFactory.create()

    def company(name: str, at: str, **more: Any) -> Company:
        return CompanyFactory.create(owner=owner, name=name, website=f"https://{at}", website_key=at, **more)

    def draft(at: str, **more: Any) -> Draft:
        return DraftFactory.create(owner=owner, site=site, url=f"https://{at}", website_key=at, **more)

    features, acme = company("Features", "acme.example/features"), company("Acme", "acme.example")
    alone, page = company("Alone", "alone.example/en"), company("Page", "acme.github.io/boats")
    proven, first = company("Proven", "two.example/b", verified_at=timezone.now()), company("First", "two.example/a")
    old = company("Old", "old.example/a", merged_into=acme)
    ListingEvidence.objects.create(listing=ListingFactory.create(company=alone), website_key="alone.example/en")
    crawling = [draft(f"draft.example{path}") for path in ("/a", "", "/b")]
    ended = draft("draft.example/c", status=Draft.Status.CANCELLED, finished_at=timezone.now())

    told = renewed()

    rows = {row.pk: row for row in Company.objects.all()}
    keys = {row.name: rows[row.pk].website_key for row in (features, acme, alone, page, proven, first, old)}
    assert keys == {
        "Features": "acme.example/features",
        "Acme": "acme.example",
        "Alone": "alone.example",
        "Page": "acme.github.io/boats",
        "Proven": "two.example",
        "First": "two.example/a",
        "Old": "old.example",
    }
    waiting = Company.objects.sharing_a_website()
    assert {row.pk: row.same_website_as_id for row in waiting} == {features.pk: acme.pk, first.pk: proven.pk}
    assert rows[alone.pk].website == "https://alone.example/en"
    assert ListingEvidence.objects.get().website_key == "alone.example"
    kept = [Draft.objects.get(pk=row.pk).website_key for row in (*crawling, ended)]
    assert kept == ["draft.example/a", "draft.example", "draft.example/b", "draft.example"]
    assert FOUND_AGAIN.format(features, acme) in told
    assert told.count("has the website of") == 2


@pytest.fixture
def twins(db: None) -> tuple[Company, Company]:
    """A company, and another one of the same website."""
    acme = CompanyFactory.create(name="Acme", website="https://acme.example")
    key = "acme.example/features"
    return acme, CompanyFactory.create(name="Features", website=f"https://{key}", website_key=key, same_website_as=acme)


def renewed() -> str:
    told = StringIO()
    call_command("renew_website_keys", stdout=told)
    return told.getvalue()


def test_the_command_says_which_companies_to_merge_until_they_are(twins: tuple[Company, Company]) -> None:
    acme, features = twins
    need = next(need for need in needs() if need.key == "same_website")
    assert FOUND_AGAIN.format(features, acme) in renewed()
    assert renewed().endswith("1 companies to merge.\n")
    assert need.count() == 1
    merge_companies(keep=acme, drop=features, owner=acme.owner, by=Actor(user=acme.owner, via="admin"))
    assert "to merge" not in renewed()
    assert need.count() == 0


def test_of_different_owners_it_says_to_check_the_host_first(twins: tuple[Company, Company]) -> None:
    acme, features = twins
    assert OTHER_OWNER in renewed()
    Company.objects.filter(pk=features.pk).update(owner=acme.owner)
    assert OTHER_OWNER not in renewed()


def test_merging_the_keeper_into_its_twin_ends_it_too(twins: tuple[Company, Company]) -> None:
    acme, features = twins
    merge_companies(keep=features, drop=acme, owner=acme.owner, by=Actor(user=acme.owner, via="admin"))
    assert "to merge" not in renewed()
    assert Company.objects.sharing_a_website().count() == 0
    assert Company.objects.for_website("acme.example") == features


def test_once_its_keeper_has_moved_a_company_gets_the_key(twins: tuple[Company, Company]) -> None:
    acme, features = twins
    Company.objects.filter(pk=acme.pk).update(website="https://moved.example", website_key="moved.example")
    renewed()
    features.refresh_from_db()
    assert (features.website_key, features.same_website_as_id) == ("acme.example", None)


def test_when_its_keeper_moves_the_first_twin_gets_the_key(twins: tuple[Company, Company], site: Site) -> None:
    acme, features = twins
    key = "acme.example/later"
    later = CompanyFactory.create(website=f"https://{key}", website_key=key, same_website_as=acme)
    listing = ListingFactory.create(company=acme, site=site)
    by = Actor(user=acme.owner, via="browser")
    update_my_listing(listing=listing, fields={"website": "https://moved.example/"}, by=by)
    for row in (acme, features, later):
        row.refresh_from_db()
    assert (acme.website_key, features.website_key, later.website_key) == ("moved.example", "acme.example", key)
    assert (features.same_website_as_id, later.same_website_as_id) == (None, features.pk)
    assert "1 companies to merge." in renewed()


def test_what_was_read_on_a_twin_s_website_is_kept(twins: tuple[Company, Company], site: Site) -> None:
    listing = ListingFactory.create(company=twins[1], site=site, headline="Boats")
    fact = Fact("headline", "Boats", "https://acme.example/features", "Boats", timezone.now())
    keep_evidence(listing=listing, website_key="acme.example", facts=[fact])
    stands = Listing.objects.select_related("company", "evidence").get(pk=listing.pk)
    assert evidence_of(stands) == [fact]


def test_the_admin_changes_other_facts_of_a_company_that_shares_its_website(twins: tuple[Company, Company]) -> None:
    features = twins[1]
    features.city = "Graz"
    features.full_clean()
    assert features.website_key == "acme.example/features"


def test_active_drafts_of_one_website_stay_apart(db: None) -> None:
    owner = UserFactory.create()
    for key in ("a.example/x", "a.example/y"):
        DraftFactory.create(owner=owner, url=f"https://{key}", website_key=key, ready=True)
    renewed()
    assert set(Draft.objects.values_list("website_key", flat=True)) == {"a.example/x", "a.example"}
