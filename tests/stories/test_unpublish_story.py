"""unpublish_story: the owner's story leaves the site, and waits for them."""

from typing import Any

import pytest

from apps.listings.models import Listing
from apps.stories.models import FounderStory, StoryVersion
from tests.api import ApiClient
from tests.factories import ListingFactory
from tests.stories.writing import enough, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def listing(owner: ApiClient) -> Listing:
    made: Listing = ListingFactory.create(live=True, company__owner=owner.user)
    write(enough(), listing=made)
    return made


def unpublish(client: ApiClient, listing: Listing, body: Any = None) -> Any:
    return client.post(f"/me/listings/{listing.pk}/story/unpublish", body)


def test_it_is_a_draft_until_it_is_sent_again(owner: ApiClient, anonymous: ApiClient, listing: Listing) -> None:
    body = unpublish(owner, listing, {"reason": "We rewrite it."}).json()
    assert (body["status"], body["published_at"], body["shown_on_listing"]) == ("draft", None, False)
    assert body["missing"][0]["url"]
    assert anonymous.get(f"/listings/{listing.slug}").json()["founder_story"] is None
    assert StoryVersion.objects.latest("id").reason == "We rewrite it."
    assert owner.put(f"/me/listings/{listing.pk}/story", {}).json()["status"] == "draft"
    assert (
        owner.put(f"/me/listings/{listing.pk}/story", {"title": "How it really began"}).json()["status"] == "published"
    )


def test_a_draft_cannot_be_unpublished(owner: ApiClient, listing: Listing) -> None:
    assert unpublish(owner, listing).status_code == 200
    answer = unpublish(owner, listing)
    assert (answer.status_code, answer.json()["code"]) == (409, "not_published")


def test_a_reason_has_its_limit(owner: ApiClient, listing: Listing) -> None:
    answer = unpublish(owner, listing, {"reason": "x" * 5000})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/reason")
    assert FounderStory.objects.get().published_at


def test_a_story_of_another_account_is_not_found(other_owner: ApiClient, listing: Listing) -> None:
    assert unpublish(other_owner, listing).status_code == 404
    assert FounderStory.objects.get().published_at
