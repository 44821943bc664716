import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.listings.models import Listing
from apps.orders.models import Order, SellerSettings
from tests.api import ApiClient
from tests.factories import ListingFactory
from tests.orders.carts import check_out, launch


def test_a_pending_order(owner: ApiClient, listing: Listing, seller: SellerSettings) -> None:
    order = check_out(owner, launch(listing), billing_country="DE")
    body = owner.get(f"/orders/{order.number}").json()
    assert body["checkout_url"] == order.checkout_url
    assert body["vat"] == {
        "country": "DE",
        "rate": 1900,
        "amount_cents": 1881,
        "treatment": "standard",
        "vat_number_status": None,
    }
    line = body["lines"][0]
    assert (line["product"], line["fulfilled"], line["fulfilled_at"], line["status"]) == (
        "launch",
        False,
        None,
        "pending",
    )


def test_orders_of_others_are_not_there(owner: ApiClient, other_owner: ApiClient, listing: Listing) -> None:
    order = check_out(owner, launch(listing))
    assert other_owner.get(f"/orders/{order.number}").status_code == 404
    assert other_owner.get("/orders").json()["total"] == 0


@pytest.mark.parametrize("number", ["SL-0000000000", "1", "%00", "../products", "SL-" + "A" * 300, "日本"])
def test_what_is_no_number_is_not_there(owner: ApiClient, number: str) -> None:
    assert owner.get(f"/orders/{number}").status_code == 404


def test_an_expired_order_has_no_checkout(owner: ApiClient, listing: Listing) -> None:
    order = check_out(owner, launch(listing))
    Order.objects.update(status="expired")
    assert owner.get(f"/orders/{order.number}").json()["checkout_url"] is None


def test_the_list_is_newest_first_and_paged(owner: ApiClient) -> None:
    listings = [ListingFactory.create(company__owner=owner.user) for _ in range(3)]
    numbers = [check_out(owner, launch(listing)).number for listing in listings]
    first = owner.get("/orders", {"per_page": "2"}).json()
    assert [item["number"] for item in first["items"]] == numbers[:0:-1]
    assert (first["total"], first["previous"]) == (3, None)
    second = owner.get("/orders", {"per_page": "2", "page": "2"}).json()
    assert ([item["number"] for item in second["items"]], second["next"]) == ([numbers[0]], None)


def test_the_list_costs_a_fixed_number_of_queries(owner: ApiClient) -> None:
    counts = []
    for _ in range(2):
        for _ in range(2):
            check_out(owner, launch(ListingFactory.create(company__owner=owner.user)))
        with CaptureQueriesContext(connection) as queries:
            assert owner.get("/orders").status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 6
