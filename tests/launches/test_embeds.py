"""oEmbed, and the cards of listings in frames on other people's pages."""

from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.conf import settings
from lxml import html

from apps.directory.views.embeds import HEIGHT, WIDTH
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.browsing import browser
from tests.factories import ListingFactory, SiteFactory
from tests.schemas import check_xml

pytestmark = pytest.mark.db

HOSTILE = 'A "B" <script>alert(1)</script> \u202eevil\u202c 🚀'


@pytest.fixture
def listing(site: Site) -> Listing:
    return ListingFactory.create(live=True, slug="acme", company__name="Acme & Sons", headline=HOSTILE)


def ask(address: str, **query: object) -> Any:
    return browser().get(f"/oembed?{urlencode({'url': address, **query})}")


def told(address: str, **query: object) -> Any:
    answer = ask(address, **query)
    assert answer.status_code == 200
    assert answer["Access-Control-Allow-Origin"] == "*"
    return answer.json()


def test_a_listing_is_told_as_a_frame_with_its_card(listing: Listing, site: Site) -> None:
    result = told(listing.page_url)
    assert ask(listing.page_url)["Cache-Control"] == "public, max-age=3600"
    assert result["version"] == "1.0"
    assert (result["type"], result["width"], result["height"]) == ("rich", WIDTH, HEIGHT)
    assert result["title"] == f"Acme & Sons: {HOSTILE}"
    assert (result["provider_name"], result["provider_url"]) == (site.name, site.url("/"))
    frame: Any
    [frame] = html.fragments_fromstring(result["html"])
    assert (frame.tag, frame.get("title")) == ("iframe", f"Acme & Sons on {site.name}")
    assert (frame.get("width"), frame.get("height")) == (str(WIDTH), str(HEIGHT))
    assert frame.get("src") == site.url("/listings/acme/embed")
    assert browser().get(urlsplit(frame.get("src")).path).status_code == 200


def test_as_xml_it_says_the_same(listing: Listing) -> None:
    listing.company.name = "Ac\x01me\ufffe ]]>"
    listing.company.save()
    answer = ask(listing.page_url, format="xml")
    assert answer["Content-Type"] == "text/xml; charset=utf-8"
    root = check_xml(answer.content, "oembed.rng")
    as_json = {name: str(value) for name, value in told(listing.page_url, format="json").items()}
    assert root.findtext("author_name") == "Acme ]]>"
    assert {element.tag for element in root} == set(as_json)
    assert root.findtext("height") == as_json["height"]


@pytest.mark.parametrize(
    ("query", "size"),
    [
        ({"maxwidth": 300}, (300, HEIGHT)),
        ({"maxheight": 100, "maxwidth": 9999}, (WIDTH, 100)),
        ({"maxwidth": 0, "maxheight": -5}, (WIDTH, HEIGHT)),
        ({"maxwidth": "x", "maxheight": "9" * 400}, (WIDTH, HEIGHT)),
        ({"maxwidth": "٣", "maxheight": "1.5"}, (WIDTH, HEIGHT)),
    ],
)
def test_no_larger_than_asked_for(listing: Listing, query: dict[str, object], size: tuple[int, int]) -> None:
    result = told(listing.page_url, **query)
    assert (result["width"], result["height"]) == size


def test_addresses_of_a_listing(listing: Listing, site: Site) -> None:
    host = site.base_url.partition("://")[2]
    for address in (f"{listing.page_url}?ref=x", f"{listing.page_url}#updates", f"http://{host.upper()}{listing.path}"):
        assert told(address)["author_url"] == listing.page_url


@pytest.mark.parametrize(
    "address",
    [
        "/listings/acme",
        "https://elsewhere.example/listings/acme",
        "javascript:alert(1)",
        "http://[",
        "{base}/",
        "{base}",
        "{base}/updates",
        "{base}/listings/nothing",
        "{base}/listings/acme/embed",
        "{base}/listings/%00",
        "x" * 5000,
    ],
)
def test_addresses_without_a_card(listing: Listing, site: Site, address: str) -> None:
    answer = ask(address.format(base=site.base_url))
    assert answer.status_code == 404
    # It may be live the next minute.
    assert answer["Cache-Control"] == "private, no-cache"


