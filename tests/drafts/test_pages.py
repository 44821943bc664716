"""The draft pages: start, progress, review, submit, claim."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from lxml import html

from apps.drafts.models import Draft
from apps.listings.models import Listing
from tests.drafts.browsing import form_of
from tests.drafts.factories import PROPOSAL, DraftFactory
from tests.factories import CategoryFactory, CompanyFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser() -> Client:
    """A browser in which the owner is signed in."""
    client = Client(headers={"host": "testserver.localhost"})
    client.force_login(UserFactory.create(email="owner@example.com"))
    return client


@pytest.fixture
def own(browser: Client) -> Callable[..., Draft]:
    """Makes drafts of the account signed in."""
    owner = browser.session["_auth_user_id"]
    return lambda **values: DraftFactory.create(owner_id=owner, owner=None, **values)


def test_a_draft_is_started_from_the_form(browser: Client) -> None:
    page = browser.get("/drafts/new?url=https://acme.example").content.decode()
    assert '<input type="hidden" name="url" value="https://acme.example">' in page
    assert 'type="text" name="url"' not in page
    answer = browser.post("/drafts/new", {"url": "acme.example"})
    draft = Draft.objects.get()
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/drafts/{draft.pk}")
    assert draft.url == "https://acme.example/"


@pytest.mark.parametrize(("url", "status"), [("", 422), ("http://127.0.0.1/", 422), ("ftp://acme.example", 422)])
def test_a_bad_address_is_explained(browser: Client, url: str, status: int) -> None:
    answer = browser.post("/drafts/new", {"url": url})
    assert answer.status_code == status
    assert answer.context["form"].errors["url"]
    assert not Draft.objects.exists()


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("garbage", "bad_address"),
        ("not an address", "bad_address"),
        ("javascript:alert(1)", "bad_address"),
        ("http://127.0.0.1/", "private_address"),
    ],
)
def test_a_bad_address_never_leads_to_sign_up(url: str, code: str) -> None:
    answer = Client().get("/drafts/new", {"url": url})
    assert answer.status_code == 422
    page: Any = html.document_fromstring(answer.content.decode())
    [form] = [form for form in page.forms if "url" in form.fields]
    assert (form.method, form.fields) == ("GET", {"url": url})
    assert answer.context["form"].has_error("url", code)
    assert answer.context["form"].errors["url"][0] in page.get_element_by_id("id_url_error").text_content()


def test_a_good_address_leads_to_sign_up_and_is_kept() -> None:
    answer = Client().get("/drafts/new", {"url": "acme.example"})
    assert answer["Location"] == "/account/sign-up?next=/drafts/new%3Furl%3Dacme.example"


def test_who_asked_before_signing_up_is_not_asked_again() -> None:
    visitor = Client()
    visitor.get("/drafts/new", {"url": "acme.example"})
    visitor.force_login(UserFactory.create())
    # Another address than the one asked for starts nothing, and neither does looking twice.
    assert visitor.get("/drafts/new", {"url": "other.example"}).status_code == 200
    assert visitor.get("/drafts/new", {"url": "acme.example"}).status_code == 200
    assert not Draft.objects.exists()
    visitor.logout()
    visitor.get("/drafts/new", {"url": "acme.example"})
    visitor.force_login(UserFactory.create())
    answer = visitor.get("/drafts/new", {"url": "acme.example"})
    assert answer["Location"] == f"/drafts/{Draft.objects.get().pk}"


def test_a_company_of_another_account_leads_to_the_claim(browser: Client) -> None:
    CompanyFactory.create(website="https://acme.example/", website_key="acme.example")
    answer = browser.post("/drafts/new", {"url": "acme.example"})
    assert answer.status_code == 409
    assert "Another account" in answer.context["form"].errors["url"][0]
    assert '/claims/new?url=https%3A%2F%2Facme.example%2F">Claim it</a>' in answer.content.decode()
    page = browser.get("/claims/new", {"url": "https://acme.example/"})
    assert page.status_code == 200
    assert "https://acme.example/" in page.content.decode()


def test_progress_is_shown_and_polled(browser: Client, own: Callable[..., Draft]) -> None:
    draft = own(pages_done=2, pages_planned=5)
    html = browser.get(f"/drafts/{draft.pk}").content.decode()
    assert "2 of 5 pages" in html
    assert f'hx-get="/drafts/{draft.pk}"' in html


@pytest.mark.slow
def test_the_proposal_is_beside_its_evidence(browser: Client, own: Callable[..., Draft]) -> None:
    missing = [{"field": "docs_url", "reason": "No page links to documentation."}]
    draft = own(ready=True, missing=missing)
    html = browser.get(f"/drafts/{draft.pk}").content.decode()
    for text in ("Invoices that write themselves", "og:site_name", "No page links"):
        assert text in html
    assert "https://github.com/acme-invoices" in html
    assert 'name="logo_url"' in html


def test_text_of_websites_is_never_markup(browser: Client, own: Callable[..., Draft]) -> None:
    hostile = "<script>alert(1)</script>"
    draft = own(ready=True)
    Draft.objects.update(proposal={**draft.proposal, "headline": hostile, "socials": {"x": "javascript:alert(1)"}})
    html = browser.get(f"/drafts/{draft.pk}").content.decode()
    assert hostile not in html
    assert 'href="javascript' not in html


def test_a_failed_draft_says_why(browser: Client, own: Callable[..., Draft]) -> None:
    draft = own(failed=True)
    assert draft.error_message in browser.get(f"/drafts/{draft.pk}").content.decode()


def test_the_page_reloads_once_the_draft_is_ready(browser: Client, own: Callable[..., Draft]) -> None:
    poll = {"HX-Request": "true"}
    running = browser.get(f"/drafts/{own().pk}", headers=poll)
    assert (running.status_code, "HX-Refresh" in running.headers) == (200, False)
    ready = browser.get(f"/drafts/{own(ready=True).pk}", headers=poll)
    assert (ready.content, ready.headers["HX-Refresh"]) == (b"", "true")


def test_the_corrected_proposal_is_submitted(browser: Client, own: Callable[..., Draft]) -> None:
    draft = own(ready=True)
    CategoryFactory.create(site=draft.site, slug="books")
    answer = browser.post(
        f"/drafts/{draft.pk}/submit", form_of(browser, draft, headline="Better invoices", categories="books")
    )
    listing = Listing.objects.get()
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/listings/{listing.slug}/launch")
    assert listing.headline == "Better invoices"
    assert [category.slug for category in listing.categories.all()] == ["books"]
    assert listing.company.socials == draft.proposal["socials"]
    again = browser.post(f"/drafts/{draft.pk}/submit", {})
    assert again.status_code == 302
    assert Listing.objects.count() == 1
    page = browser.get(f"/drafts/{draft.pk}").content.decode()
    assert "Listing submitted" in page
    assert f'<a class="button main" href="/listings/{listing.slug}/launch">Choose a launch</a>' in page


def test_other_texts_for_a_submitted_draft_are_not_taken_silently(browser: Client, own: Callable[..., Draft]) -> None:
    draft = own(ready=True)
    form = form_of(browser, draft, headline="Better invoices")
    browser.post(f"/drafts/{draft.pk}/submit", form)
    same = browser.post(f"/drafts/{draft.pk}/submit", form, follow=True)
    assert {message.level_tag for message in same.context["messages"]} == {"success"}
    other = browser.post(f"/drafts/{draft.pk}/submit", {**form, "headline": "Other invoices"}, follow=True)
    assert {message.level_tag for message in other.context["messages"]} == {"error"}
    assert Listing.objects.get().headline == "Better invoices"


def test_evidence_of_what_the_owner_wrote_is_marked(browser: Client, own: Callable[..., Draft]) -> None:
    draft = own(ready=True)
    assert "Edited by you" not in browser.get(f"/drafts/{draft.pk}").content.decode()
    Draft.objects.update(proposal={**draft.proposal, "name": "Acme Ltd"}, edited=["name"])
    html = browser.get(f"/drafts/{draft.pk}").content.decode()
    assert "Edited by you" in html
    assert "og:site_name" in html


def test_a_missing_text_is_asked_for(browser: Client, own: Callable[..., Draft]) -> None:
    draft = own(ready=True)
    answer = browser.post(f"/drafts/{draft.pk}/submit", form_of(browser, draft, summary=" "))
    assert answer.status_code == 422
    assert answer.context["form"].errors["summary"]
    assert not Listing.objects.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "limit"),
    [("name", 80), ("headline", 80), ("summary", 600), ("seo_title", 60), ("seo_description", 160)],
)
def test_a_text_is_measured_as_it_is_stored(name: str, limit: int, browser: Client, own: Callable[..., Draft]) -> None:
    draft = own(ready=True)
    # Each is two characters once it is normalised.
    answer = browser.post(f"/drafts/{draft.pk}/submit", form_of(browser, draft, **{name: "\u0958" * limit}))
    assert answer.status_code == 422
    assert answer.context["form"].errors[name]
    assert (
        browser.post(
            f"/drafts/{draft.pk}/submit", form_of(browser, draft, **{name: "\u0958" * (limit // 2)})
        ).status_code
        == 302
    )
    assert Listing.objects.count() == 1


def test_an_address_that_was_read_is_kept_as_it_is(browser: Client, own: Callable[..., Draft]) -> None:
    address = "https://acme.example/" + "\u0958" * 479
    draft = own(ready=True, proposal={**PROPOSAL, "logo_url": address})
    assert browser.post(f"/drafts/{draft.pk}/submit", form_of(browser, draft)).status_code == 302
    assert Listing.objects.get().company.logo_url == address


def test_a_draft_in_progress_cannot_be_submitted(browser: Client, own: Callable[..., Draft]) -> None:
    assert browser.post(f"/drafts/{own().pk}/submit", {}).status_code == 409
    assert not Listing.objects.exists()


def test_only_the_owner_sees_a_draft(browser: Client) -> None:
    draft = DraftFactory.create(ready=True)
    assert browser.get(f"/drafts/{draft.pk}").status_code == 404
    assert browser.post(f"/drafts/{draft.pk}/submit", {"headline": "Mine"}).status_code == 404
    assert not Listing.objects.exists()


@pytest.mark.parametrize(
    ("path", "way"), [("/drafts/new", "sign-up"), ("/drafts/1", "sign-in"), ("/claims/new", "sign-in")]
)
def test_an_account_comes_first(path: str, way: str) -> None:
    answer = Client(headers={"host": "testserver.localhost"}).get(path)
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith(f"/account/{way}?next={path}")


def test_site_admins_see_drafts_in_the_admin() -> None:
    client = Client(headers={"host": "testserver.localhost"})
    client.force_login(UserFactory.create(is_staff=True, is_superuser=True))
    draft = DraftFactory.create(failed=True)
    assert draft.url in client.get("/admin/drafts/draft/").content.decode()
    assert client.get(f"/admin/drafts/draft/{draft.pk}/change/").status_code == 200
    assert client.get("/admin/drafts/draft/add/").status_code == 403


def test_a_proposal_reads_as_its_listing_would_in_the_admin() -> None:
    client = Client(headers={"host": "testserver.localhost"})
    client.force_login(UserFactory.create(is_staff=True, is_superuser=True))
    proposal = {
        "faqs": [{"answer": "Yes.", "question": "Is it free?"}],
        "price_from_cents": 950,
        "country": "NL",
        "socials": {"github": "https://github.com/acme"},
        "tags": ["a", "b"],
        "city": "",
    }
    draft = DraftFactory.create(failed=True, proposal=proposal)
    answer = client.get(f"/admin/drafts/draft/{draft.pk}/change/")
    page: Any = html.fromstring(answer.content)
    shown = {term.text_content(): [line.text_content() for line in term.itersiblings("dd")] for term in page.iter("dt")}
    assert shown == {
        "Questions and answers": ["Is it free? Yes."],
        "Price from": ["9.50"],
        "Country": ["Netherlands"],
        "Profiles elsewhere": ["GitHub: https://github.com/acme"],
        "Tags": ["a", "b"],
    }
