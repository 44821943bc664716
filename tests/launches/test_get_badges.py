"""Badges in the API: all kinds with their code, and the check for the one that the free launch needs."""

from typing import Any
from urllib.parse import urlsplit

import pytest
import time_machine
from django.test import Client
from lxml import html

from apps.core.models import OutgoingEmail
from apps.core.text.weeks import Week
from apps.launches.calendar import launch_weeks
from apps.launches.emails import notify_scheduled
from apps.launches.models import Standing
from apps.launches.votes import rankings
from apps.listings.models import Listing
from apps.sites.models import Site
from apps.stories.models import FounderStory
from tests.api import ApiClient
from tests.factories import ListingFactory
from tests.launches.badge_results import absent, found

pytestmark = pytest.mark.db

KINDS = [
    "launching_on", "live_now", "featured_on", "week_1", "week_2", "week_3", "month_1", "year_1", "founder_story",
]  # fmt: skip


def badges(client: ApiClient, listing: Listing, **query: str) -> dict[str, Any]:
    answer = client.get(f"/me/listings/{listing.pk}/badges", query)
    assert answer.status_code == 200
    body: dict[str, Any] = answer.json()
    return body


def earned(client: ApiClient, listing: Listing) -> list[str]:
    return [item["kind"] for item in badges(client, listing)["items"] if item["is_earned"]]


def reason_of(owner: ApiClient, listing: Listing, kind: str) -> str:
    return next(str(item["reason"]) for item in badges(owner, listing)["items"] if item["kind"] == kind)


def test_every_kind_is_listed_with_a_reason(owner: ApiClient, site: Site) -> None:
    items = badges(owner, ListingFactory.create(company__owner=owner.user))["items"]
    assert [item["kind"] for item in items] == KINDS
    assert all(item["reason"] for item in items)


def test_weeks_are_named_as_on_pages(owner: ApiClient, site: Site) -> None:
    listing = ListingFactory.create(company__owner=owner.user, live=True, launch_week="2025-W20")
    assert earned(owner, listing) == ["featured_on"]
    for kind in ("live_now", "featured_on"):
        assert "Week 20, 2025" in reason_of(owner, listing, kind)


def test_the_launch_email_names_the_week_as_pages_do(owner: ApiClient, site: Site) -> None:
    listing = ListingFactory.create(company__owner=owner.user, status="scheduled", launch_week="2026-W52")
    notify_scheduled(listing)
    assert "in Week 52 · Dec 21–27, 2026. It goes live" in OutgoingEmail.objects.get().text


@pytest.mark.parametrize(
    ("fields", "kinds"),
    [
        ({"status": "draft"}, ["launching_on"]),
        ({"status": "awaiting_badge"}, ["launching_on"]),
        ({"live": True}, ["live_now", "featured_on"]),
        ({"live": True, "launch_week": "2025-W20"}, ["featured_on"]),
        ({"status": "archived", "launched_at": "2025-05-12T00:00Z", "launch_week": "2025-W20"}, []),
        ({"status": "suspended"}, []),
        ({"status": "in_review"}, []),
        ({"status": "rejected"}, []),
    ],
)
def test_what_a_status_has_earned(owner: ApiClient, site: Site, fields: dict[str, Any], kinds: list[str]) -> None:
    assert earned(owner, ListingFactory.create(company__owner=owner.user, **fields)) == kinds


def test_places_are_earned_when_leaderboards_are_final(owner: ApiClient, site: Site) -> None:
    week = Week.parse("2026-W45")
    with time_machine.travel(week.starts_at, tick=False):
        listings = [
            ListingFactory.create(live=True, votes=votes, company__owner=owner.user) for votes in (9, 5, 4, 2, 0)
        ]
        assert [earned(owner, listing) for listing in listings] == [["live_now", "featured_on"]] * 5
    with time_machine.travel(week.ends_at, tick=False):
        rankings.close_boards()
        assert Standing.objects.filter(rank__isnull=False).count() == 5
        gained = [earned(owner, listing)[1:] for listing in listings]
        assert gained == [["week_1"], ["week_2"], ["week_3"], [], []]
        assert "November 2026" in reason_of(owner, listings[0], "month_1")
    with time_machine.travel(Week.parse("2026-W49").starts_at, tick=False):
        gained = [earned(owner, listing)[1:] for listing in listings]
        assert gained == [["week_1", "month_1"], ["week_2"], ["week_3"], [], []]
        assert reason_of(owner, listings[0], "month_1") == "#1 in November 2026."
    with time_machine.travel(Week.parse("2027-W01").starts_at, tick=False):
        assert earned(owner, listings[0])[1:] == ["week_1", "month_1", "year_1"]
        Listing.objects.filter(pk=listings[0].pk).update(status="suspended", suspended_from="live")
        assert earned(owner, listings[0]) == []
        assert earned(owner, listings[1])[1:] == ["week_2"]


