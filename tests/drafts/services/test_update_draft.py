"""update_draft: the owner's values in a proposal, or in the listing that it became, beside the evidence."""

from typing import Any

import pytest

from apps.core.api import schema
from apps.core.api.scopes import Scope
from apps.core.models import OutgoingEmail
from apps.drafts.api.serializers import DraftFieldsSerializer
from apps.drafts.models import Draft
from apps.drafts.services.guidance import ASK
from apps.listings.fields.names import COMPANY_FIELDS, SITE_FIELDS
from apps.listings.models import Listing, ListingVersion
from tests.api import ApiClient
from tests.drafts.factories import EVIDENCE, PROPOSAL, DraftFactory
from tests.factories import CategoryFactory, ListingFactory, api_key
from tests.racing import run_at_once

pytestmark = pytest.mark.django_db

SOCIAL = {**EVIDENCE[0], "field": "socials.github", "value": "https://github.com/acme-invoices"}
TAGS = [{**EVIDENCE[0], "field": f"tags.{number}", "value": tag} for number, tag in enumerate(["money", "time"])]
YEAR = {**EVIDENCE[0], "field": "founded_year", "value": "2019"}
MISSING = [
    {"field": "docs_url", "reason": "No page links to documentation."},
    {"field": "faqs", "reason": "No page answers questions."},
]


# What an answer has of the proposal: what can be sent back.
SENT = {
    **{name: value for name, value in PROPOSAL.items() if name != "language"},
    "tags": ["money", "time"],
    "founded_year": 2019,
}


@pytest.fixture
def draft(owner: ApiClient) -> Draft:
    return DraftFactory.create(
        owner=owner.user,
        url="https://acme.example/",
        ready=True,
        proposal={**PROPOSAL, "tags": ["money", "time"], "founded_year": 2019},
        evidence=[*EVIDENCE, SOCIAL, *TAGS, YEAR],
        missing=MISSING,
    )


def update(client: ApiClient, draft: Draft, body: Any, **headers: str) -> Any:
    return client.patch(f"/drafts/{draft.pk}", body, **headers)


def current(client: ApiClient, draft: Draft) -> dict[str, bool]:
    body = client.get(f"/drafts/{draft.pk}", {"include": "evidence"}).json()
    return {item["field"]: item["is_current"] for item in body["evidence"]}


def test_the_fields_are_those_of_a_listing_without_its_website() -> None:
    others = {"categories", "milestones"}
    assert set(DraftFieldsSerializer().fields) == (COMPANY_FIELDS | SITE_FIELDS | others) - {"website"}


def test_the_schema_says_that_fields_are_needed() -> None:
    assert schema.document()["components"]["schemas"]["UpdateDraftRequest"]["required"] == ["fields"]


def test_a_proposal_is_changed_and_keeps_its_evidence(owner: ApiClient, draft: Draft) -> None:
    fields = {"name": "Acme Ltd", "docs_url": "https://docs.acme.example/", "tags": ["money", "more"]}
    answer = update(owner, draft, {"fields": fields})
    assert answer.status_code == 200
    body = answer.json()
    assert body["status"] == "ready"
    assert body["proposal"] == {**SENT, **fields}
    assert body["edited"] == ["docs_url", "name", "tags"]
    assert current(owner, draft) == {
        "name": False,
        "socials.github": True,
        "tags.0": True,
        "tags.1": False,
        "founded_year": True,
    }
    assert [item["field"] for item in body["missing"] if item["reason"] != ASK] == ["faqs"]
    kept = Draft.objects.get()
    assert (kept.evidence, kept.edited) == (draft.evidence, body["edited"])
    assert kept.proposal == {**draft.proposal, **fields}
    assert owner.get(f"/drafts/{draft.pk}").json() == body
    assert not Listing.objects.exists()


