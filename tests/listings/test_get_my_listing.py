"""get_my_listing: everything that its owner may know of a listing; for everybody else it is not there."""

import json
import re

import pytest

from apps.core.api.scopes import Scope
from apps.listings.models import Listing
from tests.api import ApiClient
from tests.factories import ListingFactory, SiteFactory, api_key

pytestmark = pytest.mark.django_db


@pytest.fixture
def listing(owner: ApiClient) -> Listing:
    return ListingFactory.create(live=True, company__owner=owner.user)


def test_it_is_the_entry_of_the_list_and_more(owner: ApiClient, listing: Listing) -> None:
    answer = owner.get(f"/me/listings/{listing.pk}", {"include": "founder_story,versions"})
    assert answer.status_code == 200
    body = answer.json()
    short = {name: value for name, value in body.items() if name not in {"founder_story", "versions"}}
    assert owner.get(f"/me/listings/{listing.pk}").json() == short
    [entry] = owner.get("/me/listings").json()["items"]
    assert entry.items() <= body.items()
    assert (body["website"], body["summary"]) == (listing.company.website, listing.summary)
    assert (body["milestones"], body["faqs"], body["updates"], body["versions"]) == ([], [], [], [])
    assert (body["founder_story"], body["badge_check"]) == (None, None)
    assert {"sections", "blockers", "next_steps"} <= body.keys()


def test_it_is_found_on_any_site(owner: ApiClient) -> None:
    there = ListingFactory.create(company__owner=owner.user, site=SiteFactory.create())
    assert owner.get(f"/me/listings/{there.pk}").json()["site"] == there.site.key


def test_listings_of_others_are_not_there(other_owner: ApiClient, listing: Listing) -> None:
    theirs = other_owner.get(f"/me/listings/{listing.pk}")
    nobodys = other_owner.get("/me/listings/987654321")
    assert (theirs.status_code, nobodys.status_code) == (404, 404)
    unlike = re.compile(r'"(request_id|instance)": "[^"]*"')
    assert unlike.sub("", json.dumps(theirs.json())) == unlike.sub("", json.dumps(nobodys.json()))


@pytest.mark.parametrize("listing_id", ["0", "-1", "x", "1.0", "9" * 19, "9" * 30, "%00"])
def test_what_is_no_id_is_not_there(owner: ApiClient, listing_id: str) -> None:
    assert owner.get(f"/me/listings/{listing_id}").status_code == 404


def test_it_needs_the_scope_for_reading(owner: ApiClient, anonymous: ApiClient, listing: Listing) -> None:
    writing = ApiClient(key=api_key(owner.account, [Scope.ORDERS_WRITE]))
    assert writing.get(f"/me/listings/{listing.pk}").status_code == 403
    assert anonymous.get(f"/me/listings/{listing.pk}").status_code == 401
