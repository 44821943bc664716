"""Looks at websites that answer in every way, over real sockets on loopback."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from apps.core.fetch import FetchFailure, Limits, fetch_page
from apps.core.fetch.errors import WHY_CUT
from apps.launches.badges import checks
from apps.launches.badges.checks import BadgeCheckResult, find_badge
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.core.hostile_server import Handler, answer, serve
from tests.factories import ListingFactory
from tests.odd_websites import ODD_WEBSITES
from tests.pages_server import Answer, PagesServer

pytestmark = pytest.mark.db

OURS = "https://slipway.example"
LINK = f'<a href="{OURS}/listings/acme">Acme on Slipway</a>'


@pytest.fixture
def listing(site: Site, settings: Any) -> Listing:
    settings.PUBLIC_BASE_URL = OURS
    return ListingFactory.create()


@pytest.fixture
def web(settings: Any) -> Iterator[PagesServer]:
    with PagesServer() as server:
        settings.CRAWL_ALLOW_PRIVATE_HOSTS = [server.host(f"{name}.localhost") for name in ("acme", "other")]
        yield server


def look_at(listing: Listing, website: str) -> BadgeCheckResult:
    listing.company.website = website
    return find_badge(listing)


@pytest.mark.parametrize(
    ("page", "state"),
    [
        (LINK, "found"),
        (f"<h1>Acme</h1><!-- {LINK} -->", "absent"),
        (f"<h1>Acme</h1><div hidden>{LINK}</div>", "absent"),
        (f"<h1>Acme</h1><details><summary>More</summary>{LINK}</details>", "absent"),
        (f"<h1>Acme</h1><details open><summary>More</summary>{LINK}</details>", "found"),
        (f"<style media=print>footer{{display:none}}</style><footer>{LINK}</footer>", "found"),
        (f"<h1>Acme</h1><script>const badge = `{LINK}`</script>", "absent"),
        ("<h1>Acme</h1>", "absent"),
        (Answer(f'{{"html": "{LINK}"}}'.encode(), content_type="application/json"), "unknown"),
        (Answer(LINK.encode(), content_type="text/plain"), "unknown"),
        (Answer(LINK.encode(), content_type="TEXT/HTML; charset=utf-8"), "found"),
        (Answer(LINK.encode(), status=404), "unknown"),
        (Answer(LINK.encode(), status=403), "unknown"),
        (Answer(LINK.encode(), status=500), "unknown"),
        (Answer(LINK.encode(), status=304), "unknown"),
        (Answer(LINK.encode() + b" " * 3_000_000), "found"),
        (Answer(b" " * 3_000_000 + LINK.encode()), "unknown"),
        (f"<h1>Acme</h1><p {'a ' * 2000}>{LINK}", "found"),
        (f"<h1>Acme</h1><p {'a ' * 2000}>", "unknown"),
        (Answer(b""), "unknown"),
    ],
)
def test_what_a_website_answers(listing: Listing, web: PagesServer, page: str | Answer, state: str) -> None:
    web.serve("acme.localhost", "/", page)
    look = look_at(listing, web.url("acme.localhost"))
    assert (look.state, look.website) == (state, listing.company.website)
    assert bool(look.evidence) is (state != "unknown")
    wordings = {"found": ("Found on",), "absent": ("No link to", "The link to"), "unknown": ("Check failed",)}
    assert look.detail.startswith(wordings[state])


@pytest.mark.parametrize("how", ODD_WEBSITES)
def test_a_badge_is_found_where_visitors_see_it(listing: Listing, web: PagesServer, how: str) -> None:
    ODD_WEBSITES[how](web, "acme.localhost", f"<html><head><title>Acme</title></head><body>{LINK}</body></html>")
    look = look_at(listing, web.url("acme.localhost"))
    assert (look.state, look.detail) == ("found", f"Found on {look.evidence['page_url']}.")


@pytest.mark.parametrize(
    ("page", "limit"),
    [
        (Answer(b"<h1>Acme</h1>" + b"<p>x" * 600_000), WHY_CUT[FetchFailure.TOO_LARGE]),
        (Answer(b"<!--" + b"x" * 3_000_000), WHY_CUT[FetchFailure.TOO_LARGE]),
        (f"<h1>Acme</h1><p {'a ' * 2000}>", "1,000 attributes"),
        (f"<h1>Acme</h1>{'<b>' * 5000}", "nested too deeply"),
        (Answer(b"<h1>Acme</h1>", headers={"X": "y" * 66_000}), "over 64 KB"),
    ],
)
def test_a_limit_that_hides_the_badge_is_named(
    listing: Listing, web: PagesServer, page: str | Answer, limit: str
) -> None:
    web.serve("acme.localhost", "/", page)
    look = look_at(listing, web.url("acme.localhost"))
    assert look.state == "unknown"
    assert look.detail.startswith("Check failed: ")
    assert look.detail.endswith(f"{limit}.")
    assert len(look.detail) <= 200


def test_the_evidence_of_a_find(listing: Listing, web: PagesServer) -> None:
    web.serve("acme.localhost", "/", f"<a href='/x'>x</a>{LINK}")
    look = look_at(listing, web.url("acme.localhost"))
    assert look.evidence == {
        "page_url": web.url("acme.localhost", "/"),
        "status": 200,
        "at": look.at.isoformat(),
        "links_seen": 2,
        "href": f"{OURS}/listings/acme",
        "snippet": LINK,
    }


def test_redirects_are_followed_and_the_last_page_is_the_evidence(listing: Listing, web: PagesServer) -> None:
    web.redirect("acme.localhost", "/", web.url("other.localhost", "/home"))
    web.serve("other.localhost", "/home", LINK)
    look = look_at(listing, web.url("acme.localhost"))
    assert (look.state, look.evidence["page_url"]) == ("found", web.url("other.localhost", "/home"))


def test_a_circle_of_redirects_is_no_look(listing: Listing, web: PagesServer) -> None:
    web.redirect("acme.localhost", "/", web.url("acme.localhost", "/"))
    assert look_at(listing, web.url("acme.localhost")).state == "unknown"


def test_a_website_that_leads_to_our_own_pages_has_no_badge(listing: Listing, web: PagesServer, settings: Any) -> None:
    settings.PUBLIC_BASE_URL = web.url("other.localhost")
    web.redirect("acme.localhost", "/", web.url("other.localhost", "/listings/acme"))
    web.serve("other.localhost", "/listings/acme", '<a href="/">Home</a>')
    look = look_at(listing, web.url("acme.localhost"))
    assert (look.state, look.evidence["links_seen"]) == ("absent", 0)


def test_a_private_address_is_not_checked(listing: Listing, web: PagesServer, settings: Any) -> None:
    settings.CRAWL_ALLOW_PRIVATE_HOSTS = []
    web.serve("acme.localhost", "/", LINK)
    assert look_at(listing, web.url("acme.localhost")).state == "unknown"
    assert web.seen == []


async def _silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()


@pytest.mark.parametrize(
    "handler",
    [
        _silent,
        answer(b""),
        answer(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 900\r\n\r\n", b"<h1>Acme</h1>"),
        answer(b"SSH-2.0-OpenSSH\r\n\r\n"),
    ],
    ids=["silent", "hangs up", "cut off", "no HTTP"],
)
def test_a_server_that_does_not_answer_properly(
    listing: Listing, settings: Any, monkeypatch: pytest.MonkeyPatch, handler: Handler
) -> None:
    quick = Limits(deadline_seconds=0.5)
    monkeypatch.setattr(checks, "fetch_page", lambda url, **options: fetch_page(url, limits=quick, **options))
    with serve(handler) as server:
        settings.CRAWL_ALLOW_PRIVATE_HOSTS = [server.host]
        look = look_at(listing, f"http://{server.host}")
    assert (look.state, look.evidence) == ("unknown", {})


def test_a_badge_before_the_connection_breaks_counts(listing: Listing, settings: Any) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 900\r\n\r\n"
    with serve(answer(head, LINK.encode())) as server:
        settings.CRAWL_ALLOW_PRIVATE_HOSTS = [server.host]
        assert look_at(listing, f"http://{server.host}").state == "found"


def test_nobody_is_there(listing: Listing, settings: Any) -> None:
    with serve(_silent) as server:
        host = server.host
    settings.CRAWL_ALLOW_PRIVATE_HOSTS = [host]
    look = look_at(listing, f"http://{host}")
    assert (look.state, look.evidence) == ("unknown", {})
