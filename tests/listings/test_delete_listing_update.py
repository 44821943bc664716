"""delete_listing_update: an update goes from pages and feeds, and still counts for the daily limit."""

from typing import Any

import pytest

from apps.core.models import OutgoingEmail
from apps.listings.models import Follow, Listing, Update
from apps.listings.services.updates import notify_followers, updates_to_notify
from apps.sites.models import Site
from tests.api import ApiClient
from tests.browsing import browser
from tests.factories import ListingFactory, UserFactory
from tests.racing import run_at_once

pytestmark = pytest.mark.django_db


@pytest.fixture
def listing(owner: ApiClient, site: Site) -> Listing:
    made: Listing = ListingFactory.create(live=True, company__owner=owner.user)
    return made


def post(client: ApiClient, listing: Listing) -> Any:
    return client.post(f"/me/listings/{listing.pk}/updates", {"title": "Version 2", "body": "Secret plans"})


def delete(client: ApiClient, listing: Listing, pk: int) -> int:
    status: int = client.delete(f"/me/listings/{listing.pk}/updates/{pk}").status_code
    return status


def test_it_is_gone_everywhere(owner: ApiClient, anonymous: ApiClient, listing: Listing) -> None:
    pk = post(owner, listing).json()["id"]
    assert "Secret plans" in anonymous.http.get(listing.path, HTTP_HOST=anonymous.host).text
    assert delete(owner, listing, pk) == 204
    for path in (listing.path, "/updates", "/updates.rss", f"{listing.path}/updates.rss"):
        assert "Secret plans" not in anonymous.http.get(path, HTTP_HOST=anonymous.host).text
    assert owner.get(f"/me/listings/{listing.pk}").json()["updates"] == []
    assert "Secret plans" not in str(list(Update.with_deleted.values()))
    assert delete(owner, listing, pk) == 404


def test_deleting_allows_no_more_emails(owner: ApiClient, listing: Listing, site: Site) -> None:
    Site.objects.filter(pk=site.pk).update(updates_per_day=1)
    assert delete(owner, listing, post(owner, listing).json()["id"]) == 204
    assert post(owner, listing).status_code == 429


def test_followers_who_were_not_emailed_yet_are_not(owner: ApiClient, listing: Listing) -> None:
    Follow.objects.create(listing=listing, user=UserFactory.create())
    pk = post(owner, listing).json()["id"]
    delete(owner, listing, pk)
    assert updates_to_notify() == []
    assert notify_followers(pk) is False
    assert not OutgoingEmail.objects.exists()


def test_only_the_listings_own_updates_are_deleted(owner: ApiClient, other_owner: ApiClient, listing: Listing) -> None:
    update = Update.objects.create(listing=ListingFactory.create(live=True), title="Theirs", body="Text")
    assert delete(owner, listing, update.pk) == 404
    assert delete(other_owner, listing, post(owner, listing).json()["id"]) == 404
    assert Update.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_at_once_delete_it_once(owner: ApiClient, listing: Listing) -> None:
    pk = post(owner, listing).json()["id"]
    assert sorted(run_at_once(*[lambda: delete(owner, listing, pk)] * 2)) == [204, 404]


def test_the_page_has_a_button_for_it(owner: ApiClient, listing: Listing) -> None:
    update = Update.objects.create(listing=listing, title="Version 2", body="Text")
    client = browser()
    client.force_login(owner.account)
    address = f"{listing.path}/updates/{update.pk}/delete"
    assert address in client.get(f"{listing.path}/updates/new").text
    assert client.get(address).status_code == 405
    assert client.post(address).status_code == 302
    assert not Update.objects.exists()
