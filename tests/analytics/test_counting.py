"""Which visits are counted, as whose, and from where."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
import time_machine
from django.conf import settings as installed
from django.test import Client

from apps.analytics import counting
from apps.analytics.counting import OTHER_SOURCES
from apps.analytics.models import DailyStatistics
from apps.analytics.visits import SAME_SITE
from apps.core.stores.valkey.counters import Limit, valkey
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.analytics.visiting import CHROME, FIREFOX, HOST, browser, click, counted, sources, view
from tests.factories import ListingFactory, SiteFactory, UserFactory
from tests.process_caches import forget_everything

pytestmark = pytest.mark.db


@pytest.fixture
def listing(site: Site) -> Listing:
    made: Listing = ListingFactory.create(live=True)
    return made


def test_views_visitors_and_clicks(listing: Listing) -> None:
    someone = browser()
    for _ in range(3):
        assert view(someone, listing).status_code == 200
    view(browser(FIREFOX), listing)
    view(browser(address="192.0.2.2"), listing)
    answer = click(someone, listing)
    assert (answer.status_code, answer.content) == (204, b"")
    assert counted(listing) == (5, 3, 1)


def test_addresses_of_one_network_are_one_visitor(listing: Listing) -> None:
    view(browser(address="2001:db8::1"), listing)
    view(browser(address="2001:db8::2"), listing)
    view(browser(address="2001:db8:1::1"), listing)
    assert counted(listing) == (3, 2, 0)


@pytest.mark.parametrize(
    "agent",
    [
        "",
        "curl/8.5.0",
        "python-requests/2.32",
        "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
        "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
        CHROME.replace("Chrome/", "HeadlessChrome/"),
    ],
)
def test_programs_are_not_counted(listing: Listing, agent: str) -> None:
    program = browser(agent)
    assert view(program, listing).status_code == 200
    assert click(program, listing).status_code == 204
    assert counted(listing) == (0, 0, 0)


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-purpose": "prefetch"},
        {"sec-purpose": "prefetch;prerender"},
        {"purpose": "prefetch"},
        {"x-moz": "prefetch"},
        {"sec-fetch-dest": "empty"},
        {"sec-fetch-dest": "iframe"},
    ],
)
def test_pages_that_nobody_opens_are_not_counted(listing: Listing, headers: dict[str, str]) -> None:
    assert view(browser(), listing, **headers).status_code == 200
    assert counted(listing) == (0, 0, 0)


def test_asking_for_the_headers_is_no_view(listing: Listing) -> None:
    assert browser().head(listing.path).status_code == 200
    assert counted(listing) == (0, 0, 0)


def test_neither_owner_nor_team_are_counted(listing: Listing) -> None:
    for user in (listing.company.owner, UserFactory.create(is_staff=True)):
        client = browser(user=user)
        view(client, listing)
        click(client, listing)
    view(browser(user=UserFactory.create()), listing)
    assert counted(listing) == (1, 1, 0)


@pytest.mark.parametrize("status", [status for status in Listing.Status.values if status != "live"])
def test_what_is_not_live_is_not_counted(site: Site, status: str) -> None:
    listing = ListingFactory.create(status=status, launch_week="2026-W40")
    is_coming = status in {"awaiting_badge", "scheduled"}
    assert view(browser(), listing).status_code == (200 if is_coming else 404)
    assert click(browser(), listing).status_code == 404
    assert view(browser(user=listing.company.owner), listing).status_code == 200
    assert counted(listing) == (0, 0, 0)


def test_each_site_counts_its_own_listing(listing: Listing) -> None:
    other = SiteFactory.create()
    twin = ListingFactory.create(live=True, company=listing.company, site=other, slug=listing.slug)
    view(browser(), twin, host=other.host)
    click(browser(), twin, host=other.host)
    click(browser(), twin, host=other.host, origin=f"http://{other.host}")
    assert counted(listing) == (0, 0, 0)
    assert counted(twin) == (1, 1, 2)


@pytest.mark.parametrize(
    ("headers", "is_counted"),
    [
        ({}, True),
        ({"sec-fetch-site": "same-origin", "origin": f"http://{HOST}"}, True),
        ({"sec-fetch-site": "cross-site"}, False),
        ({"sec-fetch-site": "same-site"}, False),
        ({"origin": "https://elsewhere.example"}, False),
        ({"origin": "null"}, False),
    ],
)
def test_clicks_come_from_our_own_pages(listing: Listing, headers: dict[str, str], is_counted: bool) -> None:
    assert click(browser(), listing, **headers).status_code == 204
    assert counted(listing) == (0, 0, int(is_counted))


def test_a_click_needs_no_token_and_no_other_method(listing: Listing) -> None:
    strict = Client(enforce_csrf_checks=True, headers={"host": HOST, "user-agent": CHROME})
    assert click(strict, listing).status_code == 204
    assert strict.get(f"{listing.path}/visit").status_code == 405
    assert click(strict, ListingFactory.build(slug="nobody")).status_code == 404


def test_clicks_have_a_limit(listing: Listing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "CLICKS", Limit("clicks", 2, 60))
    answers = [click(browser(), listing) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [204, 204, 429]
    assert 0 < int(answers[-1]["Retry-After"]) <= 60
    assert click(browser(address="192.0.2.9"), listing).status_code == 204
    assert counted(listing) == (0, 0, 3)


def test_views_have_a_limit_that_no_reader_notices(listing: Listing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "VISITS", Limit("visits", 2, 60))
    assert [view(browser(), listing).status_code for _ in range(4)] == [200] * 4
    assert counted(listing) == (2, 1, 0)


@pytest.mark.parametrize(
    ("query", "referer", "source"),
    [
        ("", "", None),
        ("", "https://news.ycombinator.com/item?id=1", "ycombinator.com"),
        ("", "https://www.blog.acme.co.uk/post#part", "acme.co.uk"),
        ("", "https://someone.github.io/page", "someone.github.io"),
        ("", f"http://{HOST}/search?q=secret", SAME_SITE),
        ("", "http://192.0.2.7/inside", None),
        ("", "http://localhost:8080/", None),
        ("", "android-app://com.example.mail/", "example.mail"),
        ("", "not an address", None),
        ("", "http://[::1", None),
        ("", f"https://{'a' * 90}.example/", None),
        ("?utm_source=Newsletter", "https://mail.example/", "newsletter"),
        ("?ref=producthunt", "", "producthunt"),
        ("?ref=www.betalist.example", "", "betalist.example"),
        ("?utm_source=one&ref=two", "", "one"),
        ("?utm_source=ada%40example.com", "https://mail.example/", "mail.example"),
        ("?ref=%3Cscript%3E", "", None),
        (f"?ref={'x' * 64}", "", None),
        ("?ref=%3D1%2B1", "", None),
    ],
)
def test_where_a_visit_came_from(listing: Listing, query: str, referer: str, source: str | None) -> None:
    view(browser(), listing, query=query, referer=referer)
    assert sources(listing) == ({source: 1} if source else {})
    assert counted(listing) == (1, 1, 0)


def test_invented_campaigns_do_not_fill_the_tables(listing: Listing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MOST_SOURCES", 2)
    for name in ("a", "b", "c", "d", "a"):
        view(browser(), listing, query=f"?ref={name}")
    assert sources(listing) == {"a": 2, "b": 1, OTHER_SOURCES: 2}


def test_a_day_ends_at_midnight_by_utc(listing: Listing) -> None:
    with time_machine.travel(datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC), tick=False):
        view(browser(), listing)
    with time_machine.travel(datetime(2027, 1, 1, tzinfo=UTC), tick=False):
        view(browser(), listing)
        view(browser(), listing)
    # Moved after midnight, and yet each on its day.
    assert counted(listing, date(2026, 12, 31)) == (1, 1, 0)
    assert counted(listing, date(2027, 1, 1)) == (2, 1, 0)


def test_nothing_personal_is_kept(listing: Listing) -> None:
    """Neither address nor browser nor path stands anywhere, and what tells visitors apart ends with the day."""
    with time_machine.travel(datetime(2026, 11, 21, 18, tzinfo=UTC), tick=False):
        view(browser(address="198.51.100.77"), listing, referer="https://mail.example/inbox/someone")
    result = _everything(valkey())
    # The limits count by address, for a minute.
    kept = {key: value for key, value in result.items() if not key.startswith(b"limit:")}
    assert len(kept) == 4
    for said in (b"198.51.100.77", b"Chrome", b"Mozilla", b"inbox", b"someone"):
        assert said not in b" ".join([*kept, *kept.values()])
    for name in ("salt", "visitors", "sources"):
        key = next(key for key in kept if key.startswith(f"statistics:{name}:".encode()))
        assert 6 * 3600 < valkey().ttl(key) <= 6 * 3600 + 300
    counted(listing)
    assert set(vars(DailyStatistics.objects.get())) == {
        "_state", "id", "listing_id", "day", "views", "visitors", "clicks"
    }  # fmt: skip
    assert "sessionid" not in browser().get(listing.path).cookies


def test_a_visitor_has_another_name_everywhere(listing: Listing) -> None:
    other = ListingFactory.create(live=True)
    with time_machine.travel(datetime(2026, 11, 21, 18, tzinfo=UTC), tick=False):
        for one in (listing, other, listing):
            view(browser(), one)
        members = valkey().smembers("statistics:visitors:2026-11-21")
    assert len(members) == 2


def _everything(client: Any) -> dict[bytes, bytes]:
    kinds: dict[bytes, Any] = {
        b"hash": lambda key: b" ".join(part for pair in client.hgetall(key).items() for part in pair),
        b"set": lambda key: b" ".join(client.smembers(key)),
        b"string": client.get,
    }
    return {key: kinds[client.type(key)](key) for key in client.keys("*")}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["refuses", "is silent"])
def test_pages_do_not_notice_an_outage(listing: Listing, kind: str, valkey_out: Any) -> None:
    with valkey_out(kind):
        assert view(browser(), listing).status_code == 200
        assert click(browser(), listing).status_code == 204
    assert counted(listing) == (0, 0, 0)
    view(browser(), listing)


def test_emptying_the_cache_loses_no_counts(listing: Listing) -> None:
    view(browser(), listing)
    forget_everything()
    assert installed.CACHES["default"]["LOCATION"] != installed.REDIS_LIMITS_URL
    assert counted(listing) == (1, 1, 0)
