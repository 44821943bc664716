"""The pages of what went wrong: what they say, and where they lead."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import DatabaseError, InterfaceError, connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import path

from apps.core.request.outages import Outage
from apps.core.templatetags.ui import hue_step
from apps.core.web import error_pages
from apps.sites.models import Site
from apps.sites.requests import SiteHttpRequest
from config import urls
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db

ORIGIN = "http://testserver.localhost"


def _raises(error: Exception) -> Any:
    def view(request: HttpRequest) -> HttpResponse:
        raise error

    return view


class _Urls:
    """The URL conf with pages that fail."""

    urlpatterns = (
        path("fails/400", _raises(SuspiciousOperation("no"))),
        path("fails/403", _raises(PermissionDenied())),
        path("fails/429", error_pages.too_many_requests),
        path("fails/500", _raises(RuntimeError("boom"))),
        path("fails/503", _raises(psycopg.OperationalError("gone"))),
        *urls.urlpatterns,
    )
    handler400, handler403, handler404 = urls.handler400, urls.handler403, urls.handler404
    handler429, handler500 = urls.handler429, urls.handler500


@pytest.fixture
def browser() -> Iterator[Client]:
    with override_settings(ROOT_URLCONF=_Urls):
        yield Client(headers={"host": "testserver.localhost"}, raise_request_exception=False)


@pytest.mark.parametrize("status", [400, 403, 404, 413, 429])
@pytest.mark.parametrize("is_signed_in", [False, True])
def test_a_page_says_which_request_and_leads_on(browser: Client, status: int, is_signed_in: bool) -> None:
    if is_signed_in:
        browser.force_login(UserFactory.create())
    headers: dict[str, Any] = {"X-Request-ID": "request-of-mine"}
    if status == 413:
        answer = browser.post("/search", headers={**headers, "Accept": "text/html", "Content-Length": str(10**9)})
    else:
        answer = browser.get(f"/fails/{status}", headers=headers)
    page = answer.content.decode()
    assert answer.status_code == status
    assert "request-of-mine" in page
    assert '<form class="joined" action="/search" role="search"' in page
    assert ('href="/account">Your listings</a>' in page.split("<main")[1]) is is_signed_in


@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("/newsletter/subscribe-email", "/newsletter"),
        ("/drafts/7/cancel", "/drafts/7"),
        ("/listings/acme/free", "/listings/acme"),
        ("/account/listings/7/buy-launch", "/account"),
    ],
)
def test_the_url_of_a_form_leads_to_the_page_above(browser: Client, path: str, page: str) -> None:
    browser.force_login(UserFactory.create())
    assert browser.get(path, headers={"Accept": "text/html"})["Location"] == page
    # Programs get the methods.
    answer = browser.get(path)
    assert (answer.status_code, answer["Allow"]) == (405, "POST")


@pytest.mark.parametrize("problem", [DatabaseError, InterfaceError, Site.DoesNotExist])
def test_what_broke_is_told_without_a_database(browser: Client, problem: type[Exception]) -> None:
    def refuse(*_: Any) -> None:
        raise problem("gone")

    with connection.execute_wrapper(refuse):
        answer = browser.get("/fails/500", headers={"X-Request-ID": "request-of-mine"})
    assert answer.status_code == 500
    assert "request-of-mine" in answer.content.decode()


def test_an_outage_is_told_without_asking_the_database(browser: Client, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        answer = browser.get("/fails/503", headers={"X-Request-ID": "request-of-mine"})
    assert (answer.status_code, answer["Retry-After"], answer["Cache-Control"]) == (503, "60", "no-store")
    page = answer.content.decode()
    assert "Temporarily unavailable" in page
    assert "request-of-mine" in page


def test_an_outage_is_told_in_the_look_of_a_known_site(site: Site) -> None:
    request = SiteHttpRequest()
    request.site = site
    page = error_pages.unavailable(request, Outage("PostgreSQL", 60)).content.decode()
    assert f'data-hue="{hue_step(site.hue)}"' in page


def test_what_broke_is_told_in_the_look_of_the_site(browser: Client) -> None:
    page = browser.get("/fails/500").content.decode()
    assert "Slipway" in page
    assert "Something went wrong" in page


class TestAFormWithoutItsToken:
    @pytest.fixture
    def strict(self) -> Client:
        client = Client(headers={"host": "testserver.localhost"}, enforce_csrf_checks=True)
        client.force_login(UserFactory.create())
        return client

    def test_gives_back_what_was_written(self, strict: Client) -> None:
        sent = {"problem": "Two words & <more>", "password": "four words of secret", "id": "7"}
        answer = strict.post("/listings/acme/archive", sent, headers={"Origin": ORIGIN})
        assert answer.status_code == 403
        assert answer.context["texts"] == [{"id": "text-0", "label": "Problem", "text": "Two words & <more>"}]
        page = answer.content.decode()
        assert "Two words &amp; &lt;more&gt;</textarea>" in page
        assert 'href="/listings/acme/archive"' in page

    @pytest.mark.parametrize(
        ("referer", "leads_to"),
        [
            (f"{ORIGIN}/drafts/7?step=2", "/drafts/7?step=2"),
            (f"{ORIGIN}.elsewhere.example/", "/drafts/7/save"),
            ("https://elsewhere.example/", "/drafts/7/save"),
            (None, "/drafts/7/save"),
        ],
    )
    def test_leads_back_to_where_the_form_stood(self, strict: Client, referer: str | None, leads_to: str) -> None:
        headers = {"Origin": ORIGIN} | ({"Referer": referer} if referer else {})
        answer = strict.post("/drafts/7/save", {"name": "Two words"}, headers=headers)
        assert answer.status_code == 403
        assert answer.context["form_address"] == leads_to

    @pytest.mark.parametrize("origin", [None, "null", "https://elsewhere.example"])
    def test_shows_no_words_of_other_websites(self, strict: Client, origin: str | None) -> None:
        answer = strict.post("/account/email", {"text": "Two words"}, headers={"Origin": origin} if origin else {})
        assert answer.status_code == 403
        assert answer.context["texts"] == []
