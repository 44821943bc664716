"""set_founder_story: writing, publishing and what is missing."""

import pytest

from apps.listings.models import Listing
from tests.api import ApiClient
from tests.factories import ListingFactory, complete_profile

pytestmark = pytest.mark.django_db


@pytest.fixture
def listing(owner: ApiClient) -> Listing:
    made: Listing = ListingFactory.create(live=True, company__owner=owner.user)
    return made


def enough() -> dict[str, str]:
    """A story that meets the rules of the default site."""
    text = " ".join(["word"] * 75)
    return {"title": "How it all began", **dict.fromkeys(("how_started", "problem", "what_built", "hard_parts"), text)}


def test_a_story_that_meets_the_rules_is_published(owner: ApiClient, listing: Listing) -> None:
    complete_profile(listing.company.owner)
    answer = owner.put(f"/me/listings/{listing.pk}/story", enough())
    assert answer.status_code == 200
    story = answer.json()
    assert (story["status"], story["missing"], story["shown_on_listing"]) == ("published", [], True)
    assert story["url"] == listing.site.url(f"/stories/{listing.slug}")
    assert story["published_at"]


def test_a_story_without_a_profile_is_a_draft_that_says_so(owner: ApiClient, listing: Listing) -> None:
    story = owner.put(f"/me/listings/{listing.pk}/story", enough()).json()
    assert (story["status"], story["published_at"], story["shown_on_listing"]) == ("draft", None, False)
    assert story["url"] == listing.site.url(f"/listings/{listing.slug}/story")
    assert [entry["url"].split("#")[1] for entry in story["missing"]] == ["real_name", "role", "bio", "photo"]
