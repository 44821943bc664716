"""The Atom feeds (RFC 4287)."""

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from lxml import etree, html

from apps.listings.models import Company, Listing, Update
from apps.sites.models import Site
from apps.sites.seo.feeds import ENTRIES, MAX_AGE_SECONDS
from tests.browsing import browser
from tests.factories import ListingFactory, SiteFactory

pytestmark = pytest.mark.db

ATOM = {"a": "http://www.w3.org/2005/Atom"}
MARKUP = '<script>alert("x")</script> & <b>bold</b> ]]>'


@pytest.fixture
def listing(site: Site) -> Listing:
    return ListingFactory.create(live=True, company__name="Acme & Sons")


def post(listing: Listing, title: str = "Version 2", body: str = "Faster.", **more: Any) -> Update:
    return Update.objects.create(listing=listing, title=title, body=body, **more)


def read(path: str = "/updates.atom", **headers: str) -> Any:
    answer = browser(**headers).get(path)
    assert answer.status_code == 200
    return etree.fromstring(answer.content)


def texts(feed: Any, path: str) -> list[str]:
    return [str(one) for one in feed.xpath(path, namespaces=ATOM)]


def assert_valid(feed: Any, *, url: str) -> None:
    """What RFC 4287 asks of a feed and its entries."""
    assert feed.tag == "{http://www.w3.org/2005/Atom}feed"
    assert texts(feed, "a:link[@rel='self']/@href") == [url]
    assert texts(feed, "a:author/a:name/text()")
    for element in [feed, *feed.findall("a:entry", ATOM)]:
        for name in ("id", "title", "updated"):
            [value] = element.findall(f"a:{name}", ATOM)
            assert value.text
        assert datetime.fromisoformat(element.findtext("a:updated", namespaces=ATOM)).tzinfo
        [address] = element.xpath("a:link[@rel='alternate']/@href", namespaces=ATOM)
        assert address.startswith(("http://", "https://"))
    ids = texts(feed, "//a:id/text()")
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[a-z]+:\S+", one) for one in ids)


def test_the_feed_of_the_site(listing: Listing, site: Site) -> None:
    older = post(listing, created_at=timezone.now() - timedelta(days=1))
    update = post(listing, title="Version 3", body="One.\n\nTwo.")
    feed = read()
    assert_valid(feed, url=site.url("/updates.atom"))
    assert texts(feed, "a:entry/a:title/text()") == ["Version 3", "Version 2"]
    assert texts(feed, "a:entry/a:author/a:name/text()") == ["Acme & Sons"] * 2
    assert texts(feed, "a:entry/a:link/@href") == [f"{listing.page_url}#update-{row.pk}" for row in (update, older)]
    assert texts(feed, "a:entry[1]/a:summary/text()") == ['<p dir="auto">One.</p>\n\n<p dir="auto">Two.</p>']
    assert browser().get("/updates.atom")["Content-Type"].startswith("application/atom+xml")


def test_the_feed_of_a_listing(listing: Listing, site: Site) -> None:
    post(listing)
    post(ListingFactory.create(live=True), title="of another")
    feed = read(f"{listing.path}/updates.atom")
    assert_valid(feed, url=f"{listing.page_url}/updates.atom")
    assert texts(feed, "a:entry/a:title/text()") == ["Version 2"]
    assert texts(feed, "a:title/text()") == ["Acme & Sons: updates"]


def test_only_live_listings_of_this_site(listing: Listing, site: Site) -> None:
    elsewhere = SiteFactory.create(name="Elsewhere")
    there = ListingFactory.create(live=True, site=elsewhere)
    post(there, title="of elsewhere")
    hidden = ListingFactory.create(live=True, status="suspended")
    post(hidden, title="of a suspended listing")
    post(listing)
    assert texts(read(), "a:entry/a:title/text()") == ["Version 2"]
    assert browser().get(f"{hidden.path}/updates.atom").status_code == 404
    assert browser().get(f"{there.path}/updates.atom").status_code == 404
    assert browser().get("/listings/nothing/updates.atom").status_code == 404
    answer = browser().get("/updates.atom", HTTP_HOST=elsewhere.host)
    feed = etree.fromstring(answer.content)
    assert texts(feed, "a:entry/a:title/text()") == ["of elsewhere"]
    assert_valid(feed, url=elsewhere.url("/updates.atom"))


