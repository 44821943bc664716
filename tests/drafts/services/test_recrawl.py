"""Reading a listed website again: what differs is proposed, and nothing changes but what its owner takes over."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.drafts.crawl import job
from apps.drafts.models import Draft
from apps.drafts.services import creation, drafts, recrawl, submission
from apps.listings.models import Company, Listing, ListingVersion, Milestone
from apps.listings.services.editing import update_my_listing
from apps.sites.models import Site
from tests.api import ApiClient
from tests.browsing import signed_in
from tests.drafts.conftest import HOME, page
from tests.drafts.factories import EVIDENCE, DraftFactory, by
from tests.factories import CategoryFactory, CompanyFactory, ListingFactory, SiteFactory, UserFactory
from tests.listings.owner.browsing import HOSTILE, html_of
from tests.pages_server import PagesServer

pytestmark = pytest.mark.django_db

URL = "https://acme.example/"
SOCIALS = {"github": "https://github.com/acme", "x": "https://x.com/acme"}
READ = {
    "name": "Acme",
    "headline": "Invoices, and now receipts",
    "summary": "What the product does, in a sentence or two.",
    "socials": {"github": "https://github.com/acme-invoices"},
    "docs_url": "https://docs.acme.example/",
    "language": "en",
}


@pytest.fixture
def person(owner: ApiClient) -> User:
    return owner.account


@pytest.fixture
def listing(person: User, site: Site) -> Listing:
    company = CompanyFactory.create(
        owner=person,
        name="Acme",
        website=URL,
        website_key="acme.example",
        socials=SOCIALS,
        contact_email="a@acme.example",
    )
    made: Listing = ListingFactory.create(live=True, company=company, site=site, headline="Invoices")
    return made


@pytest.fixture
def draft(listing: Listing) -> Draft:
    """The listing's website, read again."""
    made: Draft = DraftFactory.create(
        owner=listing.company.owner,
        url=URL,
        ready=True,
        rereads=listing,
        proposal=READ,
        missing=[
            {"field": "contact_email", "reason": "No page names an address."},
            {"field": "screenshots", "reason": "No page shows any."},
        ],
    )
    return made


def differing(draft: Draft) -> dict[str, tuple[Any, Any]]:
    return {one.field: (one.listing, one.website) for one in recrawl.differences(draft)}


def submit(client: ApiClient, draft: Draft, fields: Any = None) -> Any:
    return client.post(f"/drafts/{draft.pk}/submit", {} if fields is None else {"fields": fields})


def test_a_listed_website_is_read_again_by_request_only(owner: ApiClient, listing: Listing) -> None:
    refused = owner.post("/drafts", {"url": URL})
    assert (refused.status_code, refused.json()["code"]) == (409, "duplicate")
    assert "refresh" in refused.json()["next_steps"][1]
    started = owner.post("/drafts", {"url": URL, "refresh": True})
    assert (started.status_code, started.json()["rereads_listing_id"]) == (201, listing.pk)
    assert (started.json()["listing_id"], started.json()["differences"]) == (None, [])
    again = owner.post("/drafts", {"url": "https://www.acme.example", "refresh": True})
    assert (again.status_code, again.json()["id"]) == (200, started.json()["id"])
    assert owner.post("/drafts", {"url": URL}).status_code == 409


def test_a_website_that_is_not_listed_is_drafted_as_ever(owner: ApiClient, person: User) -> None:
    ListingFactory.create(company__owner=person, company__website_key="acme.example", site=SiteFactory.create())
    body = owner.post("/drafts", {"url": URL, "refresh": True}).json()
    assert (body["status"], body["rereads_listing_id"]) == ("crawling", None)


@pytest.mark.parametrize("value", ["true", 1, []])
def test_refresh_is_true_or_false(owner: ApiClient, value: Any) -> None:
    answer = owner.post("/drafts", {"url": URL, "refresh": value})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/refresh")
    assert not Draft.objects.exists()