def test_a_first_place_without_votes_is_no_award(owner: ApiClient, site: Site) -> None:
    listing = ListingFactory.create(live=True, launch_week="2025-W20", votes=0, company__owner=owner.user)
    assert Standing.objects.get(listing=listing).rank == 1
    assert earned(owner, listing) == ["featured_on"]


def test_a_published_story_earns_its_badge_and_leads_to_it(owner: ApiClient, site: Site) -> None:
    listing = ListingFactory.create(live=True, company__owner=owner.user)
    story = FounderStory.objects.create(listing=listing, author=listing.company.owner, title="How it began")
    assert "founder_story" not in earned(owner, listing)
    story.published_at = listing.launched_at
    story.save()
    item = badges(owner, listing)["items"][-1]
    assert (item["is_earned"], item["page_url"]) == (True, site.url(f"/stories/{listing.slug}"))


def test_the_code_escapes_names_and_is_what_the_check_finds(owner: ApiClient, client: Client, site: Site) -> None:
    name = 'A"><script>x</script> [b](c) & `d`'
    listing = ListingFactory.create(company__owner=owner.user, company__name=name)
    item = badges(owner, listing, include="image_dark_url,image_light_url,markdown,picture_html")["items"][0]
    for code in (item["html"], item["picture_html"]):
        link = html.fragment_fromstring(code)
        assert (link.tag, link.get("href")) == ("a", item["page_url"])
        (image,) = link.iter("img")
        assert image.get("alt") == f"{name}: Launching on {site.name}"
        assert (int(image.get("width")), int(image.get("height"))) == (item["width"], item["height"])
        assert {element.tag for element in link.iter()} <= {"a", "img", "picture", "source"}
    assert "\\[b\\]\\(c\\)" in item["markdown"]
    assert item["markdown"].endswith(f"]({item['image_url']})]({item['page_url']})")
    for address in ("image_url", "image_light_url", "image_dark_url"):
        assert client.get(urlsplit(item[address]).path).status_code == 200


def test_the_check_says_what_the_last_one_found(owner: ApiClient, site: Site) -> None:
    listing = ListingFactory.create(company__owner=owner.user, status="awaiting_badge", plan="free")
    check = badges(owner, listing)["check"]
    assert (check["is_needed"], check["kind"], check["state"], check["evidence"]) == (
        True, "launching_on", "unchecked", None,
    )  # fmt: skip
    absent(listing)
    check = badges(owner, listing)["check"]
    assert (check["state"], check["failed_checks"], check["lose_at"]) == ("absent", 1, None)
    assert (check["evidence"]["links_seen"], check["evidence"]["href"]) == (3, None)
    assert check["next_check_at"] > check["checked_at"] == check["missing_since"]
    found(listing)
    check = badges(owner, listing)["check"]
    assert (check["state"], check["missing_since"]) == ("found", None)
    assert check["evidence"]["href"] == listing.page_url


def test_a_queued_launch_without_its_badge_says_until_when(owner: ApiClient, site: Site) -> None:
    listing = ListingFactory.create(
        company__owner=owner.user, status="scheduled", plan="free", launch_week=str(launch_weeks.current_week() + 4)
    )
    absent(listing)
    check = badges(owner, listing)["check"]
    assert check["lose_at"] > check["missing_since"]
    Listing.objects.filter(pk=listing.pk).update(plan="paid")
    check = badges(owner, listing)["check"]
    assert (check["is_needed"], check["lose_at"], check["next_check_at"]) == (False, None, None)


def test_another_owners_badges_are_not_there(other_owner: ApiClient, owner: ApiClient, site: Site) -> None:
    listing = ListingFactory.create(company__owner=owner.user)
    before = Listing.objects.values().get(pk=listing.pk)
    assert other_owner.get(f"/me/listings/{listing.pk}/badges").status_code == 404
    assert Listing.objects.values().get(pk=listing.pk) == before


def test_the_answer_takes_few_queries(owner: ApiClient, site: Site, django_assert_max_num_queries: Any) -> None:
    listing = ListingFactory.create(live=True, votes=3, company__owner=owner.user, launch_week="2025-W20")
    badges(owner, listing)
    with django_assert_max_num_queries(14):
        badges(owner, listing)


@pytest.mark.slow
def test_titles_name_the_site_they_belong_to(owner: ApiClient, client: Client) -> None:
    listing = ListingFactory.create(live=True, company__owner=owner.user)
    titles = {item["kind"]: item["title"] for item in owner.get(f"/me/listings/{listing.pk}/badges").json()["items"]}
    assert (titles["live_now"], titles["week_1"]) == (f"Live now on {listing.site.name}", "#1 of the week")
    client.force_login(listing.company.owner)
    page = client.get(f"{listing.path}/badges").content.decode()
    assert f">Live now on {listing.site.name}</h2>" in page
    assert f"<strong>Launching on {listing.site.name}</strong>" in page
