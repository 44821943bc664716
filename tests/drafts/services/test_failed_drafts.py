"""A draft that failed is no dead end: the website is read afresh, or its owner fills the draft in."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apps.core.api.scopes import Scope
from apps.drafts.crawl import job
from apps.drafts.models import Draft
from apps.drafts.services import creation
from apps.listings.models import Listing, ListingEvidence
from apps.sites.models import Site
from tests.api import ApiClient
from tests.drafts.browsing import form_of, sent_of, text_of
from tests.drafts.conftest import HOME
from tests.drafts.factories import DraftFactory
from tests.factories import CompanyFactory, ListingFactory, api_key
from tests.pages_server import Answer, PagesServer

pytestmark = pytest.mark.django_db

HOST = "acme.localhost"
FIELDS = {"name": "Acme", "headline": "Invoices that write themselves", "summary": "It writes the invoices for you."}


@pytest.fixture(autouse=True)
def committing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Callbacks of the commit run immediately, because a test's own transaction is never committed."""
    monkeypatch.setattr("apps.core.delay_on_commit.transaction.on_commit", lambda call, **_: call())
    monkeypatch.setattr("apps.drafts.tasks.crawl_draft.delay", lambda pk: None)


@pytest.fixture
def failed(owner: ApiClient) -> Draft:
    draft: Draft = DraftFactory.create(owner=owner.user, url="https://acme.example/", failed=True)
    return draft


def read(owner: ApiClient, url: str) -> dict[str, Any]:
    """Start a draft and have it read; the answer of get_draft."""
    started = owner.post("/drafts", {"url": url})
    assert started.status_code == 201, started.json()
    job.run(started.json()["id"])
    body: dict[str, Any] = owner.get(f"/drafts/{started.json()['id']}").json()
    return body


# ---- reading afresh ----
@pytest.mark.slow
@pytest.mark.parametrize(
    "broken",
    [
        {"/": Answer(b"<h1>Oops</h1>", status=500)},
        {"/": HOME, "/robots.txt": "User-agent: *\nDisallow: /"},
        {"/": HOME, "/robots.txt": Answer(b"Oops", status=503)},
    ],
    ids=["error", "robots", "robots-error"],
)
def test_a_repaired_website_is_read_afresh(owner: ApiClient, pages: PagesServer, broken: dict[str, Any]) -> None:
    for path, answer in broken.items():
        pages.serve(HOST, path, answer)
    assert read(owner, pages.url(HOST))["status"] == "failed"
    pages.serve(HOST, "/", HOME)
    pages.serve(HOST, "/robots.txt", "")
    assert read(owner, pages.url(HOST))["status"] == "ready"


@pytest.mark.slow
def test_a_website_that_was_repaired_where_its_address_leads_is_read_afresh(
    owner: ApiClient, pages: PagesServer
) -> None:
    pages.redirect(HOST, "/", pages.url("other.localhost", "/"))
    pages.serve("other.localhost", "/", Answer(b"<h1>Oops</h1>", status=500))
    assert read(owner, pages.url(HOST))["status"] == "failed"
    pages.serve("other.localhost", "/", HOME)
    assert read(owner, pages.url(HOST))["status"] == "ready"


def test_another_account_is_served_what_was_kept(owner: ApiClient, other_owner: ApiClient, pages: PagesServer) -> None:
    pages.serve(HOST, "/", Answer(b"<h1>Gone</h1>", status=404))
    for client in (owner, other_owner):
        assert read(client, pages.url(HOST))["status"] == "failed"
    assert pages.paths(HOST).count("/") == 1


@pytest.mark.slow
def test_a_website_is_read_afresh_three_times_an_hour(
    owner: ApiClient, other_owner: ApiClient, pages: PagesServer
) -> None:
    pages.serve(HOST, "/", Answer(b"<h1>Gone</h1>", status=404))
    for _ in range(4):
        last = read(owner, pages.url(HOST))
    assert pages.paths(HOST).count("/") == 4
    answer = owner.post("/drafts", {"url": pages.url(HOST, "/again")})
    assert (answer.status_code, answer.json()["code"]) == (429, "rate_limited")
    assert 3500 < int(answer["Retry-After"]) <= 3600
    assert "60 minutes" in answer.json()["detail"]
    assert f"draft {last['id']}" in answer.json()["next_steps"][0]
    assert Draft.objects.count() == 4
    # Of another website nothing was counted, and what another account asks first comes from the cache.
    DraftFactory.create(owner=owner.user, url="https://b.example/", failed=True)
    assert owner.post("/drafts", {"url": "https://b.example"}).status_code == 201
    assert other_owner.post("/drafts", {"url": pages.url(HOST)}).status_code == 201


