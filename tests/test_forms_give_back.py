"""Every form that people type into comes back with what was typed, and says what to do beside the field."""

from typing import Any

import pytest
from allauth.account.internal.flows.login import record_authentication
from django.http import HttpRequest
from django.test import Client
from lxml import html

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.listings.models import Listing
from apps.orders.checkout.create import create_checkout
from apps.orders.checkout.quote import QuoteRequest
from apps.sites.models import Site
from tests.factories import CompanyFactory, ListingFactory, UserFactory

pytestmark = pytest.mark.django_db

_LONG = "word " * 400
# Page, what is typed, the field that is wrong. A typed value that is a password is never given back.
FORMS: list[tuple[str, dict[str, Any], str]] = [
    ("/account/email", {"email": "ada@", "action_add": "1"}, "email"),
    ("/account/password", {"oldpassword": "no", "password1": "short"}, "oldpassword"),
    ("/account/profile", {"real_name": _LONG}, "real_name"),
    ("/account/keys/new", {"name": _LONG}, "name"),
    ("/drafts/new", {"url": "nowhere at all"}, "url"),
    ("/claims/new", {"url": "nowhere at all"}, "url"),
    ("/listings/acme/updates/new", {"title": _LONG, "body": "Kept"}, "title"),
    ("/listings/acme/milestones", {"title": _LONG, "date": "2020-01-01"}, "title"),
    ("/listings/acme/save", {"name": "ab"}, "name"),
    ("/collections/new", {"name": "ab", "description": "Kept"}, "name"),
    ("/listings/acme/edit", {"headline": _LONG}, "headline"),
]
VISITOR_FORMS: list[tuple[str, dict[str, Any], str]] = [
    ("/account/sign-in", {"login": "ada@", "password": "wrong words here"}, "login"),
    ("/account/sign-up", {"email": "ada@", "password1": "a long enough password"}, "email"),
    ("/account/password/reset", {"email": "ada@"}, "email"),
]


@pytest.fixture
def owner() -> User:
    return UserFactory.create(email="owner@example.com")


@pytest.fixture
def listing(owner: User, site: Site) -> Listing:
    company = CompanyFactory.create(owner=owner, website="https://acme.example/", website_key="acme.example")
    return ListingFactory.create(company=company, site=site, slug="acme", live=True)


@pytest.fixture
def browser(owner: User, listing: Listing) -> Client:
    client = Client(headers={"host": "testserver.localhost"})
    client.force_login(owner)
    request = HttpRequest()
    request.session = client.session
    record_authentication(request, owner, method="password", reauthenticated=True)
    request.session.save()
    return client


@pytest.mark.parametrize(("path", "typed", "field"), FORMS, ids=[path for path, *_ in FORMS])
def test_a_form_of_an_account(browser: Client, path: str, typed: dict[str, Any], field: str) -> None:
    assert_given_back(browser, path, typed, field)


@pytest.mark.parametrize(
    ("path", "typed", "field"), VISITOR_FORMS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_form_of_anybody(path: str, typed: dict[str, Any], field: str, site: Site) -> None:
    assert_given_back(Client(headers={"host": "testserver.localhost"}), path, typed, field)


def test_the_checkout(browser: Client, listing: Listing) -> None:
    quote_request = QuoteRequest(items=[{"listing_id": listing.pk, "product": "section_faq"}])
    order, _ = create_checkout(
        quote_request, site=listing.site, by=Actor(user=listing.company.owner, via="browser"), address="127.0.0.1"
    )
    typed = {"name": "Ada Example", "address": _LONG, "postal_code": "10115", "city": "Berlin", "country": "DE"}
    assert_given_back(browser, f"/checkout/{order.secret}", typed, "address")


def assert_given_back(browser: Client, path: str, typed: dict[str, Any], field: str) -> None:
    """Fill in the page's form as a browser does, wrongly, and look for it and for the problem in what comes back."""
    [form, *_] = [one for one in _page(browser.get(path)).forms if field in one.fields]
    sent = dict(form.form_values()) | typed
    answer = browser.post(form.action or path, sent)
    assert answer.status_code in {409, 422}, answer.get("Location")
    page = _page(answer)
    for name, text in typed.items():
        [shown, *_] = page.xpath(f"//main//*[@name='{name}'][not(@type='submit')]") or [None]
        if shown is not None and shown.get("type") not in {"password", "radio", "checkbox"}:
            value = shown.value if shown.tag == "select" else shown.get("value") or shown.text_content()
            assert value.strip() == text.strip(), name
    [wrong, *_] = page.xpath(f"//main//*[@name='{field}']")
    assert wrong.get("aria-invalid") == "true"
    told = [page.get_element_by_id(name) for name in wrong.get("aria-describedby", "").split()]
    assert any(one.xpath(".//p[contains(@class, 'error')]") for one in told)


def _page(answer: Any) -> Any:
    return html.document_fromstring(answer.content.decode())
