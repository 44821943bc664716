"""get_order: everything that an owner may know of an order, and nothing else."""

import json
import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.listings.models import Listing
from apps.orders.fulfillment import refunds, services
from apps.orders.models import Order, Payment, PromoCode, SellerSettings
from apps.orders.payments.cancel import cancel_order
from apps.sites.models import Site
from tests.api import ApiClient
from tests.orders.actors import by_owner
from tests.orders.carts import BILLING, check_out, launch, make_paid_orders, pay, start_paying, week
from tests.orders.vies_server import ViesServer

pytestmark = pytest.mark.db


def read(client: ApiClient, order: Order) -> dict[str, Any]:
    answer = client.get(f"/orders/{order.number}")
    assert answer.status_code == 200
    body: dict[str, Any] = answer.json()
    return body


def test_a_pending_order(owner: ApiClient, listing: Listing, seller: SellerSettings) -> None:
    order = check_out(owner, launch(listing), billing_country="DE")
    body = read(owner, order)
    assert (body["checkout_url"], body["order_url"]) == (order.checkout_url, order.page_url)
    assert body["vat"] == {
        "country": "DE",
        "place": "DE",
        "scheme": "oss",
        "rate": 1900,
        "amount_cents": 1881,
        "treatment": "standard",
        "vat_number": "",
        "vat_number_status": None,
        "consultation_number": "",
    }
    line = body["lines"][0]
    assert (line["product"], line["fulfilled"], line["fulfilled_at"], line["status"], line["position"]) == (
        "launch",
        False,
        None,
        "pending",
        1,
    )
    assert (body["promo"], body["payments"], body["refunds"], body["invoices"]) == (None, [], [], [])
    assert (body["needs_review"], body["review_note"]) == (False, None)
    assert body["seller"]["legal_name"] == "Example OÜ"
    assert order.checkout_url in body["next_steps"][0]


def test_a_paid_order_tells_all(
    owner: ApiClient, listing: Listing, seller: SellerSettings, site: Site, vies: ViesServer
) -> None:
    PromoCode.objects.create(site=site, code="TEN", percent_off=1000)
    slot = {"product": "newsletter_slot", "listing_id": listing.pk, "weeks": [week(3), week(2)]}
    order = check_out(owner, launch(listing), slot, promo_code="ten")
    pay(order, vat_number="DE136695976", promo_code="TEN", email="bills@example.com", company="Example GmbH")
    services.fulfill_order(order.pk)
    body = read(owner, order)
    assert (body["status"], body["promo"]) == ("paid", {"code": "TEN", "discount_cents": 3970})
    assert (body["vat"]["treatment"], body["vat"]["vat_number"]) == ("reverse_charge", "DE136695976")
    assert (body["vat"]["place"], body["vat"]["consultation_number"]) == (None, "WAPIAAAAX1")
    assert body["billing"] == {
        **{key: BILLING[key] for key in ("name", "address", "postal_code", "city", "country")},
        "company": "Example GmbH",
        "email": "bills@example.com",
        "vat_number": "DE136695976",
    }
    first, second = body["lines"]
    assert (first["fulfilled"], second["fulfilled"], first["placements"]) == (True, True, [])
    assert second["placements"] == [{"week": week(2), "categories": []}, {"week": week(3), "categories": []}]
    (payment,) = body["payments"]
    assert payment.keys() == {
        "provider",
        "status",
        "amount_cents",
        "currency",
        "is_test",
        "created_at",
        "settled_at",
    }
    assert (payment["provider"], payment["status"], payment["is_test"]) == ("test", "paid", True)
    (invoice,) = body["invoices"]
    assert (invoice["kind"], invoice["total_cents"]) == ("invoice", order.total_cents)
    assert invoice["url"] == f"{order.page_url}/invoices/{invoice['number']}"
    assert invoice["number"] not in (invoice["pdf_url"] or "")


