"""list_my_orders: an account's own orders, newest first, in pages."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.core.api.scopes import Scope
from apps.listings.models import Listing
from apps.orders.api.order_serializers import IN_DETAILS
from apps.orders.models import Order, SellerSettings
from tests.api import ApiClient
from tests.factories import ListingFactory, api_key
from tests.orders.carts import check_out, launch, make_paid_orders

pytestmark = pytest.mark.db

DETAILS = {"include": ",".join(IN_DETAILS)}


def test_orders_of_others_are_not_in_it(owner: ApiClient, other_owner: ApiClient, listing: Listing) -> None:
    order = check_out(owner, launch(listing))
    assert other_owner.get("/orders").json()["total"] == 0
    assert [item["number"] for item in owner.get("/orders").json()["items"]] == [order.number]


def test_an_entry_says_what_get_order_says(owner: ApiClient, listing: Listing) -> None:
    order = check_out(owner, launch(listing))
    full = owner.get(f"/orders/{order.number}").json()
    assert owner.get("/orders", DETAILS).json()["items"] == [full]
    [entry] = owner.get("/orders").json()["items"]
    assert entry == {name: value for name, value in full.items() if name not in IN_DETAILS}


def test_it_needs_the_scope_for_reading(owner: ApiClient, anonymous: ApiClient, listing: Listing) -> None:
    paying = ApiClient(key=api_key(owner.account, [Scope.ORDERS_WRITE]))
    assert paying.get("/orders").status_code == 403
    assert anonymous.get("/orders").status_code == 401


@pytest.mark.parametrize("query", [{"page": "0"}, {"per_page": "101"}, {"state": "paid"}])
def test_nonsense_in_the_query_is_refused_by_name(owner: ApiClient, listing: Listing, query: dict[str, str]) -> None:
    answer = owner.get("/orders", query)
    assert answer.status_code == 422
    assert [error["pointer"] for error in answer.json()["errors"]] == [f"/{next(iter(query))}"]


def test_the_list_is_newest_first_and_paged(owner: ApiClient) -> None:
    listings = [ListingFactory.create(company__owner=owner.user) for _ in range(3)]
    numbers = [check_out(owner, launch(listing)).number for listing in listings]
    first = owner.get("/orders", {"per_page": "2"}).json()
    assert [item["number"] for item in first["items"]] == numbers[:0:-1]
    assert (first["total"], first["previous"]) == (3, None)
    second = owner.get("/orders", {"per_page": "2", "page": "2"}).json()
    assert ([item["number"] for item in second["items"]], second["next"]) == ([numbers[0]], None)


def test_the_list_can_be_of_one_status(owner: ApiClient) -> None:
    listings = [ListingFactory.create(company__owner=owner.user) for _ in range(2)]
    first, second = [check_out(owner, launch(listing)) for listing in listings]
    Order.objects.filter(pk=first.pk).update(status="expired")
    expired = owner.get("/orders", {"status": "expired"}).json()
    assert ([item["number"] for item in expired["items"]], expired["total"]) == ([first.number], 1)
    assert [item["number"] for item in owner.get("/orders", {"status": "pending"}).json()["items"]] == [second.number]
    assert owner.get("/orders", {"status": "paid"}).json()["total"] == 0
    assert owner.get("/orders", {"status": "lost"}).status_code == 422


@pytest.mark.slow
def test_the_list_reads_no_documents(owner: ApiClient, seller: SellerSettings) -> None:
    make_paid_orders(owner, 2)
    with CaptureQueriesContext(connection) as queries:
        items = owner.get("/orders", DETAILS).json()["items"]
    assert [len(item["invoices"]) + len(item["refunds"]) for item in items] == [2, 2]
    assert not [query["sql"] for query in queries if '"pdf"' in query["sql"] or '"document"' in query["sql"]]
