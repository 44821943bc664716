"""list_versions: every edit of a listing and its company, without the names of others."""

import pytest

from apps.accounts.actors import Actor
from apps.listings.models import Listing, ListingVersion
from apps.listings.services.editing import update_my_listing
from tests.api import ApiClient
from tests.factories import ListingFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def listing(owner: ApiClient) -> Listing:
    made: Listing = ListingFactory.create(live=True, company__owner=owner.user, headline="One")
    by = Actor(user=owner.user, via="browser")
    update_my_listing(listing=made, fields={"headline": "Two", "city": "Bristol"}, by=by)
    return made


def test_edits_of_the_listing_and_its_company_are_listed(owner: ApiClient, listing: Listing) -> None:
    body = owner.get(f"/me/listings/{listing.pk}/versions").json()
    assert [sorted(item["changed"]) for item in body["items"]] == [["headline"], [], ["city"], []]
    assert {item["site"] for item in body["items"]} == {listing.site.key, None}
    assert "changes" not in body["items"][0]


def test_values_come_on_request(owner: ApiClient, listing: Listing) -> None:
    items = owner.get(f"/me/listings/{listing.pk}/versions", {"include": "changes"}).json()["items"]
    assert items[0]["changes"] == [{"field": "headline", "before": "One", "after": "Two"}]


def test_they_are_paged(owner: ApiClient, listing: Listing) -> None:
    body = owner.get(f"/me/listings/{listing.pk}/versions", {"per_page": "3", "page": "2"}).json()
    assert (body["total"], len(body["items"]), body["next"]) == (4, 1, None)


def test_site_admins_are_not_named(owner: ApiClient, listing: Listing) -> None:
    team = UserFactory.create(is_staff=True, email="team@example.com", name="Tess Team")
    ListingVersion.objects.filter(changes__isnull=False).update(author=team, via="admin")
    assert "Tess" not in str(owner.get(f"/me/listings/{listing.pk}/versions").json())


def test_another_accounts_history_is_not_found(other_owner: ApiClient, listing: Listing) -> None:
    assert other_owner.get(f"/me/listings/{listing.pk}/versions").status_code == 404