def test_markup_is_text(listing: Listing) -> None:
    post(listing, title=MARKUP, body=MARKUP)
    feed = read()
    assert texts(feed, "a:entry/a:title/text()") == [MARKUP]
    [title] = feed.xpath("a:entry/a:title", namespaces=ATOM)
    assert title.get("type") in {None, "text"}
    [summary] = feed.xpath("a:entry/a:summary", namespaces=ATOM)
    assert summary.get("type") == "html"
    shown = html.fragment_fromstring(summary.text, create_parent=True)
    assert shown.text_content().strip() == MARKUP
    assert shown.xpath(".//script | .//b") == []


def test_what_xml_cannot_hold_is_left_out(listing: Listing) -> None:
    characters = "".join(map(chr, [1, 8, 11, 12, 14, 31, 0xFFFE, 0xFFFF]))
    listing.company.name = f"Ac{characters}me"
    listing.company.save()
    post(listing, title=f"a{characters}b\U0001f680", body=f"c{characters}d\ttab\x85\x7f")
    for path in ("/updates.atom", f"{listing.path}/updates.atom"):
        feed = read(path)
        assert texts(feed, "a:entry/a:title/text()") == ["ab\U0001f680"]
        assert texts(feed, "a:entry/a:author/a:name/text()") == ["Acme"]
        assert "cd\ttab" in texts(feed, "a:entry/a:summary/text()")[0]


def test_an_empty_feed_is_valid_and_stays_the_same(site: Site, time_machine: Any) -> None:
    time_machine.move_to("2026-11-18T08:00:00Z", tick=False)
    assert_valid(read(), url=site.url("/updates.atom"))
    before = browser().get("/updates.atom")["ETag"]
    time_machine.move_to("2026-11-18T20:00:00Z", tick=False)
    assert browser().get("/updates.atom")["ETag"] == before


def test_a_reader_that_has_it_gets_304(listing: Listing) -> None:
    an_hour_ago = timezone.now() - timedelta(hours=1)
    Listing.objects.update(updated_at=an_hour_ago)
    Company.objects.update(updated_at=an_hour_ago)
    update = post(listing, created_at=an_hour_ago)
    for path in ("/updates.atom", f"{listing.path}/updates.atom"):
        first = browser().get(path)
        assert set(first["Cache-Control"].split(", ")) == {"public", f"max-age={MAX_AGE_SECONDS}"}
        assert "Cookie" not in first.get("Vary", "")
        again = browser(**{"If-None-Match": first["ETag"]}).get(path)
        assert (again.status_code, again.content) == (304, b"")
        assert browser(**{"If-Modified-Since": first["Last-Modified"]}).get(path).status_code == 304
    update.title = "Corrected"
    update.save()
    assert browser(**{"If-None-Match": first["ETag"]}).get(path).status_code == 200
    post(listing)
    assert browser(**{"If-Modified-Since": first["Last-Modified"]}).get(path).status_code == 200


def test_the_feed_is_bounded(listing: Listing) -> None:
    Update.objects.bulk_create([Update(listing=listing, title="t", body="b") for _ in range(ENTRIES + 1)])
    assert len(read().findall("a:entry", ATOM)) == ENTRIES


def test_pages_name_their_feeds(listing: Listing, site: Site) -> None:
    of_listing = [f"{listing.path}/{feed}.atom" for feed in ("updates", "comments", "reviews")]
    for page, paths in {"/updates": ["/updates.atom"], listing.path: of_listing}.items():
        tree = html.fromstring(browser().get(page).content)
        assert tree.xpath("//head/link[@rel='alternate'][@type='application/atom+xml']/@href") == paths


def test_a_merged_listing_leads_on(listing: Listing) -> None:
    old = ListingFactory.create(live=True, status="archived")
    Listing.objects.filter(pk=old.pk).update(merged_into=listing)
    answer = browser().get(f"{old.path}/updates.atom")
    assert (answer.status_code, answer["Location"]) == (301, f"{listing.path}/updates.atom")


def test_other_methods_are_refused(site: Site) -> None:
    assert browser().post("/updates.atom").status_code == 405
