"""The page on which an owner chooses the launch: the queue promise, and the ways to take it."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.launches.calendar import launch_weeks
from apps.launches.models import LaunchWeek
from apps.launches.services import queue
from apps.listings.guidance.blockers import next_steps
from apps.listings.models import Listing
from apps.orders.models import OrderLine
from apps.sites.models import Site
from tests.factories import ListingFactory, SiteFactory, UserFactory, complete_profile

pytestmark = pytest.mark.db


def page_of(client: Client, listing: Listing, name: str = "launch") -> str:
    client.force_login(listing.company.owner)
    answer = client.get(reverse(name, args=[listing.slug]))
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def test_the_promise_is_there_before_anything_is_chosen(client: Client, site: Site) -> None:
    now = launch_weeks.current_week()
    LaunchWeek.objects.create(site=site, iso_week=str(now + 4), free_places=0, paid_places=3)
    LaunchWeek.objects.create(site=site, iso_week=str(now + 5), free_places=7, paid_places=3)
    LaunchWeek.objects.create(site=site, iso_week=str(now), free_places=0, paid_places=0)
    page = page_of(client, ListingFactory.create())
    assert f"<dt>Next free week</dt><dd>Week {(now + 5).number} · " in page
    assert "<dt>Spots left</dt><dd>7</dd>" in page
    assert f"<dt>Next paid week</dt><dd>Week {(now + 1).number} · " in page
    assert "Launch for free" in page
    assert f'<option value="{now + 1}" selected>' in page
    assert 'value="now"' not in page


def test_no_spot_in_any_week_is_said(client: Client, site: Site) -> None:
    Site.objects.update(free_places_per_week=0, paid_places_per_week=0)
    page = page_of(client, ListingFactory.create())
    assert "<dt>Spots left</dt>" not in page
    assert 'name="week"' not in page
    assert page.count("spots left") == 2
    weeks = client.get("/weeks").context["weeks"]
    assert {(week["free_left"], week["paid_left"]) for week in weeks} == {(0, 0)}


def test_the_weeks_count_launches_beyond_a_lowered_capacity(client: Client, site: Site) -> None:
    week = str(launch_weeks.current_week() + 3)
    for plan in ("free", "free", "free", "paid"):
        ListingFactory.create(status="scheduled", plan=plan, launch_week=week)
    LaunchWeek.objects.create(site=site, iso_week=week, free_places=1, paid_places=3)
    shown = client.get("/weeks").context["weeks"][3]
    assert (shown["launch_count"], shown["free_left"], shown["paid_left"]) == (4, 0, 2)


def test_a_later_week_can_be_bought(client: Client, site: Site) -> None:
    listing = ListingFactory.create()
    client.force_login(listing.company.owner)
    week = str(launch_weeks.current_week() + 6)
    answer = client.post(reverse("buy_launch", args=[listing.pk]), {"week": week})
    assert "/checkout/" in answer["Location"]
    assert OrderLine.objects.get().options["week"] == week


@pytest.mark.parametrize(
    ("status", "plan", "shown", "hidden"),
    [
        ("draft", "none", ["Launch for free", "Buy launch"], ["Move to another week"]),
        ("awaiting_badge", "free", ["Chosen", "Buy launch", "Add the badge"], ["Launch for free"]),
        ("scheduled", "free", ["Move to another week", "Buy launch", "Goes live in Week"], ["Launch for free"]),
        ("scheduled", "paid", ["Move to another week"], ["Buy launch", "Launch for free"]),
        ("suspended", "free", ["Contact the site admin"], ["Buy launch", "Launch for free", "Move to another"]),
        ("archived", "free", ["Archived permanently"], ["Buy launch", "Launch for free", "Move to another"]),
    ],
)
def test_each_status_shows_what_can_be_done(
    client: Client, site: Site, status: str, plan: str, shown: list[str], hidden: list[str]
) -> None:
    week = str(launch_weeks.current_week() + 5) if status == "scheduled" else ""
    page = page_of(client, ListingFactory.create(status=status, plan=plan, launch_week=week))
    assert [text for text in shown if text not in page] == []
    assert [text for text in hidden if text in page] == []


@pytest.mark.parametrize("status", ["suspended", "rejected"])
def test_who_should_contact_the_site_finds_its_address(client: Client, site: Site, status: str) -> None:
    site.contact_email = "hello@slipway.example"
    site.save()
    listing = ListingFactory.create(status=status)
    client.force_login(listing.company.owner)
    for path in (reverse("manage_listing", args=[listing.slug]), reverse("dashboard")):
        assert 'class="button main" href="mailto:hello@slipway.example"' in client.get(path).content.decode()
    assert site.contact_email in " ".join(next_steps(listing))


def test_once_nothing_is_missing_the_pages_say_that_it_is_being_queued(client: Client, site: Site) -> None:
    listing = ListingFactory.create(
        status="awaiting_badge", plan="free", badge_state="found", badge_seen_at=timezone.now()
    )
    complete_profile(listing.company.owner)
    told = "Joining the launch queue"
    page = page_of(client, listing)
    assert told in page
    assert 'hx-trigger="every 2s"' in page
    for name in ("manage_listing", "dashboard"):
        page = re.sub(
            r"\s+", " ", client.get(reverse(name, args=[listing.slug] if "_" in name else [])).content.decode()
        )
        assert told in page
        assert "if a week has" not in page
    address = reverse("launch", args=[listing.slug])
    polled = f"{address}?waiting=1"
    assert f'hx-get="{polled}"' in page_of(client, listing)
    assert client.get(polled, headers={"HX-Request": "true"}).status_code == 200
    assert queue.queue_ready() == 1
    share = reverse("share_listing", args=[listing.slug])
    assert client.get(polled, headers={"HX-Request": "true"})["HX-Redirect"] == share
    assert client.get(address, headers={"HX-Request": "true"})["HX-Refresh"] == "true"


def test_a_listing_that_waits_for_a_spot_says_so(client: Client, site: Site) -> None:
    listing = ListingFactory.create(
        status="awaiting_badge", plan="free", badge_state="found", badge_seen_at=timezone.now()
    )
    complete_profile(listing.company.owner)
    Site.objects.update(free_places_per_week=0)
    queue.queue_ready()
    page = page_of(client, listing, "manage_listing")
    assert "if a week has" in page
    assert "every 2s" not in page_of(client, listing)


@pytest.mark.parametrize(
    ("values", "way"),
    [
        ({"status": "draft"}, ""),
        ({"status": "awaiting_badge", "plan": "free"}, "Without the badge"),
        ({"status": "scheduled", "plan": "free"}, "missing for 9 days"),
        ({"status": "scheduled", "plan": "paid"}, "ask for a refund"),
        ({"live": True, "plan": "free"}, ""),
    ],
)
def test_a_launch_names_its_way_back(client: Client, site: Site, values: dict[str, str], way: str) -> None:
    Site.objects.update(contact_email="team@site.example", badge_grace_days=9)
    if values.get("status") == "scheduled":
        values = {**values, "launch_week": str(launch_weeks.current_week() + 6)}
    listing = ListingFactory.create(**values)
    pages = [page_of(client, listing, name) for name in ("manage_listing", "launch")]
    for page in [*pages, page_of(client, listing, "move_launch")] if "launch_week" in values else pages:
        assert ("Changed your mind?" in page) == bool(way)
        assert way in page


def test_choosing_free_leads_back_and_checks_again(client: Client, site: Site) -> None:
    listing = ListingFactory.create()
    client.force_login(listing.company.owner)
    choose = reverse("choose_free", args=[listing.slug])
    assert client.post(choose)["Location"] == reverse("launch", args=[listing.slug])
    assert client.post(choose)["Location"] == reverse("badges", args=[listing.slug])
    listing.refresh_from_db()
    assert (listing.status, listing.plan) == ("awaiting_badge", "free")
    assert client.get(choose).status_code == 405


@pytest.mark.parametrize("name", ["launch", "badges", "move_launch"])
def test_the_pages_share_the_owners_tabs_and_are_nobody_elses(client: Client, site: Site, name: str) -> None:
    week = str(launch_weeks.current_week() + 5)
    listing = ListingFactory.create(
        status="scheduled", plan="paid", launch_week=week, company__name='A<b>"&amp;</title>'
    )
    page = page_of(client, listing, name)
    assert page.count("<h1") == 1
    assert page.count('aria-current="page">Launch<' if name != "badges" else 'aria-current="page">Badges<') == 1
    for tab in ("manage_listing", "launch", "badges", "edit_listing", "listing_history"):
        assert f'href="{reverse(tab, args=[listing.slug])}"' in page
    assert "A<b>" not in page
    assert "A&lt;b&gt;&quot;&amp;amp;&lt;/title&gt;" in page
    address = reverse(name, args=[listing.slug])
    assert client.get(address, headers={"Host": SiteFactory.create().host}).status_code in {302, 404}
    client.force_login(UserFactory.create())
    assert client.get(address).status_code == 404
    Listing.objects.filter(pk=listing.pk).update(
        status="archived", merged_into=ListingFactory.create(company__owner=listing.company.owner)
    )
    client.force_login(listing.company.owner)
    assert client.get(address).status_code == 404


@pytest.mark.parametrize(
    ("status", "tabs"),
    [
        ("draft", {"Launch", "Badges"}),
        ("awaiting_badge", {"Launch", "Badges"}),
        ("live", {"Launch", "Badges"}),
        ("in_review", set()),
        ("suspended", set()),
        ("archived", set()),
    ],
)
def test_tabs_lead_to_where_something_can_be_done(client: Client, site: Site, status: str, tabs: set[str]) -> None:
    listing = ListingFactory.create(**({"live": True} if status == "live" else {"status": status}))
    page = page_of(client, listing, "manage_listing")
    assert {name for name in ("Launch", "Badges") if f">{name}</a>" in page} == tabs
