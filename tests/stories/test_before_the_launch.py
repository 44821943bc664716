"""A published story of a listing that is not live: where its owner reads it, and from when on visitors do."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apps.core.text.weeks import Week
from apps.launches.calendar import launch_weeks
from apps.launches.services.publish import go_live
from apps.listings.models import Listing
from tests.api import ApiClient
from tests.factories import ListingFactory, UserFactory, complete_profile
from tests.stories.writing import enough, too_short

pytestmark = pytest.mark.django_db

PUBLIC_FROM = "Public on Dec 28, 2026, when the listing launches."


@pytest.fixture
def listing(owner: ApiClient) -> Listing:
    made: Listing = ListingFactory.create(
        status="scheduled", plan="paid", launch_week=str(Week(2026, 53)), company__owner=owner.user
    )
    complete_profile(made.company.owner)
    return made


def write(owner: ApiClient, listing: Listing, fields: dict[str, str] | None = None) -> dict[str, Any]:
    body: dict[str, Any] = owner.put(f"/me/listings/{listing.pk}/story", fields or enough()).json()
    return body


def test_the_address_opens_for_its_owner_and_the_date_is_told(
    owner: ApiClient, client: Client, listing: Listing
) -> None:
    story = write(owner, listing)
    assert (story["status"], story["shown_on_listing"]) == ("published", False)
    assert (story["public_from"], story["next_steps"]) == ("2026-12-28", [PUBLIC_FROM])
    assert story["url"] == listing.site.url(reverse("story_preview", args=[listing.slug]))
    client.force_login(listing.company.owner)
    page = client.get(story["url"].removeprefix(listing.site.base_url))
    assert page.status_code == 200
    assert PUBLIC_FROM in page.content.decode()


def test_the_listing_says_the_same(owner: ApiClient, listing: Listing) -> None:
    written = write(owner, listing)
    body = owner.get(f"/me/listings/{listing.pk}", {"include": "founder_story"}).json()
    for name in ("url", "public_from", "next_steps", "status", "shown_on_listing"):
        assert body["founder_story"][name] == written[name]
    assert any(step.endswith(f" {PUBLIC_FROM}") for step in body["next_steps"])


@pytest.mark.parametrize(
    ("status", "told"),
    [
        ("draft", "choose_free_listing"),
        ("awaiting_badge", "blockers"),
        ("in_review", "once the listing launches"),
        ("suspended", "while the listing is suspended"),
        ("archived", "while the listing is archived"),
    ],
)
def test_without_a_week_there_is_no_date(owner: ApiClient, listing: Listing, status: str, told: str) -> None:
    suspended_from = "live" if status == "suspended" else ""
    Listing.objects.update(status=status, launch_week="", suspended_from=suspended_from)
    story = write(owner, listing)
    assert (story["status"], story["public_from"]) == ("published", None)
    [step] = story["next_steps"]
    assert told in step
    assert story["url"].endswith("/story/preview")


def test_visitors_find_nothing_before_the_launch_and_the_story_after_it(
    owner: ApiClient, client: Client, listing: Listing
) -> None:
    write(owner, listing)
    public = reverse("story", args=[listing.slug])
    assert client.get(public).status_code == 404
    client.force_login(UserFactory.create())
    assert client.get(reverse("story_preview", args=[listing.slug])).status_code == 404
    go_live(listing=listing, week=launch_weeks.current_week())
    after = owner.get(f"/me/listings/{listing.pk}", {"include": "founder_story"}).json()["founder_story"]
    assert (after["url"], after["public_from"], after["next_steps"]) == (listing.site.url(public), None, [])
    assert client.get(public).status_code == 200


def test_a_draft_leads_to_its_editor(owner: ApiClient, listing: Listing) -> None:
    story = write(owner, listing, too_short())
    assert story["url"] == listing.site.url(reverse("edit_story", args=[listing.slug]))
    assert (story["public_from"], story["next_steps"]) == (None, [])
    after = owner.get(f"/me/listings/{listing.pk}", {"include": "founder_story"}).json()["founder_story"]
    assert after["url"] == story["url"]


@pytest.mark.parametrize("name", ["edit_story", "manage_listing"])
def test_the_owners_pages_say_when(owner: ApiClient, client: Client, listing: Listing, name: str) -> None:
    write(owner, listing)
    client.force_login(listing.company.owner)
    assert PUBLIC_FROM in client.get(reverse(name, args=[listing.slug])).content.decode()
