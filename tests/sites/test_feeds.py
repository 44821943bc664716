"""All feeds in all formats: valid by their specifications, whatever their content."""

import json
from datetime import datetime
from typing import Any

import pytest
from django.utils import timezone
from django.utils.http import http_date
from lxml import html

from apps.comments.models import Comment
from apps.listings.models import Listing, Update
from apps.reviews.models import Review
from apps.sites.models import Site
from apps.sites.seo.feeds import CONTENT_TYPES, FeedKind, tag_uri
from apps.stories.models import FounderStory
from tests.browsing import browser
from tests.factories import CategoryFactory, ListingFactory, SiteFactory, UserFactory
from tests.schemas import check_json, check_xml

CONTROLS = "".join(map(chr, [1, 8, 11, 12, 14, 31, 127, 0x85, 0xFFFE, 0xFFFF]))
TEXTS = {
    "markup": '</title><script>alert("1")</script> & ]]> <![CDATA[x]]> &lt; </script><!-- -->',
    "emoji": "🚀 family 👩\u200d👩\u200d👧 flag 🇩🇪",
    "right to left": "שלום \u202eevil\u202c مرحبا",
    "controls": f"a{CONTROLS}b",
    "long": "x" * 80,
    "separators": "one\u2028two\u2029three",
}
OF_PEOPLE = ("/listings/acme/comments", "/listings/acme/reviews")
# These know when something left them.
DATED = ("/updates", "/launches", "/stories", "/listings/acme/updates")
FEEDS = (*DATED, *OF_PEOPLE)


@pytest.fixture
def listing(site: Site) -> Listing:
    return ListingFactory.create(live=True, slug="acme", company__name="Acme & Sons")


def fill(listing: Listing, text: str) -> None:
    """Put a text wherever a feed shows one."""
    company = listing.company
    company.name = text[:60]
    company.save()
    Listing.objects.filter(pk=listing.pk).update(headline=text[:80], summary=text, description=f"{text}\n\n{text}")
    listing.categories.add(CategoryFactory.create(site=listing.site, name=text[:40]))
    Update.objects.create(listing=listing, title=text, body=text)
    FounderStory.objects.create(
        listing=listing,
        author=company.owner,
        title=text[:90],
        sections={"how_started": text},
        published_at=timezone.now(),
    )
    author = UserFactory.create(name=text[:60])
    Comment.objects.create(listing=listing, author=author, text=text, status="posted")
    Review.objects.create(listing=listing, author=author, text=text, status="posted", rating=5)


def read(path: str, kind: FeedKind, **headers: str) -> Any:
    """A feed as its format's own value: an element, or a dict. Fails if it is not valid."""
    answer = browser(**headers).get(f"{path}.{kind}")
    assert answer.status_code == 200, path
    assert answer["Content-Type"] == f"{CONTENT_TYPES[kind]}; charset=utf-8"
    assert answer["Access-Control-Allow-Origin"] == "*"
    if kind == FeedKind.JSON:
        return check_json(answer.content, "json_feed.json")
    return check_xml(answer.content, f"{kind}.rng")


def entries(path: str, kind: FeedKind, **headers: str) -> list[tuple[str, str, str, str]]:
    """Id, title, address and HTML of each entry."""
    feed = read(path, kind, **headers)
    if kind == FeedKind.JSON:
        return [(item["id"], item["title"], item["url"], item["content_html"]) for item in feed["items"]]
    if kind == FeedKind.RSS:
        result = feed.findall("channel/item")
        return [tuple(item.findtext(name) for name in ("guid", "title", "link", "description")) for item in result]
    atom = "{http://www.w3.org/2005/Atom}"
    return [
        (
            entry.findtext(f"{atom}id"),
            entry.findtext(f"{atom}title"),
            entry.find(f"{atom}link").get("href"),
            entry.findtext(f"{atom}summary"),
        )
        for entry in feed.findall(f"{atom}entry")
    ]


@pytest.mark.parametrize("kind", FeedKind)
@pytest.mark.parametrize("name", TEXTS)
def test_whatever_it_contains(listing: Listing, kind: FeedKind, name: str) -> None:
    text = TEXTS[name]
    fill(listing, text)
    fitting = "".join(char for char in text if char in "\t\n\r" or (char >= " " and char not in "\ufffe\uffff"))
    for path in FEEDS:
        [(_, title, url, described)] = entries(path, kind)
        assert fitting[:40] in title.replace("\x85", "\n") or fitting[:40] in title, path
        assert url.startswith(listing.site.base_url)
        shown = html.fragment_fromstring(described or "", create_parent=True)
        assert shown.xpath(".//script | .//title") == []


@pytest.mark.parametrize("path", FEEDS)
def test_the_formats_say_the_same(listing: Listing, path: str) -> None:
    fill(listing, "Version 2")
    atom, rss, other = (entries(path, kind) for kind in FeedKind)
    assert atom == rss == other
    assert len(atom) == 1


@pytest.mark.parametrize("kind", FeedKind)
@pytest.mark.parametrize("path", FEEDS)
def test_an_empty_feed_is_valid(listing: Listing, path: str, kind: FeedKind) -> None:
    if path == "/launches":
        Listing.objects.filter(pk=listing.pk).update(status=Listing.Status.ARCHIVED)
    assert entries(path, kind) == []