def test_nobody_rereads_the_listing_of_another_account(other_owner: ApiClient, listing: Listing) -> None:
    answer = other_owner.post("/drafts", {"url": URL, "refresh": True})
    assert (answer.status_code, answer.json()["code"]) == (409, "website_taken")
    assert not Draft.objects.exists()


@pytest.mark.parametrize("status", Listing.Status.values)
def test_only_what_can_be_edited_is_reread(owner: ApiClient, person: User, site: Site, status: str) -> None:
    company = CompanyFactory.create(owner=person, website=URL, website_key="acme.example")
    week = {"launch_week": "2026-W40"} if status in {"scheduled", "live"} else {}
    launched = {"launched_at": company.created_at} if status == "live" else {}
    Listing.objects.create(
        company=company,
        site=site,
        slug="acme",
        status=status,
        suspended_from="live" if status == "suspended" else "",
        **week,
        **launched,
    )
    answer = owner.post("/drafts", {"url": URL, "refresh": True})
    expected = (409, "not_editable") if status == "rejected" else (201, None)
    assert (answer.status_code, answer.json().get("code")) == expected


def test_rereading_counts_for_the_hour(owner: ApiClient, listing: Listing) -> None:
    Site.objects.update(drafts_per_hour=1)
    assert owner.post("/drafts", {"url": URL, "refresh": True}).status_code == 201
    assert owner.post("/drafts", {"url": "https://other.example"}).status_code == 429


