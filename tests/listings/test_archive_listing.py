"""archive_listing: an owner takes a live listing out of the directory for good."""

import pytest

from apps.listings.models import Listing
from tests.api import ApiClient
from tests.factories import ListingFactory

pytestmark = pytest.mark.django_db


def archive(client: ApiClient, listing: Listing, **headers: str) -> tuple[int, str]:
    answer = client.post(f"/me/listings/{listing.pk}/archive", **headers)
    return answer.status_code, answer.json().get("code") or answer.json()["status"]


def test_a_live_listing_leaves_the_directory(owner: ApiClient, anonymous: ApiClient) -> None:
    listing = ListingFactory.create(live=True, company__owner=owner.user)
    assert archive(owner, listing) == (200, "archived")
    assert anonymous.get("/listings").json()["total"] == 0


def test_a_retry_with_the_same_key_gets_the_first_answer(owner: ApiClient) -> None:
    listing = ListingFactory.create(live=True, company__owner=owner.user)
    answers = [archive(owner, listing, Idempotency_Key="once") for _ in range(2)]
    assert answers == [(200, "archived"), (200, "archived")]


def test_only_live_listings_can_be_archived(owner: ApiClient) -> None:
    listing = ListingFactory.create(company__owner=owner.user)
    status = listing.status
    assert archive(owner, listing)[0] == 409
    assert Listing.objects.get().status == status


def test_a_listing_of_another_account_is_not_found(other_owner: ApiClient, owner: ApiClient) -> None:
    listing = ListingFactory.create(live=True, company__owner=owner.user)
    assert archive(other_owner, listing)[0] == 404
    assert Listing.objects.get().status == Listing.Status.LIVE
