"""What a draft read stays with its listing, for as long as the listing says the same."""

from collections.abc import Mapping
from typing import Any

import pytest

from apps.accounts.actors import Actor
from apps.drafts.models import Draft
from apps.drafts.services import submission
from apps.listings.models import Company, Listing, ListingEvidence, ListingVersion
from apps.listings.services.editing import restore_version, update_my_listing
from apps.listings.services.evidence import evidence_of
from apps.listings.services.milestones import delete_milestone
from apps.sites.models import Site
from tests.api import ApiClient
from tests.drafts.factories import DraftFactory
from tests.factories import CategoryFactory

pytestmark = pytest.mark.django_db

URL = "https://acme.example/"
FAQS = [{"question": "How do I cancel?", "answer": "At any time."}, {"question": "Where?", "answer": "In Lisbon."}]
MILESTONES = [{"date": "2024-05-01", "title": "First customer", "description": "Hello.", "url": ""}]
PROPOSAL: dict[str, Any] = {
    "name": "Acme",
    "headline": "Invoices that write themselves",
    "summary": "Acme reads your time sheets and writes the invoices for you.",
    "founded_year": 2019,
    "price_from_cents": 2900,
    "contact_email": "hello@acme.example",
    "seo_title": "Acme",
    "socials": {"github": "https://github.com/acme-invoices"},
    "screenshots": ["https://acme.example/one.png", "https://acme.example/two.png"],
    "categories": ["fintech"],
    "faqs": FAQS,
    "milestones": MILESTONES,
    "language": "en",
}