def test_a_rollback_counts_nothing_and_the_transaction_asks_nothing(
    owner: ApiClient, failed: Draft, monkeypatch: pytest.MonkeyPatch
) -> None:
    later: list[Any] = []
    monkeypatch.setattr("django.db.transaction.on_commit", lambda call, **_: later.append(call))
    assert owner.post("/drafts", {"url": failed.url}).status_code == 201
    assert creation.RETRIES_AN_HOUR.peek(f"{failed.owner_id}:{failed.website_key}").left == 3
    for call in later:
        call()
    assert creation.RETRIES_AN_HOUR.peek(f"{failed.owner_id}:{failed.website_key}").left == 2


@pytest.mark.slow
def test_in_a_browser_too_many_reads_lead_to_the_form(browser: Client, owner: ApiClient, pages: PagesServer) -> None:
    pages.serve(HOST, "/", Answer(b"<h1>Gone</h1>", status=404))
    for _ in range(4):
        last = read(owner, pages.url(HOST))
    answer = browser.post("/drafts/new", {"url": pages.url(HOST)})
    assert answer.status_code == 429
    text = answer.content.decode()
    assert f'<a href="/drafts/{last["id"]}">' in text
    assert "submit_draft" not in text


# ---- by hand, with a key ----
def test_both_ways_on_are_said(owner: ApiClient, failed: Draft) -> None:
    again, by_hand = owner.get(f"/drafts/{failed.pk}").json()["next_steps"]
    assert "create_draft" in again
    assert "name, headline, summary" in by_hand
    assert "submit_draft" in by_hand


def test_what_has_to_be_filled_in_is_missing_until_it_is_there(owner: ApiClient, failed: Draft) -> None:
    missing = owner.get(f"/drafts/{failed.pk}").json()["missing"]
    assert [(item["field"], item["is_required"]) for item in missing] == [(name, True) for name in FIELDS]
    assert all(item["reason"] for item in missing)
    body = owner.patch(f"/drafts/{failed.pk}", {"fields": FIELDS}).json()
    assert body["missing"] == []
    submit, again = body["next_steps"]
    assert "submit_draft" in submit
    assert "create_draft" in again


@pytest.mark.slow
def test_what_was_filled_in_goes_along_when_the_website_is_read_again(owner: ApiClient, pages: PagesServer) -> None:
    pages.serve(HOST, "/", Answer(b"<h1>Oops</h1>", status=500))
    first = read(owner, pages.url(HOST))
    headline = {"headline": FIELDS["headline"]}
    assert owner.patch(f"/drafts/{first['id']}", {"fields": headline}).json()["edited"] == ["headline"]
    again = read(owner, pages.url(HOST))
    assert (again["status"], again["proposal"], again["edited"]) == ("failed", headline, ["headline"])
    pages.serve(HOST, "/", HOME)
    last = read(owner, pages.url(HOST))
    assert (last["status"], last["edited"], last["proposal"]["headline"]) == (
        "ready",
        ["headline"],
        FIELDS["headline"],
    )
    assert last["proposal"]["name"]
    assert "headline" not in [item["field"] for item in last["missing"]]


def test_a_failed_reread_says_how_to_read_again(owner: ApiClient) -> None:
    listing = ListingFactory.create(company__owner=owner.user)
    draft = DraftFactory.create(owner=owner.user, url=listing.company.website, failed=True, rereads=listing)
    body = owner.get(f"/drafts/{draft.pk}").json()
    assert (len(body["next_steps"]), body["missing"]) == (1, [])
    assert f"recrawl_listing with listing_id {listing.pk}" in body["next_steps"][0]


