from typing import Any

import pytest
from django.utils import timezone

from apps.core.api import schema
from apps.core.text.weeks import Week
from apps.drafts.models import Draft
from apps.launches.calendar.closing import default_launch_week
from apps.listings.models import Company, Listing, ListingVersion
from apps.sites.models import Site
from tests.api import ApiClient
from tests.drafts.factories import PROPOSAL, DraftFactory
from tests.factories import CategoryFactory, CompanyFactory, ListingFactory, SiteFactory
from tests.racing import run_at_once

pytestmark = pytest.mark.django_db


@pytest.fixture
def draft(owner: ApiClient) -> Draft:
    return DraftFactory.create(owner=owner.user, url="https://acme.example/", ready=True)


def submit(client: ApiClient, draft: Draft, body: Any = None, **headers: str) -> Any:
    return client.post(f"/drafts/{draft.pk}/submit", body, **headers)


def test_a_ready_draft_becomes_a_listing(owner: ApiClient, draft: Draft) -> None:
    answer = submit(owner, draft)
    assert answer.status_code == 200
    body = answer.json()
    listing = Listing.objects.get(pk=body["listing_id"])
    assert (listing.company.owner, listing.site, listing.status) == (owner.user, draft.site, "draft")
    assert (listing.company.name, listing.company.website_key) == ("Acme", "acme.example")
    assert (listing.headline, listing.summary) == (PROPOSAL["headline"], PROPOSAL["summary"])
    assert listing.company.socials == PROPOSAL["socials"]
    assert (body["id"], body["status"], body["listing_status"]) == (draft.pk, "submitted", "draft")
    assert body["listing_url"] == listing.page_url
    assert "choose_free_listing" in body["next_steps"][0]
    shown = owner.get(f"/drafts/{draft.pk}").json()
    assert (shown["status"], shown["listing_id"]) == ("submitted", listing.pk)


def test_submitting_again_gives_the_same_listing(owner: ApiClient, draft: Draft) -> None:
    body = {"fields": {"headline": "Better invoices", "logo_url": "", "socials": {"x": "https://x.com/acme"}}}
    first = submit(owner, draft, body)
    for again in (submit(owner, draft, body), submit(owner, draft)):
        assert (again.status_code, again.json()) == (200, first.json())
    assert Listing.objects.count() == 1


def test_submitting_again_with_other_fields_is_refused(owner: ApiClient, draft: Draft) -> None:
    listing_id = submit(owner, draft).json()["listing_id"]
    again = submit(owner, draft, {"fields": {"name": "Acme", "headline": "Something else"}})
    assert (again.status_code, again.json()["code"]) == (409, "already_submitted")
    assert again.json()["listing_id"] == listing_id
    assert "headline" in again.json()["detail"]
    assert "name" not in again.json()["detail"]
    assert "update_my_listing" in again.json()["next_steps"][0]
    assert Listing.objects.get().headline == PROPOSAL["headline"]


def test_the_weeks_are_promised_before_the_choice(owner: ApiClient, draft: Draft, site: Site) -> None:
    promise = submit(owner, draft).json()["promise"]
    now = Week.of(timezone.now())
    assert promise == {
        "free": {"week": str(now + site.free_queue_weeks), "places_left": site.free_places_per_week},
        "paid": {"week": str(default_launch_week(site) or now), "places_left": site.paid_places_per_week},
    }


def test_fields_that_were_replaced_are_marked_beside_their_evidence(owner: ApiClient, draft: Draft) -> None:
    submit(owner, draft, {"fields": {"name": "Acme Ltd", "summary": PROPOSAL["summary"]}})
    shown = owner.get(f"/drafts/{draft.pk}", {"include": "evidence"}).json()
    assert (shown["edited"], shown["proposal"]["name"]) == (["name"], "Acme Ltd")
    assert [(item["value"], item["is_current"]) for item in shown["evidence"]] == [("Acme", False)]


def test_fields_replace_the_proposal(owner: ApiClient, draft: Draft) -> None:
    CategoryFactory.create(site=draft.site, slug="books")
    fields = {
        "headline": "  Invoices,\u202e written for you ",
        "categories": ["books"],
        "founded_year": 2019,
        "faqs": [{"question": "Is it fast?", "answer": "Yes."}],
        "socials": {"x": "https://x.com/acme"},
        "pricing_model": "freemium",
        "price_from_cents": 900,
    }
    listing = Listing.objects.get(pk=submit(owner, draft, {"fields": fields}).json()["listing_id"])
    assert listing.headline == "Invoices, written for you"
    assert listing.summary == PROPOSAL["summary"]
    assert [category.slug for category in listing.categories.all()] == ["books"]
    assert listing.faqs == fields["faqs"]
    assert listing.company.socials == {"x": "https://x.com/acme"}
    assert (listing.company.founded_year, listing.company.price_from_cents) == (2019, 900)


