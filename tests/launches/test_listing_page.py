"""The page of a listing: what it shows of whom, and where it says that it was read."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from lxml import html

from apps.core.text.weeks import Week
from apps.launches.models import Standing
from apps.listings.models import Listing, Update
from apps.listings.services.evidence import Fact, keep_evidence
from apps.sites.models import Site
from tests.factories import ListingFactory, UserFactory, complete_profile, stand, store_pictures
from tests.launches.voting import WEEK, moment

pytestmark = pytest.mark.db

READ_AT = datetime(2026, 11, 3, 23, 30, tzinfo=UTC)
HOSTILE = '"><script>alert(1)</script>'
AWARDS = "//*[@aria-labelledby='awards']//li"
FOUNDER = "//header//a[starts-with(@href, '/founders/')]"
SHOTS = ["https://shots.example/one.png", "https://shots.example/two.png"]


def page_of(client: Client, listing: Listing) -> Any:
    answer = client.get(listing.path)
    assert answer.status_code == 200
    return html.document_fromstring(answer.content.decode())


def having(name: str, tag: str = "*") -> str:
    """The path of elements of a class."""
    return f"//{tag}[contains(concat(' ', normalize-space(@class), ' '), ' {name} ')]"


def text_of(page: Any, path: str = "//main") -> str:
    return " ".join(texts_of(page, path))


def texts_of(page: Any, path: str) -> list[str]:
    return [" ".join(part.text_content().split()) for part in page.xpath(path)]


@pytest.fixture
def listing(site: Site) -> Listing:
    made: Listing = ListingFactory.create(
        live=True,
        plan="paid",
        company__name="Acme",
        company__founded_year=2019,
        company__city="Lisbon",
        company__country="PT",
        company__pricing_model="freemium",
        company__price_from_cents=2900,
        company__team_size=1,
        company__screenshots=SHOTS,
        company__video_url="https://video.example/watch",
        company__docs_url="https://docs.acme.example/",
    )
    store_pictures(made.company)
    return made


@pytest.fixture
def read(listing: Listing) -> Listing:
    """The listing, with year, city and summary read on its website."""
    website = listing.company.website
    facts = [
        Fact("founded_year", 2019, f"{website}/about", "We began in 2019, in a kitchen.", READ_AT),
        Fact("city", "Lisbon", f"{website}/about", "Our office is in Lisbon.", READ_AT),
        Fact("summary", listing.summary, f"{website}/", "Read here.", READ_AT),
        Fact("screenshots", SHOTS[0], f"{website}/tour", "", READ_AT),
        Fact("screenshots", SHOTS[1], f"{website}/tour", "", READ_AT),
    ]
    keep_evidence(listing=listing, website_key=listing.company.website_key, facts=facts)
    return listing


def test_facts_lead_to_the_pages_they_were_read_on(client: Client, read: Listing) -> None:
    page = page_of(client, read)
    marks = {
        " ".join(mark.text_content().split()): mark.get("href")
        for mark in page.xpath(having("facts") + having("source-mark"))
    }
    host = read.company.website.removeprefix("https://")
    about = f"{read.company.website}/about"
    assert marks == {f"Founded: source {host}/about": about, f"City: source {host}/about": about}
    assert "Freemium, from $29" in text_of(page, having("facts"))
    assert "1 person" in text_of(page, having("facts"))
    told = text_of(page, "//*[@id='sources']")
    assert told.startswith(f"Sources: 5 facts from {host}")
    assert "We began in 2019, in a kitchen." in told
    assert "2 images" in told
    assert "Nov 3, 2026" in told
    assert ": headline." in text_of(page, "//*[@id='sources']/p")


def test_what_the_owner_edits_is_said_to_be_theirs(client: Client, read: Listing) -> None:
    assert "Source: company" in text_of(page_of(client, read), having("source-line"))
    Listing.objects.update(summary="In my own words.")
    read.company.founded_year = 2020
    read.company.save()
    page = page_of(client, read)
    assert "Written by the owner" in text_of(page, having("source-line"))
    assert len(page.xpath(having("facts") + having("source-mark"))) == 1
    assert ": headline, summary." in text_of(page, "//*[@id='sources']/p")
    assert "2019" not in text_of(page)


def test_without_evidence_everything_is_the_owners_word(client: Client, listing: Listing) -> None:
    page = page_of(client, listing)
    assert page.xpath("//*[@id='sources']|" + having("source-mark")) == []
    assert "Written by the owner" in text_of(page, having("source-line"))
    assert "Provided by the owner" in text_of(page, having("source-line"))


def test_words_of_a_model_are_said_to_be_so(client: Client, listing: Listing) -> None:
    fact = Fact("summary", listing.summary, listing.company.website, "Words.", READ_AT, is_worded=True)
    keep_evidence(listing=listing, website_key=listing.company.website_key, facts=[fact])
    assert "AI summary of" in text_of(page_of(client, listing), having("source-line"))


def test_sections_that_are_not_unlocked_hide_their_sources_too(client: Client, read: Listing) -> None:
    Listing.objects.update(plan="free")
    page = page_of(client, read)
    assert page.xpath(having("gallery") + "|//*[@href='https://video.example/watch']") == []
    assert "pictures" not in text_of(page, "//*[@id='sources']")
    client.force_login(read.company.owner)
    assert "screenshots and video" in text_of(page_of(client, read), having("owner-bar"))


def test_only_our_own_copies_of_pictures_are_shown(client: Client, listing: Listing) -> None:
    company = listing.company
    company.logo_url, company.screenshots = "https://shots.example/logo.png", [*SHOTS, "https://shots.example/3.png"]
    company.save()
    rows = store_pictures(company)
    rows[1].alt = "The board of a week"
    rows[1].save()
    # The last one is still being downloaded.
    rows[3].key = ""
    rows[3].save()
    page = page_of(client, listing)
    shown = page.xpath(having("shot") + "//img")
    assert [image.get("src") for image in shown] == [f"/{row.key}/1600.jpg" for row in rows[1:3]]
    assert [image.get("alt") for image in shown] == ["The board of a week", "Acme, screenshot 2 of 2"]
    assert all(image.get("width") and image.get("height") for image in shown)
    assert page.xpath(having("listing-head") + having("logo") + "//img")[0].get("src") == f"/{company.logo_key}/192.jpg"
    addresses = page.xpath("//img/@src|//source/@srcset|//picture//@src")
    assert all(address.startswith(("/", "data:")) for address in addresses)
    data = " ".join(page.xpath("//script[@type='application/ld+json']/text()"))
    assert "shots.example" not in data
    assert rows[1].image_url in data
    assert company.logo_key in data
    assert [image.get("loading") for image in shown] == [None, "lazy"]
    closes = page.xpath("//*[@id='shot-1']//button[@popovertarget]")
    assert [one.get("popovertarget") for one in closes] == ["shot-1"]


def test_what_phones_show_first_comes_first(client: Client, listing: Listing) -> None:
    """Otherwise the rest of the page moves down when it arrives."""
    page = page_of(client, listing)
    assert page.xpath("//*[@aria-label='Vote and visit']/following::*[@class='gallery']")


@pytest.mark.parametrize(
    "field",
    ["headline", "summary", "description", "alternatives", "tags", "faqs", "company__city", "company__audience"],
)
def test_hostile_texts_are_escaped(client: Client, site: Site, field: str) -> None:
    value: Any = {"faqs": [{"question": HOSTILE, "answer": HOSTILE}]}.get(field, HOSTILE)
    listing = ListingFactory.create(
        live=True, plan="paid", **{field: [value] if field in {"alternatives", "tags"} else value}
    )
    answer = client.get(listing.path).content.decode()
    assert "<script>alert(1)" not in answer
    assert "alert(1)" in answer


def test_hostile_evidence_is_escaped_and_no_other_scheme_is_linked(client: Client, listing: Listing) -> None:
    facts = [
        Fact("city", "Lisbon", "javascript:alert(1)", HOSTILE, READ_AT),
        Fact("founded_year", 2019, f"https://acme.example/{HOSTILE}", "<b>bold</b>", READ_AT),
    ]
    keep_evidence(listing=listing, website_key=listing.company.website_key, facts=facts)
    answer = client.get(listing.path).content.decode()
    assert "<script>alert(1)" not in answer
    assert 'href="javascript:' not in answer
    assert "<b>bold" not in answer


def test_an_empty_listing_has_a_page(client: Client, site: Site) -> None:
    listing = ListingFactory.create(live=True, headline="", summary="", company__name="Acme")
    page = page_of(client, listing)
    assert "No description yet" in text_of(page)
    assert [heading.text_content() for heading in page.xpath("//main//h2")] == [
        "About Acme",
        "Reviews",
        "Comments",
        "Share",
    ]


def test_alternatives_are_linked_where_they_are_listings_here(client: Client, listing: Listing, site: Site) -> None:
    named = ListingFactory.create(live=True, company__name="Bolt & Nut", site=site)
    by_website = ListingFactory.create(live=True, site=site, company__website_key="ledger.example")
    ListingFactory.create(company__name="Hidden", site=site)
    for _ in range(2):
        ListingFactory.create(live=True, company__name="Twin", site=site)
    texts = [
        "BOLT & NUT",
        "www.ledger.example",
        "Hidden",
        "Twin",
        "A spreadsheet",
        "%",
        "github.com/a%00b",
        listing.company.name,
    ]
    Listing.objects.filter(pk=listing.pk).update(alternatives=texts)
    page = page_of(client, listing)
    assert [" ".join(one.text_content().split()) for one in page.xpath(having("alternatives") + "/li")] == texts
    assert [one.get("href") for one in page.xpath(having("alternatives") + "//a")] == [named.path, by_website.path]


@pytest.mark.parametrize(
    ("votes", "expected"),
    [(5, "#1 now in"), (2, "#2 now in"), (0, "Just launched in")],
    ids=["first", "second", "none"],
)
def test_the_place_in_an_open_week(client: Client, site: Site, votes: int, expected: str) -> None:
    with moment():
        ListingFactory.create(live=True, votes=3)
        suspended = ListingFactory.create(live=True, votes=9)
        Listing.objects.filter(pk=suspended.pk).update(status="suspended", suspended_from="live")
        listing = ListingFactory.create(live=True, votes=votes)
        told = text_of(page_of(client, listing), having("place"))
    assert expected in told
    assert "Voting closes Oct 4, 2026, 23:59 UTC" in told


def test_nobody_is_told_to_vote_between_the_end_of_a_week_and_its_count(client: Client, site: Site) -> None:
    with moment():
        listing = ListingFactory.create(live=True, votes=3)
    with moment(WEEK + 1, hours=0):
        told = text_of(page_of(client, listing), having("place"))
    assert told == f"#1 now in Week {WEEK.number}, {WEEK.year} Voting closed"


def test_the_place_in_a_closed_week_and_what_was_won(client: Client, site: Site) -> None:
    week = Week.of(timezone.now() - timedelta(weeks=9))
    at = {"launch_week": str(week), "launched_at": week.starts_at}
    first = ListingFactory.create(live=True, votes=5, **at)
    second = ListingFactory.create(live=True, votes=3, **at)
    for listing in (first, second):
        stand(listing)
    Standing.objects.filter(iso_week=str(week)).update(is_final=True)
    for rank, listing in enumerate((first, second), start=1):
        Standing.objects.filter(listing=listing).update(rank=rank)
    page = page_of(client, first)
    assert text_of(page, "//h1/following-sibling::*[1]") == "#1 of the week"
    assert f"#1 in Week {week.number}, {week.year} Voting closed" in text_of(page, having("place"))
    won = [" ".join(one.text_content().split()) for one in page.xpath(AWARDS)]
    month = f"#1 of the month{week.thursday:%B %Y}"
    assert won[-2:] == [month, f"#1 of the weekWeek {week.number}, {week.year}"]
    won = [" ".join(one.text_content().split()) for one in page_of(client, second).xpath(AWARDS)]
    assert won == [f"#2 of the weekWeek {week.number}, {week.year}"]


@pytest.mark.parametrize("status", ["draft", "in_review", "archived", "suspended"])
def test_its_owner_sees_that_visitors_do_not(client: Client, site: Site, status: str) -> None:
    listing = ListingFactory.create(status=status)
    client.force_login(listing.company.owner)
    page = page_of(client, listing)
    assert page.xpath(having("owner-bar"))
    assert page.xpath("//*[@aria-labelledby='share']|" + having("vote")) == []
    client.force_login(UserFactory.create(is_staff=True))
    page = page_of(client, listing)
    assert "Visible to the owner" in text_of(page, having("owner-bar"))
    assert page.xpath(having("owner-bar") + "//a") == []


@pytest.mark.parametrize(
    ("status", "label"),
    [("draft", "Choose a launch"), ("scheduled", "Share your launch"), ("live", "Share your launch")],
)
def test_its_owner_has_one_main_action(client: Client, site: Site, status: str, label: str) -> None:
    more: Any = {"scheduled": {"launch_week": "2026-W52"}, "live": {"live": True}}.get(status, {})
    listing = ListingFactory.create(**({"status": status} | more))
    client.force_login(listing.company.owner)
    page = page_of(client, listing)
    assert bool(page.xpath("//section[@id='comments']//button")) == (status == "live")
    assert [action.text_content() for action in page.xpath("//main//*[@class='button main']")] == [label]


def test_a_launch_that_is_over_is_a_listing_to_share(client: Client, site: Site) -> None:
    listing = ListingFactory.create(live=True, launch_week=str(Week.of(timezone.now()) + -1))
    client.force_login(listing.company.owner)
    assert page_of(client, listing).xpath("string(//main//*[@class='button main'])") == "Share your listing"


def test_who_owns_it_gets_the_ways_to_change_it(client: Client, listing: Listing) -> None:
    assert page_of(client, listing).xpath(having("owner-bar")) == []
    client.force_login(listing.company.owner)
    ways = [link.get("href") for link in page_of(client, listing).xpath(having("owner-bar") + "//a")]
    assert {f"{listing.path}/{way}" for way in ("edit", "updates/new", "badges", "manage")} <= set(ways)


def test_the_founder_is_named_where_they_have_a_page(client: Client, listing: Listing) -> None:
    assert page_of(client, listing).xpath(FOUNDER) == []
    profile = complete_profile(listing.company.owner)
    profile.slug = "ada"
    profile.save()
    (link,) = page_of(client, listing).xpath(FOUNDER)
    assert (link.get("href"), link.text_content()) == ("/founders/ada", "Ada Example")


def test_long_updates_are_folded(client: Client, listing: Listing) -> None:
    for body in ("short", "long " * 700, "long " * 700, "short"):
        Update.objects.create(listing=listing, title="News", body=body)
    page = page_of(client, listing)
    assert len(page.xpath("//article[starts-with(@id, 'update-')]")) == 1
    assert len(page.xpath(having("folded", "details") + "//*[starts-with(@id, 'update-')]")) == 3