def test_a_listed_website_is_read_afresh_three_times_an_hour(
    owner: ApiClient, browser: Client, listing: Listing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.db.transaction.on_commit", lambda call, **_: call())
    for _ in range(3):
        draft = Draft.objects.get(pk=owner.post("/drafts", {"url": URL, "refresh": True}).json()["id"])
        drafts.cancel_draft(draft=draft, by=by(listing.company.owner))
    answer = owner.post("/drafts", {"url": URL, "refresh": True})
    assert (answer.status_code, answer.json().get("next_steps", [])) == (429, [])
    page = browser.post("/drafts/new", {"url": URL, "refresh": "True"})
    assert (page.status_code, "60 minutes" in html_of(page)) == (429, True)


def test_a_draft_from_before_the_listing_makes_way(owner: ApiClient, person: User, listing: Listing) -> None:
    old = DraftFactory.create(owner=person, url=URL, ready=True)
    body = owner.post("/drafts", {"url": URL, "refresh": True}).json()
    old.refresh_from_db()
    assert (old.status, body["rereads_listing_id"]) == (Draft.Status.CANCELLED, listing.pk)


@pytest.mark.slow
def test_the_whole_way(acme: PagesServer, site: Site, django_capture_on_commit_callbacks: Any) -> None:
    url = acme.url("acme.localhost", "/")
    person = UserFactory.create()
    first, _ = creation.create_draft(site=site, url=url, by=by(person))
    job.run(first.pk)
    listing = submission.submit_draft(draft=first, fields={"summary": "My own words."}, by=by(person))
    # What was kept of it for an hour is not what the website says by now.
    acme.serve("acme.localhost", "/", HOME.replace("nvoices that write", "nvoices and receipts that write"))

    with django_capture_on_commit_callbacks(execute=True):
        again, is_new = creation.create_draft(site=site, url=url, refresh=True, by=by(person))
    assert is_new
    job.run(again.pk)
    again.refresh_from_db()
    assert (again.status, again.error_message) == (Draft.Status.READY, "")
    result = {one.field: one for one in recrawl.differences(again)}
    assert "receipts" in result["headline"].website
    assert (result["headline"].is_advised, result["summary"].is_advised) == (True, False)
    assert "name" not in result
    before = ListingVersion.objects.count()
    listing.refresh_from_db()
    assert "receipts" not in listing.headline
    submission.submit_differences(draft=again, marks={result["headline"].mark}, by=by(person))
    listing.refresh_from_db()
    assert ("receipts" in listing.headline, listing.summary) == (True, "My own words.")
    assert ListingVersion.objects.count() == before + 1
    again.refresh_from_db()
    assert (again.status, again.listing) == (Draft.Status.SUBMITTED, listing)


def test_a_website_that_leads_to_another_company_is_not_compared(acme: PagesServer, site: Site) -> None:
    person = UserFactory.create()
    for host, owner in (("acme.localhost", person), ("other.localhost", UserFactory.create())):
        company = CompanyFactory.create(owner=owner, website=acme.url(host), website_key=acme.host(host))
        ListingFactory.create(company=company, site=site)
    acme.redirect("acme.localhost", "/", acme.url("other.localhost", "/"))
    acme.serve("other.localhost", "/", page("Other"))
    draft, _ = creation.create_draft(site=site, url=acme.url("acme.localhost"), refresh=True, by=by(person))
    job.run(draft.pk)
    draft.refresh_from_db()
    assert (draft.status, draft.error_code) == (Draft.Status.FAILED, "duplicate")


def test_differences_are_told_field_by_field(owner: ApiClient, draft: Draft, listing: Listing) -> None:
    body = owner.get(f"/drafts/{draft.pk}").json()
    assert body["differences"] == [
        {"field": "headline", "listing": "Invoices", "website": READ["headline"]},
        {"field": "socials", "listing": SOCIALS, "website": {**SOCIALS, "github": "https://github.com/acme-invoices"}},
        {"field": "contact_email", "listing": "a@acme.example", "website": ""},
        {"field": "docs_url", "listing": "", "website": "https://docs.acme.example/"},
    ]
    assert "differences" in body["untrusted"]
    assert "differences" in body["next_steps"][0]
    listing.refresh_from_db()
    assert listing.headline == "Invoices"


@pytest.mark.parametrize(
    ("field", "listed", "read"),
    [
        ("headline", "Invoices", "Invoices "),
        ("headline", "Invoices", "<\u202eInvoices"[1:]),
        ("docs_url", "", ""),
        ("logo_url", "", "http://acme.example/logo.png"),
        ("logo_url", "https://acme.example/a.png", "javascript:alert(1)"),
        ("founded_year", None, 3000),
        ("country", "", "XX"),
        ("socials", SOCIALS, {"x": "https://x.com/acme"}),
        ("socials", {}, {"x": "https://evil.example/acme"}),
        ("screenshots", [], None),
        ("website", "https://acme.example/", "https://elsewhere.example/"),
        ("categories", ["books", "games"], ["games", "books"]),
        ("categories", [], ["gone"]),
        ("language", None, "de"),
        ("founders", None, [{"name": "Ada", "role": "Founder", "url": ""}]),
    ],
)
def test_what_is_no_difference(draft: Draft, listing: Listing, field: str, listed: Any, read: Any) -> None:
    for slug in ("books", "games"):
        CategoryFactory.create(site=listing.site, slug=slug)
    if listed is not None and field != "website":
        update_my_listing(listing=listing, fields={field: listed}, by=by(draft.owner))
    Draft.objects.update(proposal={field: read}, missing=[])
    draft = Draft.objects.get()
    assert differing(draft) == {}


def test_categories_that_are_gone_are_not_proposed(draft: Draft, listing: Listing) -> None:
    CategoryFactory.create(site=listing.site, slug="books")
    Draft.objects.update(proposal={"categories": ["gone", "books"]}, missing=[])
    assert differing(Draft.objects.get()) == {"categories": ([], ["books"])}


def test_what_a_listing_needs_is_never_emptied(draft: Draft) -> None:
    missing = [{"field": name, "reason": "Nothing says it."} for name in ("name", "headline", "summary", "founders")]
    Draft.objects.update(proposal={}, missing=missing)
    assert differing(Draft.objects.get()) == {}


@pytest.mark.parametrize("status", ["crawling", "failed", "cancelled", "expired"])
def test_only_a_ready_draft_is_compared(draft: Draft, status: str) -> None:
    values: dict[str, Any] = {"finished_at": None} if status == "crawling" else {}
    values |= {"error_code": "robots"} if status == "failed" else {}
    Draft.objects.update(status=status, **values)
    assert recrawl.differences(Draft.objects.get()) == []


def test_only_what_is_sent_is_taken_over(owner: ApiClient, draft: Draft, listing: Listing) -> None:
    answer = submit(owner, draft, {"headline": READ["headline"]})
    assert answer.status_code == 200
    assert (answer.json()["listing_id"], answer.json()["listing_status"]) == (listing.pk, "live")
    assert "were not changed" not in " ".join(answer.json()["next_steps"])
    listing.refresh_from_db()
    listing.company.refresh_from_db()
    assert (listing.headline, listing.company.socials, listing.company.docs_url) == (READ["headline"], SOCIALS, "")
    (version,) = ListingVersion.objects.filter(listing=listing).exclude(changes=[])
    assert (version.author, [change["field"] for change in version.changes]) == (draft.owner, ["headline"])
    shown = owner.get(f"/drafts/{draft.pk}").json()
    assert (shown["status"], shown["listing_id"], shown["differences"]) == ("submitted", listing.pk, [])


def test_the_owner_may_send_other_values(owner: ApiClient, draft: Draft, listing: Listing) -> None:
    assert submit(owner, draft, {"headline": "Invoices and receipts", "city": "Lisbon"}).status_code == 200
    listing.refresh_from_db()
    assert (listing.headline, Company.objects.get().city) == ("Invoices and receipts", "Lisbon")


def test_differences_are_accepted_by_name(owner: ApiClient, draft: Draft, listing: Listing) -> None:
    sent = {"accept": ["headline", "socials"], "fields": {"city": "Lisbon"}}
    for _ in range(2):
        answer = owner.post(f"/drafts/{draft.pk}/submit", sent)
        assert (answer.status_code, answer.json()["listing_id"]) == (200, listing.pk)
    listing.refresh_from_db()
    company = Company.objects.get()
    assert (listing.headline, company.city) == (READ["headline"], "Lisbon")
    assert (company.socials, company.docs_url) == ({**SOCIALS, "github": "https://github.com/acme-invoices"}, "")

    again = owner.post(f"/drafts/{draft.pk}/submit", {"accept": ["headline", "docs_url"]})
    assert (again.status_code, again.json()["code"]) == (409, "already_submitted")
    assert "other values in docs_url" in again.json()["detail"]


def test_what_is_sent_comes_before_what_is_accepted(owner: ApiClient, draft: Draft, listing: Listing) -> None:
    sent = {"accept": ["headline"], "fields": {"headline": "Invoices and receipts"}}
    assert owner.post(f"/drafts/{draft.pk}/submit", sent).status_code == 200
    listing.refresh_from_db()
    assert listing.headline == "Invoices and receipts"


def test_only_differences_are_accepted(owner: ApiClient, draft: Draft, listing: Listing) -> None:
    answer = owner.post(f"/drafts/{draft.pk}/submit", {"accept": ["headline", "city", "nothing"]})
    assert (answer.status_code, answer.json()["code"]) == (422, "no_difference")
    assert answer.json()["errors"][0]["pointer"] == "/accept"
    assert "city, nothing. It has headline, socials, contact_email, docs_url." in answer.json()["detail"]
    listing.refresh_from_db()
    assert listing.headline == "Invoices"


def test_a_first_draft_has_nothing_to_accept(owner: ApiClient, person: User, site: Site) -> None:
    draft = DraftFactory.create(owner=person, site=site, ready=True)
    answer = owner.post(f"/drafts/{draft.pk}/submit", {"accept": ["headline"]})
    assert (answer.status_code, answer.json()["code"]) == (422, "no_difference")
    assert "`fields`" in answer.json()["detail"]


@pytest.mark.parametrize("fields", [None, {}])
def test_without_fields_nothing_is_taken_over(owner: ApiClient, draft: Draft, listing: Listing, fields: Any) -> None:
    answer = submit(owner, draft, fields)
    assert (answer.status_code, answer.json()["code"]) == (422, "nothing_chosen")
    assert answer.json()["errors"][0]["pointer"] == "/accept"
    assert "differences" in answer.json()["next_steps"][0]
    listing.refresh_from_db()
    draft.refresh_from_db()
    assert (listing.headline, draft.status) == ("Invoices", Draft.Status.READY)


def test_a_bad_field_takes_over_nothing(owner: ApiClient, draft: Draft, listing: Listing) -> None:
    for fields in ({"headline": ""}, {"categories": ["gone"], "headline": "New"}, {"website": "https://b.example"}):
        assert submit(owner, draft, fields).status_code == 422
    listing.refresh_from_db()
    draft.refresh_from_db()
    assert (listing.headline, draft.status) == ("Invoices", Draft.Status.READY)


def test_submitting_again_is_the_same_or_refused(owner: ApiClient, draft: Draft, listing: Listing) -> None:
    first = submit(owner, draft, {"headline": "New", "socials": {}})
    for again in (submit(owner, draft, {"headline": "New"}), submit(owner, draft)):
        assert (again.status_code, again.json()["listing_id"]) == (200, first.json()["listing_id"])
    # Proposed, but not taken over: the listing does not have it.
    other = submit(owner, draft, {"docs_url": READ["docs_url"]})
    assert (other.status_code, other.json()["code"]) == (409, "already_submitted")
    assert Company.objects.get().docs_url == ""


def test_update_draft_changes_the_proposal_and_then_the_listing(
    owner: ApiClient, draft: Draft, listing: Listing
) -> None:
    body = owner.patch(f"/drafts/{draft.pk}", {"fields": {"headline": "By hand"}}).json()
    assert body["differences"][0] == {"field": "headline", "listing": "Invoices", "website": "By hand"}
    listing.refresh_from_db()
    assert listing.headline == "Invoices"
    submit(owner, draft, {"headline": "By hand"})
    assert owner.patch(f"/drafts/{draft.pk}", {"fields": {"headline": "Later"}}).status_code == 200
    listing.refresh_from_db()
    assert listing.headline == "Later"


def test_another_owner_s_listing_is_neither_shown_nor_changed(owner: ApiClient, draft: Draft, listing: Listing) -> None:
    Company.objects.update(owner=UserFactory.create(), legal_name="Secret Ltd")
    Draft.objects.update(proposal={**READ, "legal_name": "Acme Ltd"})
    shown = owner.get(f"/drafts/{draft.pk}")
    assert (shown.json()["differences"], "Secret Ltd" in shown.content.decode()) == ([], False)
    assert "no longer" in shown.json()["next_steps"][0]
    answer = submit(owner, draft, {"headline": "Taken back"})
    assert (answer.status_code, answer.json()["code"]) == (409, "not_editable")
    html = html_of(signed_in(draft.owner).get(f"/drafts/{draft.pk}/differences"))
    assert "Secret Ltd" not in html
    listing.refresh_from_db()
    draft.refresh_from_db()
    assert (listing.headline, draft.status) == ("Invoices", Draft.Status.READY)


def test_new_milestones_are_added_to_those_there_are(draft: Draft, listing: Listing) -> None:
    Milestone.objects.create(listing=listing, date=date(2026, 1, 2), title="First customer")
    read = [
        {"date": "2026-01-02", "title": "First Customer", "description": "", "url": ""},
        {"date": "2026-03-04", "title": "Version 2", "description": "Faster.", "url": "https://acme.example/v2"},
    ]
    Draft.objects.update(proposal={"milestones": read}, missing=[])
    (result,) = recrawl.differences(Draft.objects.get())
    assert (result.field, result.website, len(result.listing)) == ("milestones", read[1:], 1)
    submission.submit_differences(draft=draft, marks={result.mark}, by=by(draft.owner))
    rows = [(str(one.date), one.title, one.url) for one in listing.milestones.all()]
    assert rows == [("2026-03-04", "Version 2", "https://acme.example/v2"), ("2026-01-02", "First customer", "")]


def test_milestones_are_taken_over_by_value_too(owner: ApiClient, draft: Draft, listing: Listing) -> None:
    Milestone.objects.create(listing=listing, date=date(2026, 1, 2), title="First customer")
    fields = {"milestones": [{"date": f"2026-0{month}-02", "title": "First customer"} for month in (1, 2)]}
    for _ in range(2):
        assert submit(owner, draft, fields).status_code == 200
    assert [str(one.date) for one in listing.milestones.all()] == ["2026-02-02", "2026-01-02"]
    other = {"milestones": [{"date": "2026-05-02", "title": "Second customer"}]}
    assert submit(owner, draft, other).status_code == 409
    assert listing.milestones.count() == 2


def test_a_draft_that_rereads_expires_too(draft: Draft, listing: Listing) -> None:
    Draft.objects.update(created_at="2026-01-01T00:00:00Z")
    assert drafts.expire_drafts() == 1
    assert recrawl.differences(Draft.objects.get()) == []


@pytest.fixture
def browser(person: User) -> Client:
    return signed_in(person)


def boxes(browser: Client, draft: Draft) -> dict[str, tuple[str, bool]]:
    """The page's boxes by field: the mark, and whether it is ticked."""
    context = browser.get(f"/drafts/{draft.pk}/differences").context
    rows = [*context["given"], *context["not_given"]]
    return {row["mark"].split("-")[0]: (row["mark"], row["is_ticked"]) for row in rows}


def test_the_page_ticks_nothing_that_would_be_lost(browser: Client, draft: Draft, listing: Listing) -> None:
    assert browser.get(f"/drafts/{draft.pk}").headers["Location"] == f"/drafts/{draft.pk}/differences"
    ticks = {field: is_ticked for field, (_, is_ticked) in boxes(browser, draft).items()}
    assert ticks == {"headline": False, "socials": False, "contact_email": False, "docs_url": True}
    DraftFactory.create(
        owner=draft.owner,
        url="https://earlier.example/",
        ready=True,
        status=Draft.Status.SUBMITTED,
        listing=listing,
        submitted_at=draft.created_at,
        proposal={"headline": "Invoices", "socials": SOCIALS},
        edited=["socials"],
    )
    ticks = {field: is_ticked for field, (_, is_ticked) in boxes(browser, draft).items()}
    assert ticks == {"headline": True, "socials": False, "contact_email": False, "docs_url": True}


def test_what_is_ticked_is_taken_over(browser: Client, draft: Draft, listing: Listing) -> None:
    result = boxes(browser, draft)
    address = f"/drafts/{draft.pk}/differences"
    answer = browser.post(address, {"take": [result[name][0] for name in ("socials", "contact_email")]}, follow=True)
    assert "Listing updated" in html_of(answer)
    listing.refresh_from_db()
    company = Company.objects.get()
    assert (listing.headline, company.contact_email, company.docs_url) == ("Invoices", "", "")
    assert company.socials == {**SOCIALS, "github": "https://github.com/acme-invoices"}
    assert browser.post(address, {"take": []}).status_code == 302
    assert html_of(browser.get(f"/drafts/{draft.pk}")).count("Listing updated") == 1


def test_nothing_ticked_is_asked_about(browser: Client, draft: Draft, listing: Listing) -> None:
    answer = browser.post(f"/drafts/{draft.pk}/differences", {})
    assert (answer.status_code, bool(answer.context["problem"])) == (422, True)
    draft.refresh_from_db()
    assert draft.status == Draft.Status.READY


def test_what_was_changed_meanwhile_is_shown_again(browser: Client, draft: Draft, listing: Listing) -> None:
    result = boxes(browser, draft)
    update_my_listing(listing=listing, fields={"headline": "By an assistant"}, by=by(draft.owner))
    address = f"/drafts/{draft.pk}/differences"
    answer = browser.post(address, {"take": [result["headline"][0], result["docs_url"][0]]})
    assert (answer.status_code, "By an assistant" in html_of(answer)) == (409, True)
    ticked = [row["change"].label for row in answer.context["given"] if row["is_ticked"]]
    assert ticked == ["Documentation"]
    listing.refresh_from_db()
    assert (listing.headline, Company.objects.get().docs_url) == ("By an assistant", "")
    assert browser.post(address, {"take": ["nonsense"]}).status_code == 409


def test_text_of_the_website_is_never_markup(browser: Client, draft: Draft) -> None:
    evidence = [{**EVIDENCE[0], "field": "headline", "value": HOSTILE, "snippet": HOSTILE}]
    Draft.objects.update(proposal={"headline": HOSTILE, "summary": f"{HOSTILE} and more"}, evidence=evidence)
    html = html_of(browser.get(f"/drafts/{draft.pk}/differences"))
    assert HOSTILE not in html
    assert "&lt;script&gt;" in html


def test_the_page_says_when_the_website_was_read(browser: Client, draft: Draft) -> None:
    Draft.objects.update(finished_at=datetime(2026, 11, 22, 9, 5, tzinfo=UTC))
    assert "Nov 22, 2026, 09:05 UTC" in html_of(browser.get(f"/drafts/{draft.pk}/differences"))


def test_without_differences_there_is_nothing_to_take_over(browser: Client, owner: ApiClient, draft: Draft) -> None:
    Draft.objects.update(proposal={"headline": "Invoices"}, missing=[])
    assert "notice-good" in html_of(browser.get(f"/drafts/{draft.pk}/differences"))
    assert "Nothing to do" in owner.get(f"/drafts/{draft.pk}").json()["next_steps"][0]


def test_only_the_owner_gets_to_the_page(draft: Draft, listing: Listing, browser: Client) -> None:
    address = f"/drafts/{draft.pk}/differences"
    stranger = signed_in(UserFactory.create())
    mark = boxes(browser, draft)["docs_url"][0]
    assert stranger.get(address).status_code == 404
    assert stranger.post(address, {"take": [mark]}).status_code == 404
    strict = Client(headers={"host": "testserver.localhost"}, enforce_csrf_checks=True)
    strict.force_login(draft.owner)
    assert strict.post(address, {"take": [mark]}).status_code == 403
    plain = DraftFactory.create(owner=draft.owner, ready=True)
    assert browser.get(f"/drafts/{plain.pk}/differences").status_code == 404
    assert Company.objects.get().docs_url == ""


def test_the_form_for_new_drafts_does_not_take_over_a_listing(browser: Client, draft: Draft, listing: Listing) -> None:
    assert browser.post(f"/drafts/{draft.pk}/submit", {"headline": "Taken over"}).status_code == 302
    listing.refresh_from_db()
    assert listing.headline == "Invoices"


def test_the_manage_page_leads_there(browser: Client, listing: Listing) -> None:
    address = "/drafts/new?url=https%3A%2F%2Facme.example%2F&refresh=1"
    assert address.replace("&", "&amp;") in html_of(browser.get(f"{listing.path}/manage"))
    asked = browser.get(address)
    assert "Check for changes" in html_of(asked)
    form = asked.context["form"]
    answer = browser.post("/drafts/new", {name: form[name].value() for name in ("url", "refresh")})
    draft = Draft.objects.get()
    assert (answer.headers["Location"], draft.rereads) == (f"/drafts/{draft.pk}", listing)


def test_a_listed_website_is_offered_to_be_read_again(browser: Client, listing: Listing) -> None:
    answer = browser.post("/drafts/new", {"url": URL})
    assert answer.status_code == 409
    assert "/drafts/new?url=https%3A%2F%2Facme.example%2F&amp;refresh=1" in html_of(answer)
    assert f'<a href="{listing.page_url}">Open your listing</a>' in html_of(answer)
    assert not Draft.objects.exists()