def test_what_is_refused(listing: Listing) -> None:
    assert browser().get("/oembed").status_code == 400
    assert ask(listing.page_url, format="yaml").status_code == 501
    assert browser().post("/oembed").status_code == 405


@pytest.mark.parametrize("status", [status for status in Listing.Status if status != Listing.Status.LIVE])
def test_only_live_listings(listing: Listing, status: str) -> None:
    suspended_from = "live" if status == Listing.Status.SUSPENDED else ""
    Listing.objects.filter(pk=listing.pk).update(status=status, suspended_from=suspended_from)
    assert ask(listing.page_url).status_code == 404
    answer = browser().get("/listings/acme/embed")
    assert answer.status_code == 404
    assert answer["X-Frame-Options"] == "DENY"


def test_another_site_tells_its_own(listing: Listing) -> None:
    elsewhere = SiteFactory.create()
    there = ListingFactory.create(live=True, site=elsewhere)
    assert ask(there.page_url).status_code == 404
    assert browser().get(f"{there.path}/embed").status_code == 404
    assert browser(HOST=elsewhere.host).get(f"/oembed?{urlencode({'url': there.page_url})}").status_code == 200


def test_a_merged_listing_leads_on(listing: Listing) -> None:
    old = ListingFactory.create(live=True, status="archived")
    Listing.objects.filter(pk=old.pk).update(merged_into=listing)
    assert told(old.page_url)["author_url"] == listing.page_url
    answer = browser().get(f"{old.path}/embed")
    assert (answer.status_code, answer["Location"]) == (301, "/listings/acme/embed")


def test_the_card_may_be_framed_and_no_other_page(listing: Listing) -> None:
    card = browser().get("/listings/acme/embed")
    assert "frame-ancestors *" in card["Content-Security-Policy"]
    assert "script-src 'self'" in card["Content-Security-Policy"]
    assert "X-Frame-Options" not in card
    assert "Cookie" not in card.get("Vary", "")
    assert not card.cookies
    has_card = {"If-None-Match": card["ETag"]}
    # Browsers take the headers of a 304 over into what they have kept: it says the same policy, or none.
    for again in (browser(**has_card), browser(**has_card, Cookie=f"{settings.SESSION_COOKIE_NAME}=x")):
        answer = again.get("/listings/acme/embed")
        assert answer.status_code == 304
        assert "frame-ancestors *" in answer.get("Content-Security-Policy", "frame-ancestors *")
        assert "X-Frame-Options" not in answer
    for path in ("/", listing.path, "/oembed", "/listings/acme/badge.svg"):
        other = browser().get(path)
        assert "frame-ancestors *" not in other.get("Content-Security-Policy", "")
        assert other["X-Frame-Options"] == "DENY"


def test_the_card_shows_texts_as_texts(listing: Listing) -> None:
    tree: Any = html.fromstring(browser().get("/listings/acme/embed").content)
    assert tree.xpath("//script") == []
    assert tree.xpath("string(//h1)") == "Acme & Sons"
    assert HOSTILE in tree.xpath("string(//main)")
    [link] = tree.xpath("//a")
    assert (link.get("href"), link.get("target"), link.get("rel")) == (listing.page_url, "_blank", "noopener")
    assert tree.xpath("//head/meta[@name='robots']/@content") == ["noindex"]


def test_the_page_of_a_listing_leads_to_it(listing: Listing) -> None:
    tree: Any = html.fromstring(browser().get(listing.path).content)
    for kind in ("application/json+oembed", "text/xml+oembed"):
        [address] = tree.xpath(f"//head/link[@rel='alternate'][@type='{kind}']/@href")
        assert address.startswith(f"{listing.site.base_url}/oembed?")
        assert parse_qs(urlsplit(address).query)["url"] == [listing.page_url]
        assert browser().get(address).status_code == 200


def test_a_badge_that_is_known_is_not_sent_again(listing: Listing) -> None:
    first = browser().get("/listings/acme/badge.svg")
    assert first["Cache-Control"].startswith("public, max-age=")
    again = browser(**{"If-None-Match": first["ETag"]}).get("/listings/acme/badge.svg")
    assert (again.status_code, again.content) == (304, b"")
    assert again["Cache-Control"] == first["Cache-Control"]