MILESTONE = {"date": "2024-05-03", "title": "Acme 2.0", "description": "All new.", "url": "https://acme.example/2"}


def proposed(draft: Draft, *milestones: dict[str, str]) -> None:
    Draft.objects.filter(pk=draft.pk).update(proposal={**PROPOSAL, "milestones": list(milestones)})


def kept(listing: Listing) -> list[tuple[str, str, str, str]]:
    return [(str(one.date), one.title, one.description, one.url) for one in listing.milestones.all()]


def test_milestones_are_added_to_the_listing_once_in_one_edit(owner: ApiClient, draft: Draft) -> None:
    older = {"date": "2023-01-09", "title": "Dark mode", "description": "", "url": ""}
    proposed(draft, MILESTONE, older)
    listing = Listing.objects.get(pk=submit(owner, draft).json()["listing_id"])
    submit(owner, draft)
    assert kept(listing) == [tuple(MILESTONE.values()), tuple(older.values())]
    changed = ListingVersion.objects.filter(listing=listing).exclude(changes=[])
    assert len({version.edit_id for version in changed}) == 1


def test_an_owner_corrects_milestones_before_they_are_added(owner: ApiClient, draft: Draft) -> None:
    proposed(draft, MILESTONE)
    own = {"date": "2022-02-02", "title": "Founded"}
    answer = owner.patch(f"/drafts/{draft.pk}", {"fields": {"milestones": [own]}})
    assert answer.json()["proposal"]["milestones"] == [{**own, "description": "", "url": ""}]
    listing = Listing.objects.get(pk=submit(owner, draft).json()["listing_id"])
    assert kept(listing) == [("2022-02-02", "Founded", "", "")]


def test_milestones_of_a_submitted_draft_are_changed_on_the_listing(owner: ApiClient, draft: Draft) -> None:
    proposed(draft, MILESTONE)
    listing = Listing.objects.get(pk=submit(owner, draft).json()["listing_id"])
    answer = owner.patch(f"/drafts/{draft.pk}", {"fields": {"milestones": [], "headline": "Something else"}})
    assert (answer.status_code, answer.json()["code"]) == (422, "already_milestones")
    assert "delete_milestone" in answer.json()["next_steps"][0]
    listing.refresh_from_db()
    assert (len(kept(listing)), listing.headline) == (1, PROPOSAL["headline"])


def test_what_a_listing_needs_is_named(owner: ApiClient, draft: Draft) -> None:
    Draft.objects.update(proposal={"name": "Acme"})
    answer = submit(owner, draft)
    assert (answer.status_code, answer.json()["code"]) == (422, "draft_incomplete")
    assert [problem["pointer"] for problem in answer.json()["errors"]] == ["/fields/headline", "/fields/summary"]
    assert "fields.headline" in answer.json()["errors"][0]["detail"]
    assert not Listing.objects.exists()
    assert not Company.objects.exists()
    texts = {"headline": "Invoices", "summary": "Written for you."}
    assert submit(owner, draft, {"fields": texts}).status_code == 200


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"headline": "a" * 81}, "/fields/headline"),
        ({"headline": ""}, "/fields/headline"),
        ({"summary": 7}, "/fields/summary"),
        ({"headlin": "a"}, "/fields/headlin"),
        ({"website": "https://other.example"}, "/fields/website"),
        ({"logo_url": "javascript:alert(1)"}, "/fields/logo_url"),
        ({"logo_url": "http://acme.example/logo.png"}, "/fields/logo_url"),
        ({"country": "XX"}, "/fields/country"),
        ({"categories": ["no-such"]}, "/fields/categories/0"),
        ({"categories": ["a", "b", "c", "d"]}, "/fields/categories"),
        ({"founded_year": 3000}, "/fields/founded_year"),
        ({"founded_year": "2019"}, "/fields/founded_year"),
        ({"socials": {"x": "https://evil.example/acme"}}, "/fields/socials/x"),
        ({"socials": {"myspace": "https://myspace.com/acme"}}, "/fields/socials/myspace"),
        ({"faqs": [{"question": "Why?"}]}, "/fields/faqs/0/answer"),
        ({"milestones": [{"title": "Founded"}]}, "/fields/milestones/0/date"),
        ({"milestones": [{"date": "2024-05-03"}]}, "/fields/milestones/0/title"),
        ({"milestones": [{"date": "May 3", "title": "Founded"}]}, "/fields/milestones/0/date"),
        ({"milestones": [{"date": "1700-01-01", "title": "Founded"}]}, "/fields/milestones/0/date"),
        ({"milestones": [{"date": "2999-01-01", "title": "Founded"}]}, "/fields/milestones/0/date"),
        ({"milestones": [{"date": "2024-05-03", "title": "a", "url": "http://a.b"}]}, "/fields/milestones/0/url"),
        ({"milestones": [{"date": "2024-05-03", "title": "a"}] * 21}, "/fields/milestones"),
        ([], "/fields"),
    ],
)
def test_a_bad_field_is_named(owner: ApiClient, draft: Draft, fields: Any, pointer: str) -> None:
    answer = submit(owner, draft, {"fields": fields})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == pointer
    assert answer.json()["errors"][0]["detail"]
    draft.refresh_from_db()
    assert draft.status == Draft.Status.READY
    assert not Listing.objects.exists()


