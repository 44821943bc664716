"""The way through a launch: the steps on each page, and where it ends."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from lxml import html

from apps.accounts.models import FounderProfile
from apps.launches.calendar import launch_weeks
from apps.listings.models import Company, Listing
from apps.orders.fulfillment.services import fulfill_order
from apps.sites.models import Site
from tests.factories import ListingFactory, UserFactory, complete_profile
from tests.orders.paid import open_order, paid_order

pytestmark = pytest.mark.db
NOW = timezone.now()


def read(client: Client, listing: Listing, path: str) -> Any:
    client.force_login(listing.company.owner)
    answer = client.get(path)
    assert answer.status_code == 200
    return html.document_fromstring(answer.content)


def make(status: str) -> Any:
    """A listing in a status, on the free plan and in this week."""
    if status == "live":
        return ListingFactory.create(live=True)
    return ListingFactory.create(status=status, launch_week=str(launch_weeks.current_week()), plan="free")


def step_of(page: Any) -> str:
    [step] = page.xpath("//*[@aria-current='step']")
    return " ".join(step.text_content().split())


def links_of(page: Any) -> set[str]:
    return {link.get("href") for link in page.xpath("//section[@aria-labelledby='launched']//a")}


@pytest.mark.parametrize(("status", "title"), [("live", "You’re live"), ("scheduled", "You’re scheduled")])
def test_the_last_step_links_to_listing_sharing_badge_and_story(
    client: Client, site: Site, status: str, title: str
) -> None:
    listing = make(status)
    page = read(client, listing, reverse("share_listing", args=[listing.slug]))
    assert step_of(page) == "4 Share"
    assert page.xpath("//h2[@id='launched']")[0].text_content() == title
    links = links_of(page)
    assert {listing.page_url, f"{listing.page_url}/badges", f"{listing.page_url}/story"} <= links
    assert any(link.startswith("https://x.com/intent/post?text=") for link in links)
    assert any(link.startswith("mailto:?subject=") and "+" not in link for link in links)
    assert len(page.xpath("//main//a[contains(@class, 'main')]")) == 1


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({}, "No logo or screenshots yet. Add pictures"),
        ({"logo_url": "https://acme.example/1.png"}, "No screenshots yet. Add pictures"),
        ({"screenshots": ["https://acme.example/1.png"]}, "No logo yet. Add pictures"),
        ({"logo_url": "https://acme.example/1.png", "screenshots": ["https://acme.example/1.png"]}, ""),
    ],
)
@pytest.mark.parametrize(
    ("status", "name"), [("live", "share_listing"), ("scheduled", "share_listing"), ("draft", "launch")]
)
def test_missing_pictures_are_mentioned(
    client: Client, site: Site, fields: dict[str, Any], text: str, status: str, name: str
) -> None:
    listing = make(status)
    Company.objects.filter(pk=listing.company_id).update(**{"logo_url": "", "screenshots": [], **fields})
    page = read(client, listing, reverse(name, args=[listing.slug]))
    result = page.xpath("//main//p[a or span/a][contains(., 'Add pictures')]")
    assert [" ".join(line.text_content().split()) for line in result] == [text] * bool(text)
    if text:
        assert result[0].xpath(".//a/@href") == [f"{listing.page_url}/pictures"]


@pytest.mark.parametrize(
    ("status", "name", "step"),
    [
        ("draft", "launch", "3 Launch"),
        ("draft", "badges", "3 Launch"),
        ("scheduled", "launch", "4 Share"),
        ("scheduled", "move_launch", "4 Share"),
        ("scheduled", "badges", "4 Share"),
    ],
)
def test_a_chosen_launch_is_a_step_done(client: Client, site: Site, status: str, name: str, step: str) -> None:
    listing = make(status)
    assert step_of(read(client, listing, reverse(name, args=[listing.slug]))) == step


@pytest.mark.parametrize("status", ["draft", "awaiting_badge", "archived"])
def test_before_the_launch_the_overview_says_what_is_next(client: Client, site: Site, status: str) -> None:
    listing = ListingFactory.create(status=status)
    client.force_login(listing.company.owner)
    answer = client.get(reverse("share_listing", args=[listing.slug]))
    assert answer.headers["Location"] == reverse("manage_listing", args=[listing.slug])


def test_nobody_else_sees_it(client: Client, site: Site) -> None:
    listing, other = ListingFactory.create(live=True), ListingFactory.create()
    client.force_login(other.company.owner)
    assert client.get(reverse("share_listing", args=[listing.slug])).status_code == 404


@pytest.mark.parametrize(("ahead", "title"), [(0, "You’re live"), (3, "You’re scheduled")])
def test_a_paid_launch_ends_on_sharing(client: Client, site: Site, ahead: int, title: str) -> None:
    listing = ListingFactory.create()
    week = str(launch_weeks.current_week() + ahead) if ahead else "now"
    order = paid_order({"product": "launch", "week": week}, listing=listing)
    path = reverse("order", args=[order.number])
    before = read(client, listing, path)
    assert (links_of(before), step_of(before)) == (set(), "3 Launch")
    poll = {"HX-Request": "true"}
    assert client.get(path, headers=poll).status_code == 200
    fulfill_order(order.pk)
    assert client.get(path, headers=poll)["HX-Refresh"] == "true"
    page = read(client, listing, path)
    assert title in page.findtext(".//title")
    assert page.xpath("//h2[@id='launched']")[0].text_content() == title
    assert listing.page_url in links_of(page)
    assert step_of(page) == "4 Share"


@pytest.mark.parametrize(("status", "main"), [
    ("draft", "Choose a launch"),
    ("awaiting_badge", "Add the badge"),
    ("scheduled", "Share your launch"),
    ("live", "Share your launch"),
])  # fmt: skip
def test_each_state_has_one_way_on(client: Client, site: Site, status: str, main: str) -> None:
    listing = make(status)
    page = read(client, listing, reverse("manage_listing", args=[listing.slug]))
    result = page.xpath("//main//a[contains(@class, 'button main')]")
    assert [" ".join(link.text_content().split()) for link in result] == [main]
    assert client.get(result[0].get("href")).status_code == 200


def mains_of(page: Any) -> list[str]:
    result = page.xpath("//main//*[self::a or self::button][contains(@class, 'button main')]")
    return [" ".join(element.xpath("string(text())").split()) for element in result]


@pytest.mark.parametrize(
    ("status", "about", "main"),
    [
        ("draft", {}, ["Choose a launch"]),
        ("in_review", {}, []),
        ("rejected", {}, []),
        ("awaiting_badge", {}, ["Add the badge"]),
        ("awaiting_badge", {"badge_state": "found", "badge_seen_at": NOW}, ["Complete your profile"]),
        ("scheduled", {}, ["Share your launch"]),
        (
            "scheduled",
            {"badge_failed_checks": 1, "badge_missing_since": NOW},
            ["Add the badge"],
        ),
        ("archived", {}, []),
        ("suspended", {}, []),
    ],
)
@pytest.mark.parametrize("name", ["manage_listing", "dashboard"])
def test_the_one_main_action_is_what_the_owner_does_next(
    client: Client, site: Site, status: str, about: dict[str, Any], main: list[str], name: str
) -> None:
    week = str(launch_weeks.current_week() + 1) if status == "scheduled" else ""
    listing = ListingFactory.create(status=status, plan="free", launch_week=week, **about)
    path = reverse(name, args=[listing.slug] if name == "manage_listing" else [])
    page = read(client, listing, path)
    assert mains_of(page) == main
    profile = page.xpath("//main//a[contains(@class, 'button')][contains(@href, '/account/profile')]")
    assert len(profile) == (status == "awaiting_badge" or name == "dashboard")
    actions = [link.xpath("string(text())").strip() for link in page.xpath("//main//a[@href]")]
    assert actions.count("Add the badge") == ("Add the badge" in main)


def test_an_account_without_listings_has_one_main_action(client: Client, site: Site) -> None:
    client.force_login(UserFactory.create())
    page = html.document_fromstring(client.get(reverse("dashboard")).content.decode())
    assert mains_of(page) == ["Draft my listing"]


@pytest.mark.slow
def test_the_choice_of_a_launch_is_the_third_step(client: Client, site: Site) -> None:
    listing = ListingFactory.create()
    page = read(client, listing, reverse("launch", args=[listing.slug]))
    assert step_of(page) == "3 Launch"
    assert step_of(read(client, listing, reverse("draft_new"))) == "1 Draft"
    assert step_of(read(client, listing, reverse("badges", args=[listing.slug]))) == "3 Launch"
    order = open_order({"product": "launch", "week": "now"}, listing=listing)
    assert step_of(read(client, listing, reverse("checkout", args=[order.secret]))) == "3 Launch"
    assert step_of(read(client, listing, reverse("order", args=[order.number]))) == "3 Launch"


def test_what_is_bought_for_a_live_listing_has_no_steps(client: Client, site: Site) -> None:
    listing = ListingFactory.create(live=True)
    order = open_order({"product": "section_faq"}, listing=listing)
    for path in (reverse("checkout", args=[order.secret]), reverse("badges", args=[listing.slug])):
        assert not read(client, listing, path).xpath("//*[@aria-current='step']")


@pytest.mark.parametrize(
    ("status", "main"),
    [
        ("draft", ["Buy launch for $99"]),
        ("awaiting_badge", ["Add the badge"]),
        ("scheduled", ["Prepare your launch"]),
    ],
)
def test_the_choice_has_one_main_action(client: Client, site: Site, status: str, main: list[str]) -> None:
    listing = make(status)
    page = read(client, listing, reverse("launch", args=[listing.slug]))
    result = page.xpath("//main//*[self::a or self::button][contains(@class, 'button main')]")
    assert [" ".join(element.text_content().split()) for element in result] == main


def test_the_profile_leads_back_to_the_launch_that_waits_for_it(client: Client, site: Site) -> None:
    listing = make("awaiting_badge")
    launch = reverse("launch", args=[listing.slug])
    [profile] = {
        link.get("href")
        for link in read(client, listing, launch).xpath("//main//a")
        if link.text_content() == "Complete your profile"
    }
    form = {"real_name": "Ada Example", "role": "Founder", "bio": "b" * 100, "links": "", "next": launch}
    # Without a photo the profile is not complete yet.
    stays = client.post(reverse("profile"), form)["Location"]
    assert stays == profile.removeprefix(listing.site.url(""))
    assert "Continue your launch" not in client.get(stays).content.decode()
    FounderProfile.objects.all().delete()
    complete_profile(listing.company.owner)
    assert "Continue your launch" in client.get(stays).content.decode()
    assert client.post(reverse("profile"), form)["Location"] == launch
    away = client.post(reverse("profile"), {**form, "next": "https://evil.example/"})["Location"]
    assert away == reverse("profile")


def test_a_live_listing_has_no_launch_to_choose(client: Client, site: Site) -> None:
    listing = ListingFactory.create(live=True, plan="paid")
    client.force_login(listing.company.owner)
    answer = client.get(reverse("launch", args=[listing.slug]))
    assert answer["Location"] == reverse("share_listing", args=[listing.slug])