def test_a_website_that_was_listed_meanwhile_names_its_listing(owner: ApiClient, failed: Draft) -> None:
    company = CompanyFactory.create(owner=owner.user, website=failed.url, website_key=failed.website_key)
    listing = ListingFactory.create(company=company, site=failed.site)
    answer = owner.post(f"/drafts/{failed.pk}/submit", {"fields": FIELDS})
    body = answer.json()
    assert (answer.status_code, body["code"]) == (409, "already_listed")
    assert (body["listing_id"], body["listing_url"]) == (listing.pk, listing.page_url)
    assert "update_my_listing" in body["next_steps"][0]


def test_a_failed_draft_is_submitted_by_hand(owner: ApiClient, failed: Draft) -> None:
    answer = owner.post(f"/drafts/{failed.pk}/submit", {"fields": FIELDS})
    assert answer.status_code == 200
    listing = Listing.objects.get(pk=answer.json()["listing_id"])
    assert (listing.company.name, listing.company.website_key) == ("Acme", "acme.example")
    assert not ListingEvidence.objects.exists()
    body = owner.get(f"/drafts/{failed.pk}").json()
    assert (body["status"], body["error"], body["listing_id"]) == ("submitted", None, listing.pk)
    assert owner.post(f"/drafts/{failed.pk}/submit", {"fields": FIELDS}).json()["listing_id"] == listing.pk


def test_a_failed_draft_is_saved_first(owner: ApiClient, failed: Draft) -> None:
    body = owner.patch(f"/drafts/{failed.pk}", {"fields": {"name": "Acme"}}).json()
    assert (body["status"], body["proposal"], body["edited"]) == ("failed", {"name": "Acme"}, ["name"])
    assert body["error"]["code"] == "unreachable"
    assert "headline, summary" in body["next_steps"][1]
    answer = owner.post(f"/drafts/{failed.pk}/submit", {})
    assert (answer.status_code, answer.json()["code"]) == (422, "draft_incomplete")
    assert [problem["pointer"] for problem in answer.json()["errors"]] == ["/fields/headline", "/fields/summary"]
    rest = {name: FIELDS[name] for name in ("headline", "summary")}
    assert owner.post(f"/drafts/{failed.pk}/submit", {"fields": rest}).status_code == 200