@pytest.mark.parametrize("status", ["crawling", "drafting"])
def test_a_draft_in_progress_has_to_be_waited_for(owner: ApiClient, status: str) -> None:
    draft = DraftFactory.create(owner=owner.user, status=status)
    answer = submit(owner, draft)
    assert (answer.status_code, answer.json()["code"]) == (409, "draft_not_ready")
    assert answer.json()["draft_status"] == status
    assert "get_draft" in answer.json()["next_steps"][0]


def test_a_failed_rereading_says_why(owner: ApiClient) -> None:
    listing = ListingFactory.create(company__owner=owner.user)
    draft = DraftFactory.create(owner=owner.user, failed=True, rereads=listing)
    answer = submit(owner, draft)
    assert (answer.status_code, answer.json()["code"]) == (409, "draft_not_ready")
    assert answer.json()["error"]["code"] == "unreachable"
    assert "recrawl_listing" in answer.json()["next_steps"][0]


def test_drafts_of_others_are_not_there(other_owner: ApiClient, buyer: ApiClient, draft: Draft) -> None:
    for client in (other_owner, buyer):
        assert client.get(f"/drafts/{draft.pk}").status_code == 404
        assert submit(client, draft).status_code == 404
    assert not Listing.objects.exists()


def test_a_website_listed_meanwhile_is_refused(owner: ApiClient, draft: Draft) -> None:
    CompanyFactory.create(website="https://acme.example/", website_key="acme.example")
    answer = submit(owner, draft)
    assert (answer.status_code, answer.json()["code"]) == (409, "website_taken")
    assert "/claims/new?url=https%3A%2F%2Facme.example%2F" in answer.json()["claim_url"]
    draft.refresh_from_db()
    assert draft.status == Draft.Status.READY


def test_a_second_site_keeps_the_companys_facts_and_says_so(owner: ApiClient, draft: Draft) -> None:
    submit(owner, draft)
    second = DraftFactory.create(owner=owner.user, url="https://acme.example/", site=SiteFactory.create(), ready=True)
    body = submit(owner, second, {"fields": {"name": "Other"}}).json()
    listing = Listing.objects.get(pk=body["listing_id"])
    assert (listing.site, listing.company.name) == (second.site, "Acme")
    assert "were not changed" in body["next_steps"][0]


def test_a_moderated_site_reviews_first(owner: ApiClient, draft: Draft) -> None:
    Site.objects.update(is_moderated=True)
    assert submit(owner, draft).json()["listing_status"] == "in_review"


def test_a_key_makes_a_retry_safe(owner: ApiClient, draft: Draft) -> None:
    first = submit(owner, draft, Idempotency_Key="one")
    again = submit(owner, draft, Idempotency_Key="one")
    assert again["Idempotency-Replayed"] == "true"
    assert again.json() == first.json()


@pytest.mark.django_db(transaction=True)
def test_eight_at_once_make_one_listing(owner: ApiClient, draft: Draft) -> None:
    schema.document()
    answers = run_at_once(*[lambda: submit(ApiClient(key=owner.key), draft)] * 8)
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["listing_id"] for answer in answers}) == 1
    assert Listing.objects.count() == 1
