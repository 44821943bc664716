"""get_listing: anybody reads what a live listing's page shows, and nothing else of it."""

import pytest

from apps.listings.models import Listing, Milestone, Update
from tests.api import ApiClient
from tests.factories import ListingFactory, SiteFactory, complete_profile, store_pictures
from tests.listings.statuses import in_status
from tests.stories.writing import enough, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def listing() -> Listing:
    made: Listing = ListingFactory.create(
        live=True,
        slug="acme",
        company__contact_email="owner@acme.example",
        company__screenshots=["https://acme.example/shot.png"],
        company__video_url="https://videos.example/acme",
        faqs=[{"question": "Why?", "answer": "Because."}],
    )
    Milestone.objects.create(listing=made, date="2026-01-01", title="Founded")
    store_pictures(made.company)
    return made


def test_it_is_what_the_page_shows(anonymous: ApiClient, listing: Listing) -> None:
    profile = complete_profile(listing.company.owner)
    profile.slug = "ada"
    profile.save()
    write(enough(), listing=listing)
    for number in range(7):
        Update.objects.create(listing=listing, title=f"News {number}", body="Text")
    body = anonymous.get("/listings/acme").json()
    assert (body["name"], body["listing_url"]) == (listing.company.name, listing.page_url)
    assert body["founder"] == {"name": "Ada Example", "role": "Founder"}
    assert body["founder_story"]["url"] == listing.site.url("/stories/acme")
    assert [update["title"] for update in body["updates"]] == [f"News {number}" for number in (6, 5, 4, 3, 2)]
    assert "owner@acme.example" not in str(body)


@pytest.mark.parametrize("plan", ["free", "paid"])
def test_what_the_plan_hides_is_empty(anonymous: ApiClient, listing: Listing, plan: str) -> None:
    Listing.objects.update(plan=plan)
    body = anonymous.get("/listings/acme").json()
    shown = {name: bool(body[name]) for name in ("faqs", "screenshots", "video_url", "milestones")}
    assert shown == dict.fromkeys(shown, plan == "paid")


@pytest.mark.parametrize("status", [status for status in Listing.Status.values if status != "live"])
def test_only_live_listings_are_found(anonymous: ApiClient, status: str) -> None:
    listing = in_status(status)
    answer = anonymous.get(f"/listings/{listing.slug}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert "search_listings" in answer.json()["next_steps"][0]


def test_a_listing_of_another_site_is_not_found(anonymous: ApiClient) -> None:
    other = ListingFactory.create(live=True, site=SiteFactory.create())
    assert anonymous.get(f"/listings/{other.slug}").status_code == 404


@pytest.mark.parametrize("slug", ["tidewater.example", "Acme Inc", "https:acme"])
def test_what_is_no_slug_is_answered_alike(anonymous: ApiClient, slug: str) -> None:
    answer = anonymous.get(f"/listings/{slug}")
    [step] = answer.json()["next_steps"]
    assert (answer.status_code, "search_listings" in step) == (404, True)


def test_a_merged_slug_leads_to_what_remains(anonymous: ApiClient, listing: Listing) -> None:
    ListingFactory.create(slug="old", status="archived", merged_into=listing)
    assert anonymous.get("/listings/old").json()["slug"] == "acme"


def test_a_draft_story_is_not_told(anonymous: ApiClient, listing: Listing) -> None:
    write(enough(how_started=""), listing=listing, publish=False)
    assert anonymous.get("/listings/acme").json()["founder_story"] is None