def test_what_was_read_is_current_again_when_it_is_there_again(owner: ApiClient, draft: Draft) -> None:
    update(owner, draft, {"fields": {"name": "Other", "socials": {}, "founded_year": 2020}})
    fields = {"name": "Acme", "socials": {"github": SOCIAL["value"], "x": "https://x.com/acme"}, "founded_year": 2019}
    body = update(owner, draft, {"fields": fields}).json()
    assert set(current(owner, draft).values()) == {True}
    assert body["edited"] == ["founded_year", "name", "socials"]


def test_what_is_the_same_or_empty_as_before_is_not_edited(owner: ApiClient, draft: Draft) -> None:
    body = update(owner, draft, {"fields": {"name": "Acme", "video_url": "", "team_size": None, "faqs": []}}).json()
    assert (body["edited"], body["proposal"]) == ([], SENT)
    assert [item for item in body["missing"] if item["reason"] != ASK] == [
        {**item, "is_required": False} for item in MISSING
    ]


def test_an_updated_draft_is_submitted_unchanged(owner: ApiClient, draft: Draft) -> None:
    update(owner, draft, {"fields": {"headline": "Better invoices"}})
    listing_id = owner.post(f"/drafts/{draft.pk}/submit", {"fields": {"tags": []}}).json()["listing_id"]
    listing = Listing.objects.get(pk=listing_id)
    assert (listing.headline, listing.tags, listing.company.founded_year) == ("Better invoices", [], 2019)


def test_a_submitted_draft_edits_its_listing(owner: ApiClient, draft: Draft) -> None:
    listing = Listing.objects.get(pk=owner.post(f"/drafts/{draft.pk}/submit").json()["listing_id"])
    CategoryFactory.create(site=draft.site, slug="books")
    fields = {
        "name": "Acme Ltd",
        "headline": "Better invoices",
        "categories": ["books"],
        "faqs": [{"question": "Why?", "answer": "Because."}],
        "socials": {"x": "https://x.com/acme"},
    }
    body = update(owner, draft, {"fields": fields}).json()
    listing.refresh_from_db()
    assert (listing.company.name, listing.headline, listing.faqs) == ("Acme Ltd", "Better invoices", fields["faqs"])
    assert listing.company.socials == fields["socials"]
    assert [category.slug for category in listing.categories.all()] == ["books"]
    assert (body["status"], body["listing_id"]) == ("submitted", listing.pk)
    assert (body["edited"], current(owner, draft)["name"]) == (sorted(fields), False)
    assert Draft.objects.get().evidence == draft.evidence
    texts, facts = ListingVersion.objects.exclude(changes=[])
    assert (texts.via, texts.credential, facts.edit_id) == ("key", "test key", texts.edit_id)


def test_a_listing_that_cannot_be_edited_leaves_the_draft_alone(owner: ApiClient, draft: Draft) -> None:
    owner.post(f"/drafts/{draft.pk}/submit")
    Listing.objects.update(status="rejected")
    before = Draft.objects.values().get()
    answer = update(owner, draft, {"fields": {"headline": "New"}})
    assert (answer.status_code, answer.json()["code"]) == (409, "not_editable")
    assert Draft.objects.values().get() == before


@pytest.mark.parametrize("status", ["crawling", "drafting"])
def test_a_draft_in_progress_has_to_be_waited_for(owner: ApiClient, status: str) -> None:
    draft = DraftFactory.create(owner=owner.user, status=status)
    answer = update(owner, draft, {"fields": {"headline": "New"}})
    assert (answer.status_code, answer.json()["code"]) == (409, "draft_not_ready")
    assert (answer.json()["draft_status"], answer["Retry-After"]) == (status, "2")
    assert Draft.objects.get().proposal == {}


