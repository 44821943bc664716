"""restore_version: an earlier version becomes the newest one."""

from typing import Any

import pytest

from apps.accounts.actors import Actor
from apps.listings.models import Listing, ListingVersion
from apps.listings.services.editing import update_my_listing
from tests.api import ApiClient
from tests.factories import ListingFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def listing(owner: ApiClient) -> Listing:
    made: Listing = ListingFactory.create(live=True, company__owner=owner.user, headline="One")
    update_my_listing(listing=made, fields={"headline": "Two"}, by=Actor(user=owner.user, via="browser"))
    return made


def restore(client: ApiClient, listing: Listing, version: int) -> Any:
    return client.post(f"/me/listings/{listing.pk}/versions/{version}/restore")


def first(listing: Listing) -> ListingVersion:
    return ListingVersion.objects.filter(listing=listing).earliest("id")


def test_the_listing_is_as_it_was(owner: ApiClient, listing: Listing) -> None:
    answer = restore(owner, listing, first(listing).pk)
    assert (answer.status_code, answer.json()["headline"]) == (200, "One")
    newest = ListingVersion.objects.filter(listing=listing).latest("id")
    assert (newest.restored_from, newest.via) == (first(listing), "key")


def test_twice_changes_nothing_more(owner: ApiClient, listing: Listing) -> None:
    restore(owner, listing, first(listing).pk)
    count = ListingVersion.objects.count()
    assert restore(owner, listing, first(listing).pk).status_code == 200
    assert ListingVersion.objects.count() == count


def test_only_the_listings_own_versions_are_restored(owner: ApiClient, listing: Listing) -> None:
    other = ListingFactory.create(live=True, headline="Theirs")
    update_my_listing(listing=other, fields={"headline": "Changed"}, by=Actor(user=other.company.owner, via="browser"))
    answer = restore(owner, listing, first(other).pk)
    assert answer.status_code == 404
    assert "list_versions" in answer.json()["next_steps"][0]
    assert Listing.objects.get(pk=other.pk).headline == "Changed"


def test_a_listing_of_another_account_is_not_found(other_owner: ApiClient, listing: Listing) -> None:
    assert restore(other_owner, listing, first(listing).pk).status_code == 404
    assert Listing.objects.get().headline == "Two"


def test_an_edit_is_undone_with_the_next_older_version_of_the_same_site(owner: ApiClient, listing: Listing) -> None:
    by = Actor(user=owner.user, via="browser")
    update_my_listing(listing=listing, fields={"headline": "Three", "city": "Paris"}, by=by)
    listed = owner.get(f"/me/listings/{listing.pk}/versions").json()["items"]
    edits = [version for version in listed if version["site"]]
    assert edits[0]["changed"] == ["headline"]
    assert restore(owner, listing, edits[1]["id"]).json()["headline"] == "Two"
