"""recrawl_listing: the listing's own website is read again, and the listing waits for its owner's choice."""

from typing import Any

import pytest

from apps.drafts.models import Draft
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.api import ApiClient
from tests.drafts.factories import DraftFactory
from tests.factories import ListingFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def listing(owner: ApiClient, site: Site) -> Listing:
    company = {"company__website": "https://acme.example", "company__website_key": "acme.example"}
    made: Listing = ListingFactory.create(live=True, company__owner=owner.user, headline="Invoices", **company)
    return made


def recrawl(client: ApiClient, listing: Listing, body: Any = None) -> Any:
    return client.post(f"/me/listings/{listing.pk}/recrawl", body)


def test_a_draft_rereads_the_listing(owner: ApiClient, listing: Listing) -> None:
    started = recrawl(owner, listing)
    assert (started.status_code, started.json()["rereads_listing_id"]) == (201, listing.pk)
    again = recrawl(owner, listing, {"wait_seconds": 0})
    assert (again.status_code, again.json()["id"]) == (200, started.json()["id"])


def test_what_differs_is_in_the_draft(owner: ApiClient, listing: Listing) -> None:
    draft = DraftFactory.create(
        owner=owner.user, url="https://acme.example/", ready=True, rereads=listing, proposal={"headline": "Receipts"}
    )
    body = recrawl(owner, listing).json()
    assert body["id"] == draft.pk
    differing = {one["field"]: (one["listing"], one["website"]) for one in body["differences"]}
    assert differing["headline"] == ("Invoices", "Receipts")
    assert Listing.objects.get().headline == "Invoices"


def test_a_listing_of_another_account_is_not_found(other_owner: ApiClient, listing: Listing) -> None:
    assert recrawl(other_owner, listing).status_code == 404
    assert not Draft.objects.exists()


def test_a_rejected_listing_is_not_reread(owner: ApiClient, listing: Listing) -> None:
    Listing.objects.update(status="rejected")
    answer = recrawl(owner, listing)
    assert (answer.status_code, answer.json()["code"]) == (409, "not_editable")


def test_waiting_is_limited(owner: ApiClient, listing: Listing) -> None:
    assert recrawl(owner, listing, {"wait_seconds": 26}).status_code == 422