def test_a_draft_that_has_ended_is_not_changed(owner: ApiClient, draft: Draft) -> None:
    Draft.objects.update(status="expired")
    rereading = ListingFactory.create(company__owner=owner.user)
    failed = DraftFactory.create(owner=owner.user, failed=True, rereads=rereading)
    for ended, remedy in ((draft, "create_draft"), (failed, "recrawl_listing")):
        answer = update(owner, ended, {"fields": {"headline": "New"}})
        assert (answer.status_code, answer.json()["code"]) == (409, "draft_not_ready")
        assert remedy in answer.json()["next_steps"][0]
        assert not Draft.objects.get(pk=ended.pk).edited


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/fields"),
        ({"fields": []}, "/fields"),
        ({"fields": {"headline": ""}}, "/fields/headline"),
        ({"fields": {"name": "\u200b"}}, "/fields/name"),
        ({"fields": {"headlin": "a"}}, "/fields/headlin"),
        ({"fields": {"website": "https://other.example/"}}, "/fields/website"),
        ({"fields": {"language": "de"}}, "/fields/language"),
        ({"fields": {"logo_url": "http://acme.example/"}}, "/fields/logo_url"),
        ({"fields": {"categories": ["no-such"]}}, "/fields/categories/0"),
        ({"fields": {"socials": {"x": "https://evil.example/a"}}}, "/fields/socials/x"),
        ({"fields": {"faqs": [{"question": "a"}]}}, "/fields/faqs/0/answer"),
        ({"fields": {"country": "XX"}}, "/fields/country"),
        ({"fields": {}, "socials": {}}, "/socials"),
    ],
)
@pytest.mark.parametrize("is_submitted", [False, True])
def test_the_body_is_strict(
    owner: ApiClient, draft: Draft, body: dict[str, Any], pointer: str, is_submitted: bool
) -> None:
    if is_submitted:
        owner.post(f"/drafts/{draft.pk}/submit")
    before = Draft.objects.values().get(), Listing.objects.values().first(), ListingVersion.objects.count()
    answer = update(owner, draft, body)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == pointer
    assert (Draft.objects.values().get(), Listing.objects.values().first(), ListingVersion.objects.count()) == before
    assert not OutgoingEmail.objects.exists()


def test_others_and_nobody_change_nothing(
    owner: ApiClient, other_owner: ApiClient, anonymous: ApiClient, draft: Draft
) -> None:
    reading = ApiClient(owner.account, key=api_key(owner.account, [Scope.ACCOUNT_READ, Scope.ORDERS_WRITE]))
    for client, status in ((other_owner, 404), (anonymous, 401), (reading, 403)):
        assert update(client, draft, {"fields": {"headline": "Mine"}}).status_code == status
    assert Draft.objects.get().proposal == draft.proposal


def test_a_key_makes_a_retry_safe(owner: ApiClient, draft: Draft) -> None:
    first = update(owner, draft, {"fields": {"headline": "New"}}, Idempotency_Key="one")
    update(owner, draft, {"fields": {"headline": "Newer"}})
    again = update(owner, draft, {"fields": {"headline": "New"}}, Idempotency_Key="one")
    assert (again["Idempotency-Replayed"], again.content) == ("true", first.content)
    assert Draft.objects.get().proposal["headline"] == "Newer"


@pytest.mark.django_db(transaction=True)
def test_updates_and_a_submission_at_once_lose_nothing(owner: ApiClient, draft: Draft) -> None:
    fields = {"headline": "H", "city": "C", "stage": "S", "seo_title": "T", "audience": "A"}
    schema.document()

    def submit() -> Any:
        return ApiClient(key=owner.key).post(f"/drafts/{draft.pk}/submit")

    edits = [
        lambda name=name: update(ApiClient(key=owner.key), draft, {"fields": {name: fields[name]}}) for name in fields
    ]
    assert {answer.status_code for answer in run_at_once(*edits, submit)} == {200}
    listing = Listing.objects.get()
    stored = {name: getattr(listing if name in SITE_FIELDS else listing.company, name) for name in fields}
    assert stored == fields
    assert Draft.objects.get().edited == sorted(fields)