def test_a_line_that_failed_and_its_money(owner: ApiClient, listing: Listing, seller: SellerSettings) -> None:
    section = {"product": "section_faq", "listing_id": listing.pk}
    order = check_out(owner, launch(listing), section)
    pay(order)
    Listing.objects.filter(pk=listing.pk).update(unlocked_sections=["faq"])
    services.fulfill_order(order.pk)
    body = read(owner, order)
    assert [line["status"] for line in body["lines"]] == ["fulfilled", "failed"]
    assert "already unlocked" in body["lines"][1]["failure"]
    (refund,) = body["refunds"]
    assert (refund["status"], refund["line_position"], refund["done_at"]) == ("requested", 2, None)
    assert body["lines"][1]["refunded_cents"] == 0
    refunds.make_refunds(order.pk)
    body = read(owner, order)
    assert (body["status"], body["lines"][1]["refunded_cents"], body["lines"][0]["refunded_cents"]) == (
        "partially_refunded",
        refund["amount_cents"],
        0,
    )
    assert (body["refunds"][0]["status"], body["refunds"][0]["amount_cents"]) == ("done", 2261)
    assert any("be delivered. See" in step for step in body["next_steps"])


def test_it_names_no_reference_and_no_secret(owner: ApiClient, listing: Listing, seller: SellerSettings) -> None:
    order = check_out(owner, launch(listing))
    pay(order)
    payment = order.payments.get()
    Payment.objects.filter(pk=payment.pk).update(problem="internal words")
    text = json.dumps(read(owner, order))
    for hidden in (payment.reference, payment.pay_url, payment.key, "internal words", order.secret):
        assert hidden
        assert hidden not in text


def test_an_order_in_review_says_so_in_plain_words(owner: ApiClient, listing: Listing) -> None:
    order = check_out(owner, launch(listing))
    Order.objects.update(needs_review=True, review_reason="The provider reports 1 eur.")
    body = read(owner, order)
    assert body["needs_review"] is True
    assert "reviewing a payment" in body["review_note"]
    assert body["next_steps"] == [body["review_note"]]
    assert body["checkout_url"] is None
    assert "1 eur" not in json.dumps(body)


def test_next_steps_follow_the_state(owner: ApiClient, listing: Listing, seller: SellerSettings) -> None:
    order = check_out(owner, launch(listing))
    start_paying(order)
    assert "get_order" in read(owner, order)["next_steps"][0]
    cancel_order(order=order, by=by_owner(order.account))
    assert "canceled" in read(owner, order)["next_steps"][0]
    other = check_out(owner, launch(listing))
    Order.objects.filter(pk=other.pk).update(expires_at=timezone.now())
    body = read(owner, other)
    assert ("create_checkout" in body["next_steps"][0], body["checkout_url"]) == (True, None)


def test_orders_of_others_are_not_there(owner: ApiClient, other_owner: ApiClient, listing: Listing) -> None:
    order = check_out(owner, launch(listing))
    theirs = other_owner.get(f"/orders/{order.number}")
    nobodys = other_owner.get("/orders/SL-2222222222")
    assert (theirs.status_code, nobodys.status_code) == (404, 404)
    unlike = re.compile(r'"(request_id|instance)": "[^"]*"')
    assert unlike.sub("", json.dumps(theirs.json())) == unlike.sub("", json.dumps(nobodys.json()))


@pytest.mark.parametrize("number", ["SL-0000000000", "1", "%00", "../products", "SL-" + "A" * 300, "日本"])
def test_what_is_no_number_is_not_there(owner: ApiClient, number: str) -> None:
    assert owner.get(f"/orders/{number}").status_code == 404


def test_an_expired_order_has_no_checkout(owner: ApiClient, listing: Listing) -> None:
    order = check_out(owner, launch(listing))
    Order.objects.update(status="expired")
    assert read(owner, order)["checkout_url"] is None


def test_it_costs_a_bounded_number_of_queries(owner: ApiClient, seller: SellerSettings) -> None:
    make_paid_orders(owner, 1)
    with CaptureQueriesContext(connection) as queries:
        read(owner, Order.objects.get())
    assert len(queries) <= 11
    assert not [query["sql"] for query in queries if '"pdf"' in query["sql"] or '"document"' in query["sql"]]