@pytest.mark.parametrize("path", FEEDS)
def test_ids_outlive_new_names_and_addresses(listing: Listing, path: str) -> None:
    fill(listing, "Version 2")
    before = [one[0] for one in entries(path, FeedKind.JSON)]
    listing.company.name = "Beta"
    listing.company.save()
    Listing.objects.filter(pk=listing.pk).update(slug="beta", headline="New words")
    after = [one[0] for one in entries(path.replace("acme", "beta"), FeedKind.JSON)]
    assert before == after
    assert all(one.startswith(f"tag:{listing.site.host},") for one in before)


@pytest.mark.parametrize("name", ["updates", "comments", "reviews"])
def test_the_id_of_a_listings_feed_outlives_its_address(listing: Listing, name: str) -> None:
    def feed_id(slug: str) -> Any:
        feed = read(f"/listings/{slug}/{name}", FeedKind.ATOM)
        return feed.findtext("{http://www.w3.org/2005/Atom}id")

    before = feed_id("acme")
    Listing.objects.filter(pk=listing.pk).update(slug="beta")
    assert feed_id("beta") == before


@pytest.mark.parametrize("status", [status for status in Listing.Status if status != Listing.Status.LIVE])
def test_only_what_is_public(listing: Listing, status: str) -> None:
    fill(listing, "Version 2")
    Listing.objects.filter(pk=listing.pk).update(
        status=status, suspended_from="live" if status == Listing.Status.SUSPENDED else ""
    )
    for path in ("/updates", "/launches", "/stories"):
        assert entries(path, FeedKind.JSON) == []


def test_only_what_is_of_this_site_and_of_its_present_owner(listing: Listing) -> None:
    fill(listing, "Version 2")
    elsewhere = SiteFactory.create()
    for path in ("/updates", "/launches", "/stories"):
        assert entries(path, FeedKind.JSON, HOST=elsewhere.host) == []
        assert len(entries(path, FeedKind.JSON)) == 1
    assert browser(HOST=elsewhere.host).get("/listings/acme/updates.rss").status_code == 404
    listing.company.owner = UserFactory.create()
    listing.company.save()
    assert entries("/stories", FeedKind.JSON) == []


@pytest.mark.parametrize("kind", FeedKind)
@pytest.mark.parametrize("path", FEEDS)
def test_a_reader_that_has_it_gets_304(listing: Listing, path: str, kind: FeedKind) -> None:
    fill(listing, "Version 2")
    address = f"{path}.{kind}"
    first = browser().get(address)
    assert "Cookie" not in first.get("Vary", "")
    asked = {"If-None-Match": first["ETag"]}
    if path in DATED:
        asked["If-Modified-Since"] = first["Last-Modified"]
    for name, value in asked.items():
        again = browser(**{name: value}).get(address)
        assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", OF_PEOPLE)
def test_what_people_deleted_is_gone_for_readers_that_ask_by_time(listing: Listing, path: str) -> None:
    fill(listing, "Version 2")
    assert "Last-Modified" not in browser().get(f"{path}.atom")
    Comment.objects.update(status="deleted", text="")
    Review.objects.update(status="deleted", text="", rating=None)
    again = browser(**{"If-Modified-Since": http_date(timezone.now().timestamp())}).get(f"{path}.atom")
    assert again.status_code == 200
    assert entries(path, FeedKind.JSON) == []


@pytest.mark.parametrize("path", ["/updates", "/launches", "/stories"])
def test_what_left_is_told_to_readers_that_ask_by_time(listing: Listing, path: str, time_machine: Any) -> None:
    time_machine.move_to("2026-11-18T08:00:00Z", tick=False)
    fill(listing, "Version 2")
    Listing.objects.filter(pk=listing.pk).update(updated_at=timezone.now(), launched_at=timezone.now())
    first = browser().get(f"{path}.atom")
    time_machine.move_to("2026-11-18T09:00:00Z", tick=False)
    listing.refresh_from_db()
    listing.status = Listing.Status.ARCHIVED
    listing.save()
    again = browser(**{"If-Modified-Since": first["Last-Modified"]}).get(f"{path}.atom")
    assert again.status_code == 200
    assert b"Version 2" not in again.content


def test_pages_name_their_feeds(listing: Listing) -> None:
    of_listing = [f"{listing.path}/{name}" for name in ("updates", "comments", "reviews")]
    pages = {path: [path] for path in ("/updates", "/stories", *of_listing[1:])}
    for page, paths in {**pages, "/": ["/launches"], listing.path: of_listing}.items():
        tree: Any = html.fromstring(browser().get(page).content)
        result = {(link.get("type"), link.get("href")) for link in tree.xpath("//head/link[@rel='alternate'][@title]")}
        for path in paths:
            assert {(content_type, f"{path}.{kind}") for kind, content_type in CONTENT_TYPES.items()} <= result


def test_assistants_are_told_of_them(site: Site) -> None:
    told = browser().get("/llms.txt").content.decode()
    for path in ("/updates", "/launches", "/stories"):
        for kind in FeedKind:
            assert f"{path}.{kind})" in told
    assert "/oembed?url=" in told
    for path in ("/sitemap.xml", "/reference", "/categories", "/founders", "/terms", "/privacy"):
        assert f"{path})" in told


def test_an_id_needs_no_address() -> None:
    assert tag_uri("a.example", datetime(2026, 1, 2), "x/1") == "tag:a.example,2026-01-02:x/1"  # noqa: DTZ001 (a day)
    assert json.dumps(list(FeedKind)) == '["atom", "rss", "json"]'
