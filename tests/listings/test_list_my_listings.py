"""list_my_listings: an account's own listings, newest first, in pages."""

import pytest

from apps.core.api.scopes import Scope
from apps.listings.models import Listing
from tests.api import ApiClient
from tests.factories import ListingFactory, SiteFactory, api_key
from tests.listings.statuses import in_status

pytestmark = pytest.mark.django_db


def ids(client: ApiClient, **query: str) -> list[int]:
    return [item["id"] for item in client.get("/me/listings", query).json()["items"]]


def test_an_entry_tells_what_the_owner_asks_first(owner: ApiClient) -> None:
    listing = ListingFactory.create(company__owner=owner.user, status="draft")
    answer = owner.get("/me/listings").json()
    [item] = answer["items"]
    assert (item["id"], item["name"], item["status"]) == (listing.pk, listing.company.name, "draft")
    assert (item["plan"], item["launch_week"], item["launched_at"]) == (listing.plan, None, None)
    assert item["site"] == listing.site.key
    assert (answer["page"], answer["per_page"], answer["total"]) == (1, 20, 1)


@pytest.mark.parametrize("status", Listing.Status.values)
def test_a_listing_of_any_status_is_in_it(owner: ApiClient, status: str) -> None:
    listing = in_status(status, company__owner=owner.user)
    assert ids(owner) == [listing.pk]


def test_those_of_all_sites_are_and_those_of_others_are_not(owner: ApiClient, other_owner: ApiClient) -> None:
    here = ListingFactory.create(company__owner=owner.user)
    there = ListingFactory.create(company__owner=owner.user, site=SiteFactory.create())
    theirs = ListingFactory.create(company__owner=other_owner.user, live=True)
    assert ids(owner) == [there.pk, here.pk]
    assert ids(other_owner) == [theirs.pk]


def test_it_is_newest_first_and_paged(owner: ApiClient) -> None:
    made = [ListingFactory.create(company__owner=owner.user).pk for _ in range(3)]
    first = owner.get("/me/listings", {"per_page": "2"}).json()
    assert [item["id"] for item in first["items"]] == made[:0:-1]
    assert (first["total"], first["previous"]) == (3, None)
    assert "page=2" in first["next"]
    last = owner.get("/me/listings", {"per_page": "2", "page": "2"}).json()
    assert ([item["id"] for item in last["items"]], last["next"]) == (made[:1], None)
    assert ids(owner, page="3", per_page="2") == []


@pytest.mark.parametrize("query", [{"page": "0"}, {"per_page": "101"}, {"status": "live"}])
def test_nonsense_in_the_query_is_refused_by_name(owner: ApiClient, query: dict[str, str]) -> None:
    answer = owner.get("/me/listings", query)
    assert answer.status_code == 422
    assert [error["pointer"] for error in answer.json()["errors"]] == [f"/{next(iter(query))}"]


def test_it_needs_the_scope_for_reading(owner: ApiClient, anonymous: ApiClient) -> None:
    writing = ApiClient(key=api_key(owner.account, [Scope.LISTINGS_WRITE]))
    assert writing.get("/me/listings").status_code == 403
    assert anonymous.get("/me/listings").status_code == 401
