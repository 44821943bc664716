"""What PayPal says of a payment, and taking its money once."""

from typing import Any

import pytest
from django.test import Client

from apps.orders.models import Order, Payment
from apps.orders.payments import start as paying
from apps.orders.providers import GatewayError, RemotePayment, RemoteState
from apps.orders.providers.paypal import PayPalGateway
from tests.orders.provider_payments import KEY, end_time, reference_of, send, status_of, wanted
from tests.providers.paypal_server import PayPalServer

# Valkey keeps what was answered.
pytestmark = pytest.mark.db

gateway = PayPalGateway()
State = RemoteState
Json = dict[str, Any]


def start() -> str:
    return gateway.start(wanted()).reference


def _order(paypal: PayPalServer, status: str, *captures: Json, **unit: Any) -> RemotePayment:
    reference = start()
    paypal.orders[reference]["status"] = status
    if captures:
        paypal.orders[reference]["purchase_units"][0]["payments"] = {"captures": list(captures), **unit}
    return gateway.fetch(reference)


def _capture(status: str, value: str = "117.81", *, reason: str = "") -> Json:
    details = {"status_details": {"reason": reason}} if reason else {}
    return {"id": "3C67", "status": status, "amount": {"currency_code": "USD", "value": value}, **details}


@pytest.mark.parametrize("status", ["CREATED", "SAVED", "PAYER_ACTION_REQUIRED", "SOMETHING_NEW"])
def test_open_orders(paypal: PayPalServer, status: str) -> None:
    result = _order(paypal, status)
    assert (result.state, result.amount_cents, result.currency) == (State.OPEN, 11781, "usd")


def test_approved_is_not_paid(paypal: PayPalServer) -> None:
    reference = start()
    paypal.approve(reference, country="FI")
    result = gateway.fetch(reference)
    assert (result.state, result.country, result.returned_cents) == (State.APPROVED, "FI", None)
    assert paypal.captures == {}


@pytest.mark.parametrize(
    ("status", "value", "state", "cents"),
    [
        ("COMPLETED", "117.81", State.PAID, 11781),
        ("COMPLETED", "0.01", State.PAID, 1),
        ("COMPLETED", "1178.1", State.PAID, 117810),
        ("PARTIALLY_REFUNDED", "117.81", State.PAID, 11781),
        ("REFUNDED", "117.81", State.PAID, 11781),
        ("PENDING", "117.81", State.OPEN, 11781),
        ("DECLINED", "117.81", State.FAILED, 11781),
        ("FAILED", "117.81", State.FAILED, 11781),
    ],
)
def test_captures(paypal: PayPalServer, status: str, value: str, state: RemoteState, cents: int) -> None:
    result = _order(paypal, "COMPLETED", _capture(status, value))
    assert (result.state, result.amount_cents, result.currency) == (state, cents, "usd")


def test_a_voided_order_has_failed(paypal: PayPalServer) -> None:
    assert _order(paypal, "VOIDED").state == State.FAILED


def test_an_order_that_paypal_dropped_has_failed(paypal: PayPalServer) -> None:
    reference = start()
    paypal.orders.clear()
    assert gateway.fetch(reference).state == State.FAILED


def test_a_declined_capture_beside_a_good_one(paypal: PayPalServer) -> None:
    result = _order(paypal, "COMPLETED", _capture("DECLINED"), _capture("COMPLETED"))
    assert (result.state, result.amount_cents) == (State.PAID, 11781)


@pytest.mark.parametrize(
    ("capture", "refunds_made", "returned"),
    [
        ("COMPLETED", [], 0),
        ("PARTIALLY_REFUNDED", [("COMPLETED", "10.00"), ("PENDING", "0.05")], 1005),
        ("PARTIALLY_REFUNDED", [("FAILED", "10.00"), ("CANCELLED", "5.00"), ("COMPLETED", "1.00")], 100),
        ("REFUNDED", [], 11781),
        ("REFUNDED", [("COMPLETED", "117.81")], 11781),
    ],
)
def test_what_went_back(paypal: PayPalServer, capture: str, refunds_made: list[tuple[str, str]], returned: int) -> None:
    made = [
        {"id": "1", "status": status, "amount": {"currency_code": "USD", "value": value}}
        for status, value in refunds_made
    ]
    result = _order(paypal, "COMPLETED", _capture(capture), refunds=made)
    assert (result.state, result.returned_cents) == (State.PAID, returned)


@pytest.mark.parametrize("reason", ["BUYER_COMPLAINT", "CHARGEBACK"])
def test_a_claimed_capture_is_disputed_and_was_paid(paypal: PayPalServer, reason: str) -> None:
    result = _order(paypal, "COMPLETED", _capture("PENDING", reason=reason))
    assert (result.state, result.is_disputed) == (State.PAID, True)


def test_an_open_dispute_is_seen(paypal: PayPalServer) -> None:
    reference = start()
    paypal.pay(reference)
    assert not gateway.fetch(reference).is_disputed
    dispute = paypal.dispute(reference)
    assert gateway.fetch(reference).is_disputed
    dispute["status"] = "RESOLVED"
    assert not gateway.fetch(reference).is_disputed
    dispute["status"] = "OPEN"
    paypal.is_telling_disputes = False
    assert not gateway.fetch(reference).is_disputed