def reading(field: str, value: str, *, runners_up: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    result = {
        "page_url": f"{URL}{field}",
        "source": "text",
        "selector": "p",
        "snippet": f"…{value}…",
        "confidence": 0.9,
    }
    others = [{**result, "value": other, "page_url": f"{URL}other"} for other in runners_up]
    return {**result, "field": field, "value": value, "page_sha256": "0" * 64, "runners_up": others, **more}


EVIDENCE = [
    reading("name", "Acme"),
    reading("headline", "Invoices that write themselves", runners_up=("Invoicing",)),
    reading("summary", PROPOSAL["summary"], is_worded=True),
    reading("founded_year", "2019"),
    reading("price_from_cents", "2900"),
    reading("contact_email", "hello@acme.example"),
    reading("seo_title", "Acme"),
    reading("socials.github", "https://github.com/acme-invoices"),
    reading("screenshots.0", "https://acme.example/one.png"),
    reading("screenshots.1", "https://acme.example/two.png"),
    reading("categories.fintech", "fintech"),
    reading("faqs.0", "How do I cancel?"),
    reading("faqs.1", "Where?"),
    reading("milestones.0", "First customer"),
    reading("language", "en"),
]
SHOWN = {
    *("name", "headline", "summary", "founded_year", "price_from_cents", "socials.github", "screenshots"),
    *("categories", "faqs", "milestones"),
}


@pytest.fixture
def by(owner: ApiClient) -> Actor:
    return Actor(user=owner.user, via="browser")


@pytest.fixture
def draft(owner: ApiClient, site: Site) -> Draft:
    CategoryFactory.create(site=site, slug="fintech")
    made: Draft = DraftFactory.create(owner=owner.user, url=URL, ready=True, proposal=PROPOSAL, evidence=EVIDENCE)
    return made


def submit(draft: Draft, by: Actor, fields: Mapping[str, Any] | None = None) -> Listing:
    return submission.submit_draft(draft=draft, fields=fields or {}, by=by)


def told(listing: Listing) -> dict[str, list[Any]]:
    """The values with a source, by field, for the listing as it stands."""
    result: dict[str, list[Any]] = {}
    for fact in evidence_of(Listing.objects.get(pk=listing.pk)):
        result.setdefault(fact.field, []).append(fact.value)
    return result


def test_what_was_read_stays_with_the_listing(draft: Draft, by: Actor) -> None:
    listing = submit(draft, by)
    result = told(listing)
    assert set(result) == SHOWN
    assert result["screenshots"] == PROPOSAL["screenshots"]
    assert (result["faqs"], result["milestones"]) == (FAQS, MILESTONES)
    facts = {fact.field: fact for fact in evidence_of(Listing.objects.get(pk=listing.pk))}
    year = facts["founded_year"]
    assert (year.page_url, year.snippet, year.read_at) == (f"{URL}founded_year", "…2019…", draft.finished_at)
    assert facts["summary"].is_worded
    assert not year.is_worded


@pytest.mark.parametrize(
    ("fields", "lost", "kept"),
    [
        ({"headline": "My own words"}, {"headline"}, {"summary"}),
        ({"headline": "Invoicing"}, set(), {"headline"}),
        ({"founded_year": None}, {"founded_year"}, set()),
        ({"socials": {"x": "https://x.com/acme"}}, {"socials.github"}, set()),
        ({"faqs": [{"question": "How do I cancel?", "answer": "Never."}]}, {"faqs"}, set()),
        ({"categories": []}, {"categories"}, set()),
    ],
    ids=["other words", "another reading", "emptied", "another profile", "another answer", "no category"],
)
def test_the_owners_own_words_have_no_source(
    draft: Draft, by: Actor, fields: dict[str, Any], lost: set[str], kept: set[str]
) -> None:
    result = told(submit(draft, by, fields))
    assert set(result) == SHOWN - lost
    assert kept <= set(result)


@pytest.mark.parametrize(
    ("fields", "lost"),
    [
        ({"summary": "Now something else."}, "summary"),
        ({"price_from_cents": 3900}, "price_from_cents"),
        ({"name": "Acme Ltd"}, "name"),
        ({"faqs": []}, "faqs"),
        ({"screenshots": ["https://acme.example/three.png"]}, "screenshots"),
    ],
)
def test_a_fact_that_is_edited_loses_its_source_and_has_it_back_when_it_is_put_back(
    draft: Draft, by: Actor, fields: dict[str, Any], lost: str
) -> None:
    listing = submit(draft, by)
    update_my_listing(listing=listing, fields=fields, by=by)
    assert lost not in told(listing)
    for version in ListingVersion.objects.filter(changes=[]):
        restore_version(version=version, by=by)
    assert lost in told(listing)


def test_an_edit_in_one_place_of_a_list_leaves_the_other_sources(draft: Draft, by: Actor) -> None:
    listing = submit(draft, by)
    update_my_listing(listing=listing, fields={"faqs": [FAQS[1], {"question": "New?", "answer": "Yes."}]}, by=by)
    assert told(listing)["faqs"] == [FAQS[1]]


def test_edits_past_the_services_take_the_source_as_well(draft: Draft, by: Actor) -> None:
    listing = submit(draft, by)
    Company.objects.update(founded_year=2020)
    assert "founded_year" not in told(listing)


def test_a_milestone_that_is_deleted_takes_its_source_along(draft: Draft, by: Actor) -> None:
    listing = submit(draft, by)
    delete_milestone(milestone=listing.milestones.get(), by=by)
    assert "milestones" not in told(listing)


def test_on_another_website_nothing_was_read(draft: Draft, by: Actor) -> None:
    listing = submit(draft, by)
    update_my_listing(listing=listing, fields={"website": "https://elsewhere.example"}, by=by)
    assert told(listing) == {}


def test_a_listing_without_a_draft_has_no_evidence(draft: Draft, by: Actor) -> None:
    listing = submit(draft, by)
    ListingEvidence.objects.all().delete()
    assert told(listing) == {}


def test_reading_again_adds_what_was_taken_over_and_renews_what_stands(draft: Draft, by: Actor, site: Site) -> None:
    listing = submit(draft, by)
    update_my_listing(listing=listing, fields={"headline": "My own words"}, by=by)
    again = DraftFactory.create(
        owner=by.account,
        url=URL,
        ready=True,
        rereads=listing,
        proposal={"headline": "Receipts as well", "founded_year": 2019, "city": "Lisbon"},
        evidence=[
            reading("headline", "Receipts as well"),
            reading("founded_year", "2019", page_url=f"{URL}newer"),
            reading("city", "Lisbon"),
        ],
    )
    submit(again, by, {"city": "Lisbon"})
    result = told(listing)
    assert set(result) == (SHOWN - {"headline"}) | {"city"}
    facts = {fact.field: fact for fact in evidence_of(Listing.objects.get(pk=listing.pk))}
    assert (facts["founded_year"].page_url, facts["founded_year"].read_at) == (f"{URL}newer", again.finished_at)
    assert facts["name"].read_at == draft.finished_at
