"""What visitors see at a listing's address on the way to its launch, where its badge leads."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.core.text.weeks import Week
from apps.launches.badges.codes import code_of
from apps.launches.badges.kinds import Kind, badge_of
from apps.launches.calendar import launch_weeks
from apps.launches.services.publish import go_live
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ListingFactory, UserFactory, store_pictures
from tests.process_caches import forget_everything

pytestmark = pytest.mark.db

WEEK = Week(2026, 53)


@pytest.fixture
def listing(site: Site) -> Listing:
    made: Listing = ListingFactory.create(
        status="scheduled",
        plan="free",
        launch_week=str(WEEK),
        headline="Tide tables for sailors",
        summary="A summary for later.",
        description="A description for later.",
        faqs=[{"question": "Is it wet?", "answer": "Very."}],
        company__name="Tidewater",
        company__logo_url="https://cdn.example/logo.png",
        company__contact_email="hidden@tidewater.example",
        company__legal_name="Tidewater Holding",
    )
    store_pictures(made.company)
    return made


def body_of(answer: Any) -> str:
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_a_scheduled_listing_shows_name_headline_logo_and_week(client: Client, listing: Listing) -> None:
    body = body_of(client.get(listing.path))
    logo = f"/{listing.company.logo_key}/192.webp"
    for text in ("Tidewater", "Tide tables for sailors", logo, "Week 53", "Coming soon"):
        assert text in body
    assert '<meta name="robots" content="noindex">' in body


def test_nothing_else_is_told_before_the_launch(client: Client, listing: Listing) -> None:
    body = body_of(client.get(listing.path))
    for text in (
        "later.",
        "Is it wet",
        "hidden@",
        "Holding",
        "ld+json",
        "oembed",
        "canonical",
        listing.company.website,
    ):
        assert text not in body
    assert reverse("vote", args=[listing.slug]) not in body


def test_one_that_waits_for_its_badge_has_no_week_yet(client: Client, listing: Listing) -> None:
    Listing.objects.update(status="awaiting_badge", launch_week="")
    body = body_of(client.get(listing.path))
    assert "Tide tables for sailors" in body
    assert "not set yet" in body


@pytest.mark.parametrize("status", ["awaiting_badge", "scheduled"])
def test_the_badge_leads_to_a_page(client: Client, listing: Listing, status: str) -> None:
    Listing.objects.update(status=status)
    listing.refresh_from_db()
    code = code_of(badge_of(listing, Kind.LAUNCHING_ON), listing=listing)
    assert code.page_url in code.html
    assert client.get(code.page_url.removeprefix(listing.site.base_url)).status_code == 200


@pytest.mark.parametrize("slug", ["none", "%00", "%F0%9F%8D%9E", "a" * 5000, "../x", "%ff"])
def test_the_front_page_stays_for_a_launch_that_is_none(client: Client, listing: Listing, slug: str) -> None:
    assert client.get(f"/?launch={slug}").status_code == 200


def test_the_badge_of_a_draft_leads_to_the_front_page_and_later_to_the_listing(
    client: Client, listing: Listing
) -> None:
    Listing.objects.update(status="draft")
    listing.refresh_from_db()
    code = code_of(badge_of(listing, Kind.LAUNCHING_ON), listing=listing)
    address = code.page_url.removeprefix(listing.site.base_url)
    answer = client.get(address)
    assert answer.status_code == 200
    assert listing.company.name not in body_of(answer)
    for status in ("awaiting_badge", "scheduled", "live"):
        Listing.objects.update(status=status, launched_at=timezone.now())
        forget_everything()
        assert client.get(address)["Location"] == listing.path


@pytest.mark.parametrize("status", ["draft", "in_review", "rejected", "archived", "suspended"])
def test_other_hidden_listings_stay_hidden(client: Client, listing: Listing, status: str) -> None:
    Listing.objects.update(status=status, suspended_from="scheduled" if status == "suspended" else "")
    assert client.get(listing.path).status_code == 404


def test_owner_and_team_see_the_preview_and_what_visitors_get(client: Client, listing: Listing, member: Any) -> None:
    for user in (listing.company.owner, member):
        client.force_login(user)
        body = body_of(client.get(listing.path))
        assert "A summary for later." in body
        assert "coming soon page" in body
    client.force_login(UserFactory.create())
    assert "later." not in body_of(client.get(listing.path))


def test_it_is_in_no_list_feed_or_search(client: Client, anonymous: ApiClient, listing: Listing) -> None:
    for path in ("/", "/search?q=tidewater", "/sitemap.xml", "/launches.atom", "/boards", "/weeks"):
        assert listing.path not in client.get(path, follow=True).content.decode()
    assert anonymous.get("/listings", {"q": "tidewater"}).json()["items"] == []
    assert anonymous.get("/leaderboards/community-weekly", {"week": str(WEEK)}).json()["items"] == []


@pytest.mark.parametrize("name", ["listing_image", "listing_embed", "listing_feed"])
def test_what_belongs_to_a_live_listing_is_not_there_yet(client: Client, listing: Listing, name: str) -> None:
    assert client.get(reverse(name, args=[listing.slug])).status_code == 404


def test_oembed_and_votes_wait_for_the_launch(client: Client, listing: Listing) -> None:
    assert client.get("/oembed", {"url": listing.page_url}).status_code == 404
    client.force_login(UserFactory.create())
    assert client.post(reverse("vote", args=[listing.slug])).status_code == 404


def test_after_the_launch_the_same_address_is_the_listing(client: Client, listing: Listing) -> None:
    assert "Coming soon" in body_of(client.get(listing.path))
    go_live(listing=listing, week=launch_weeks.current_week())
    body = body_of(client.get(listing.path))
    assert "A summary for later." in body
    assert "Coming soon" not in body


def test_a_merged_listing_leads_to_the_one_that_is_coming(client: Client, listing: Listing) -> None:
    merged = ListingFactory.create(status="archived", merged_into=listing)
    answer = client.get(merged.path)
    assert (answer.status_code, answer["Location"]) == (301, listing.path)


def test_hostile_texts_are_escaped(client: Client, listing: Listing) -> None:
    Listing.objects.update(headline="<script>alert(1)</script>")
    assert "<script>alert(1)" not in client.get(listing.path).content.decode()