@pytest.mark.parametrize(
    "broken",
    [
        {"purchase_units": None},
        {"purchase_units": []},
        {"purchase_units": ["x"]},
        {"payer": "x"},
        {"purchase_units": [{"amount": {"currency_code": "USD", "value": "NaN"}}]},
        {"purchase_units": [{"amount": {"currency_code": "USD", "value": "1e400"}}]},
        {"purchase_units": [{"payments": {"captures": [1]}}]},
    ],
)
def test_an_answer_that_cannot_be_read(paypal: PayPalServer, broken: Json) -> None:
    reference = start()
    paypal.orders[reference].update(broken)
    with pytest.raises(GatewayError):
        gateway.fetch(reference)


def test_a_capture_happens_once(paypal: PayPalServer) -> None:
    reference = start()
    paypal.approve(reference)
    paypal.drop_answers = 1
    with pytest.raises(GatewayError):
        gateway.capture(reference, key=KEY)
    again = [gateway.capture(reference, key=key) for key in (KEY, KEY, "SL-OTHER:1")]
    assert {(one.state, one.amount_cents) for one in again} == {(State.PAID, 11781)}
    assert len(paypal.captures) == 1


@pytest.mark.parametrize("issue", ["INSTRUMENT_DECLINED", "TRANSACTION_REFUSED", "PAYER_CANNOT_PAY"])
def test_a_payer_who_cannot_pay(client: Client, paypal: PayPalServer, paypal_payment: Payment, issue: str) -> None:
    paypal.decline_with = issue
    paypal.approve(reference_of(paypal_payment))
    client.get(f"/checkout/{paypal_payment.order.secret}")
    paypal_payment.refresh_from_db()
    assert (status_of(paypal_payment.order), paypal_payment.status) == ("pending", "failed")
    assert paypal_payment.problem
    paypal.decline_with = ""
    assert send("paypal", paypal.event_for(reference_of(paypal_payment), "CHECKOUT.ORDER.APPROVED")) == 204
    assert (status_of(paypal_payment.order), paypal.captures) == ("pending", {})


def test_a_capture_before_the_approval_leaves_it_open(paypal: PayPalServer) -> None:
    assert gateway.capture(start(), key=KEY).state == State.OPEN


def test_a_capture_that_paypal_holds_is_waited_for(
    client: Client, paypal: PayPalServer, paypal_payment: Payment
) -> None:
    paypal.capture_status = "PENDING"
    paypal.approve(reference_of(paypal_payment))
    client.get(f"/checkout/{paypal_payment.order.secret}")
    assert status_of(paypal_payment.order) == "processing"
    end_time()
    paying.expire_order(Order.objects.get())
    assert status_of(paypal_payment.order) == "processing"
    paypal.captures_of(reference_of(paypal_payment))[0]["status"] = "COMPLETED"
    assert send("paypal", paypal.event_for(reference_of(paypal_payment), "PAYMENT.CAPTURE.COMPLETED")) == 204
    assert status_of(paypal_payment.order) == "paid"


def test_a_capture_that_is_denied_later(client: Client, paypal: PayPalServer, paypal_payment: Payment) -> None:
    paypal.capture_status = "PENDING"
    paypal.approve(reference_of(paypal_payment))
    client.get(f"/checkout/{paypal_payment.order.secret}")
    paypal.captures_of(reference_of(paypal_payment))[0]["status"] = "DECLINED"
    assert send("paypal", paypal.event_for(reference_of(paypal_payment), "PAYMENT.CAPTURE.DENIED")) == 204
    assert status_of(paypal_payment.order) == "pending"


@pytest.mark.parametrize(("amount_cents", "currency"), [(1, None), (11780, None), (11781, "EUR")])
def test_a_wrong_amount_goes_to_review(
    paypal: PayPalServer, paypal_payment: Payment, amount_cents: int, currency: str | None
) -> None:
    paypal.pay(reference_of(paypal_payment), amount_cents, currency)
    assert send("paypal", paypal.event_for(reference_of(paypal_payment), "PAYMENT.CAPTURE.COMPLETED")) == 204
    assert status_of(paypal_payment.order) == "processing"
    assert paypal_payment.order.needs_review
    assert Payment.objects.get().status == "needs_review"


@pytest.mark.parametrize("is_approved", [False, True])
def test_closing_takes_nothing(paypal: PayPalServer, paypal_payment: Payment, is_approved: bool) -> None:
    if is_approved:
        paypal.approve(reference_of(paypal_payment))
    end_time()
    paying.expire_order(Order.objects.get())
    assert (status_of(paypal_payment.order), Payment.objects.get().status, paypal.captures) == ("expired", "failed", {})
    paypal.approve(reference_of(paypal_payment))
    assert send("paypal", paypal.event_for(reference_of(paypal_payment), "CHECKOUT.ORDER.APPROVED")) == 204
    assert (status_of(paypal_payment.order), paypal.captures) == ("expired", {})


def test_closing_finds_what_was_paid(paypal: PayPalServer, paypal_payment: Payment) -> None:
    paypal.pay(reference_of(paypal_payment))
    end_time()
    paying.expire_order(Order.objects.get())
    assert status_of(paypal_payment.order) == "paid"