def test_the_website_of_another_account_is_refused_by_hand_too(owner: ApiClient) -> None:
    CompanyFactory.create(website="https://acme.example", website_key="acme.example")
    values = {"error_code": "duplicate", "website": "https://acme.example/"}
    draft = DraftFactory.create(owner=owner.user, url="https://alias.example/", failed=True, **values)
    for answer in (
        owner.patch(f"/drafts/{draft.pk}", {"fields": FIELDS}),
        owner.post(f"/drafts/{draft.pk}/submit", {"fields": FIELDS}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (409, "website_taken")
        assert "/claims/new?url=https%3A%2F%2Facme.example%2F" in answer.json()["claim_url"]
    assert not Listing.objects.exists()
    listed = DraftFactory.create(owner=owner.user, url="https://acme.example/", failed=True)
    answer = owner.post(f"/drafts/{listed.pk}/submit", {"fields": FIELDS})
    assert (answer.status_code, answer.json()["code"]) == (409, "website_taken")
    assert answer.json()["claim_url"] in answer.json()["next_steps"][0]


def test_a_failed_rereading_changes_nothing_by_hand(owner: ApiClient) -> None:
    listing = ListingFactory.create(company__owner=owner.user)
    draft = DraftFactory.create(owner=owner.user, rereads=listing, failed=True)
    answer = owner.post(f"/drafts/{draft.pk}/submit", {"fields": FIELDS})
    assert (answer.status_code, answer.json()["code"]) == (409, "draft_not_ready")
    assert len(owner.get(f"/drafts/{draft.pk}").json()["next_steps"]) == 1


def test_who_may_start_a_draft_may_wait_for_it(owner: ApiClient) -> None:
    client = ApiClient(key=api_key(owner.account, [Scope.LISTINGS_WRITE]))
    started = client.post("/drafts", {"url": "https://acme.example"}).json()
    assert client.get(f"/drafts/{started['id']}").status_code == 200
    assert client.get("/me/listings").status_code == 403
    other = ApiClient(key=api_key(owner.account, [Scope.ORDERS_WRITE]))
    assert other.get(f"/drafts/{started['id']}").status_code == 403


# ---- by hand, in the browser ----
@pytest.fixture
def browser(client: Client, owner: ApiClient) -> Client:
    client.force_login(owner.account)
    return client


@pytest.mark.slow
def test_the_page_of_a_failed_draft_has_the_form(browser: Client, failed: Draft) -> None:
    page = browser.get(f"/drafts/{failed.pk}")
    assert page.status_code == 200
    text = text_of(page)
    assert failed.error_message in text
    assert sent_of(page)
    assert f'action="{reverse("draft_cancel", args=[failed.pk])}"' in page.content.decode()


def test_trying_again_keeps_what_was_typed(browser: Client, failed: Draft) -> None:
    sent = form_of(browser, failed, headline=FIELDS["headline"], again="1")
    answer = browser.post(f"/drafts/{failed.pk}/save", sent)
    assert answer.headers["Location"] == reverse("draft_new", query={"url": failed.url})
    browser.post("/drafts/new", {"url": failed.url})
    assert Draft.objects.latest("pk").proposal == {"headline": FIELDS["headline"]}


def test_trying_again_with_a_mistake_shows_it_beside_the_field(browser: Client, failed: Draft) -> None:
    answer = browser.post(f"/drafts/{failed.pk}/save", form_of(browser, failed, docs_url="nowhere", again="1"))
    assert answer.status_code == 422
    assert sent_of(answer)["docs_url"] == ["nowhere"]


@pytest.mark.slow
def test_after_a_failed_draft_was_discarded_its_website_is_read_afresh(owner: ApiClient, pages: PagesServer) -> None:
    pages.serve(HOST, "/", Answer(b"<h1>Oops</h1>", status=500))
    first = read(owner, pages.url(HOST))
    owner.patch(f"/drafts/{first['id']}", {"fields": FIELDS})
    discarded = owner.post(f"/drafts/{first['id']}/cancel").json()
    assert (discarded["status"], discarded["error"]) == ("cancelled", None)
    pages.serve(HOST, "/", HOME)
    last = read(owner, pages.url(HOST))
    assert (last["status"], last["edited"]) == ("ready", [])


@pytest.mark.slow
def test_discarding_lifts_no_limit(owner: ApiClient, pages: PagesServer) -> None:
    pages.serve(HOST, "/", Answer(b"<h1>Gone</h1>", status=404))
    for _ in range(4):
        last = read(owner, pages.url(HOST))
        owner.post(f"/drafts/{last['id']}/cancel")
    assert owner.post("/drafts", {"url": pages.url(HOST)}).status_code == 429


def test_a_failed_draft_is_submitted_in_the_browser(browser: Client, failed: Draft) -> None:
    sent = form_of(browser, failed)
    saved = browser.post(f"/drafts/{failed.pk}/save", {**sent, "name": "Acme"}, follow=True)
    assert "Draft saved." in text_of(saved)
    sent = sent_of(saved)
    assert sent["name"] == ["Acme"]
    lacking = browser.post(f"/drafts/{failed.pk}/submit", sent)
    assert lacking.status_code == 422
    assert 'class="error"' in lacking.content.decode()
    done = browser.post(f"/drafts/{failed.pk}/submit", {**sent, **FIELDS}, follow=True)
    assert "Listing submitted" in text_of(done)
    assert Listing.objects.get().headline == FIELDS["headline"]


def test_a_duplicate_has_no_form(browser: Client, owner: ApiClient) -> None:
    CompanyFactory.create(website="https://acme.example", website_key="acme.example")
    values = {"error_code": "duplicate", "website": "https://acme.example/"}
    draft = DraftFactory.create(owner=owner.user, url="https://alias.example/", failed=True, **values)
    page = browser.get(f"/drafts/{draft.pk}")
    assert "/claims/new" in page.content.decode()
    assert 'name="headline"' not in page.content.decode()


def test_an_address_that_leads_to_the_own_listing_links_it(browser: Client, owner: ApiClient, site: Site) -> None:
    company = CompanyFactory.create(owner=owner.user, website="https://acme.example", website_key="acme.example")
    listing = ListingFactory.create(company=company, site=site)
    values = {"error_code": "duplicate", "website": "https://acme.example/"}
    draft = DraftFactory.create(owner=owner.user, site=site, url="https://alias.example/", failed=True, **values)
    html = browser.get(f"/drafts/{draft.pk}").content.decode()
    assert f'your listing <a href="{listing.page_url}">{company.name}</a>' in html
