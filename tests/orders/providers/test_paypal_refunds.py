"""Money that goes back by PayPal, from here or from there."""

import pytest

from apps.orders.fulfillment import refunds
from apps.orders.models import Payment, Refund
from apps.orders.providers import GatewayRefusalError, RemoteState
from apps.orders.providers.gateway import RefundState
from apps.orders.providers.paypal import PayPalGateway
from tests.orders.provider_payments import reference_of, send, status_of, wanted
from tests.providers.http import posts
from tests.providers.paypal_server import PayPalServer

# Valkey keeps what was answered.
pytestmark = pytest.mark.db

gateway = PayPalGateway()
State = RemoteState


def start() -> str:
    return gateway.start(wanted()).reference


@pytest.fixture
def paid(paypal: PayPalServer, paypal_payment: Payment) -> Payment:
    paypal.approve(reference_of(paypal_payment))
    assert send("paypal", paypal.event_for(reference_of(paypal_payment), "CHECKOUT.ORDER.APPROVED")) == 204
    paypal_payment.refresh_from_db()
    assert paypal_payment.status == "paid"
    return paypal_payment


def test_a_refund_is_made_once(paypal: PayPalServer, paid: Payment) -> None:
    refunds.request_refund(payment=paid, amount_cents=1005, reason="Sent back.")
    reference = reference_of(paid)
    refund = Refund.objects.get()
    made = [gateway.refund(reference, amount_cents=1005, currency="usd", key=refund.key) for _ in range(2)]
    refunds.make_refunds(paid.order_id)
    assert [one["amount"]["value"] for one in paypal.refunds.values()] == ["10.05"]
    refund.refresh_from_db()
    assert {*made, refund.reference} == set(paypal.refunds)
    assert gateway.fetch(reference).returned_cents == 1005
    assert status_of(paid.order) == "partially_refunded"


def test_the_whole_goes_back_once_although_the_answer_was_lost(paypal: PayPalServer, paid: Payment) -> None:
    refunds.request_refund(payment=paid, amount_cents=11781, reason="Sent back.")
    paypal.concerns, paypal.drop_answers = posts("/refund"), 1
    refunds.make_refunds(paid.order_id)
    assert (Refund.objects.get().status, len(paypal.refunds)) == ("requested", 1)
    refunds.make_refunds(paid.order_id)
    assert (Refund.objects.get().status, len(paypal.refunds)) == ("done", 1)
    assert status_of(paid.order) == "refunded"


def test_more_than_was_paid_is_refused(paypal: PayPalServer, paid: Payment) -> None:
    with pytest.raises(GatewayRefusalError, match="REFUND_AMOUNT_EXCEEDED"):
        gateway.refund(reference_of(paid), amount_cents=11782, currency="usd", key="refund-1-1")
    assert paypal.refunds == {}


def test_nothing_taken_nothing_sent_back(paypal: PayPalServer) -> None:
    with pytest.raises(GatewayRefusalError):
        gateway.refund(start(), amount_cents=1, currency="usd", key="refund-1-1")


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("COMPLETED", RefundState.DONE),
        ("PENDING", RefundState.DONE),
        ("FAILED", RefundState.FAILED),
        ("CANCELLED", RefundState.FAILED),
    ],
)
def test_what_becomes_of_a_refund(paypal: PayPalServer, status: str, state: RefundState) -> None:
    reference = start()
    paypal.pay(reference)
    name = gateway.refund(reference, amount_cents=100, currency="usd", key="refund-1-1")
    paypal.refunds[name]["status"] = status
    assert gateway.fetch_refund(name) == state


def test_a_refund_that_fails_at_once(paypal: PayPalServer, paid: Payment) -> None:
    paypal.refund_status = "FAILED"
    refunds.request_refund(payment=paid, amount_cents=100, reason="Sent back.")
    refunds.make_refunds(paid.order_id)
    assert Refund.objects.get().status == "failed"
    assert status_of(paid.order) == "paid"


def test_a_refund_that_fails_later_asks_for_review(paypal: PayPalServer, paid: Payment) -> None:
    paypal.refund_status = "PENDING"
    refunds.request_refund(payment=paid, amount_cents=100, reason="Sent back.")
    refunds.make_refunds(paid.order_id)
    made = next(iter(paypal.refunds.values()))
    made["status"] = "FAILED"
    assert send("paypal", paypal.sign_event({"event_type": "PAYMENT.REFUND.FAILED", "resource": made})) == 204
    assert Refund.objects.get().status == "failed"
    assert status_of(paid.order) == "partially_refunded"
    assert paid.order.needs_review


def test_a_refund_made_at_paypal_asks_for_review(paypal: PayPalServer, paid: Payment) -> None:
    paypal.refund(reference_of(paid), "5.00")
    assert send("paypal", paypal.event_for(reference_of(paid), "PAYMENT.CAPTURE.REFUNDED")) == 204
    assert status_of(paid.order) == "paid"
    assert paid.order.needs_review


def test_a_dispute_asks_for_review(paypal: PayPalServer, paid: Payment) -> None:
    paypal.dispute(reference_of(paid))
    event = paypal.event_for(reference_of(paid), "CUSTOMER.DISPUTE.CREATED")
    assert [send("paypal", event), send("paypal", event)] == [204, 204]
    assert status_of(paid.order) == "paid"
    assert "disputes" in paid.order.review_reason
