"""PayPal's events: forged, repeated, out of order, early and unverifiable."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from apps.orders.models import Payment, PaymentEvent
from apps.orders.providers import GatewayError, RemoteState, WrongSignature, gateway_of
from apps.orders.providers import paypal as adapter
from apps.orders.providers.paypal import PayPalGateway
from tests.orders.provider_payments import KEY, reference_of, send, status_of, wanted
from tests.providers.http import posts
from tests.providers.paypal_server import PayPalServer

# Valkey keeps what was answered.
pytestmark = pytest.mark.db

gateway = PayPalGateway()
State = RemoteState


def start() -> str:
    return gateway.start(wanted()).reference


def test_an_event_is_asked_about_byte_by_byte(paypal: PayPalServer) -> None:
    reference = start()
    body, headers = paypal.event_for(reference, "CHECKOUT.ORDER.APPROVED")
    event = gateway.parse_event(body, headers)
    assert (event.reference, event.kind) == (reference, "CHECKOUT.ORDER.APPROVED")
    question = paypal.requests[-1]
    assert question.body.endswith(body + b"}")
    assert question.json["webhook_id"] == "WH-1"
    with pytest.raises(WrongSignature):
        gateway.parse_event(json.dumps(json.loads(body)).encode(), headers)


def _without(name: str) -> Callable[[bytes, dict[str, str]], tuple[bytes, dict[str, str]]]:
    return lambda body, headers: (body, {key: value for key, value in headers.items() if key != name})


@pytest.mark.parametrize(
    "change",
    [
        lambda body, headers: (body.replace(b"WH-", b"WH_"), headers),
        lambda body, headers: (body[:-1] + b', "more": 1}', headers),
        lambda body, headers: (body, {**headers, "PAYPAL-TRANSMISSION-ID": "other"}),
        *(
            _without(f"PAYPAL-{name}")
            for name in ("AUTH-ALGO", "CERT-URL", "TRANSMISSION-ID", "TRANSMISSION-SIG", "TRANSMISSION-TIME")
        ),
        lambda body, headers: (b"", headers),
        lambda body, headers: (b"null", headers),
        lambda body, headers: (b"[" * 100_000, headers),
        lambda body, headers: (b"\xff", headers),
        lambda body, headers: (body + b', "webhook_id": "WH-2"', headers),
        lambda body, headers: (b'{"id": 1}', headers),
    ],
)
def test_a_forged_event_is_refused(paypal: PayPalServer, paypal_payment: Payment, change: Any) -> None:
    paypal.approve(reference_of(paypal_payment))
    assert send("paypal", change(*paypal.event_for(reference_of(paypal_payment), "CHECKOUT.ORDER.APPROVED"))) == 400
    assert (PaymentEvent.objects.count(), paypal.captures) == (0, {})


def test_an_event_of_somebody_else_is_refused(paypal: PayPalServer, paypal_payment: Payment) -> None:
    told = {"event_type": "CHECKOUT.ORDER.APPROVED", "resource": {"id": reference_of(paypal_payment)}}
    assert send("paypal", paypal.forge(reference_of(paypal_payment))) == 400
    assert send("paypal", paypal.sign_event(told, webhook_id="WH-2")) == 400
    assert not PaymentEvent.objects.exists()


def test_the_same_event_many_times(paypal: PayPalServer, paypal_payment: Payment) -> None:
    paypal.approve(reference_of(paypal_payment))
    event = paypal.event_for(reference_of(paypal_payment), "CHECKOUT.ORDER.APPROVED")
    assert [send("paypal", event) for _ in range(3)] == [204, 204, 204]
    assert (PaymentEvent.objects.count(), len(paypal.captures), status_of(paypal_payment.order)) == (1, 1, "paid")


def test_events_out_of_order_act_on_what_is_now(paypal: PayPalServer, paypal_payment: Payment) -> None:
    reference = reference_of(paypal_payment)
    approved = paypal.event_for(reference, "CHECKOUT.ORDER.APPROVED")
    paypal.pay(reference)
    assert send("paypal", paypal.event_for(reference, "PAYMENT.CAPTURE.COMPLETED")) == 204
    assert send("paypal", approved) == 204
    assert (status_of(paypal_payment.order), len(paypal.captures)) == ("paid", 1)


def test_an_event_before_its_time_does_nothing(paypal: PayPalServer, paypal_payment: Payment) -> None:
    assert send("paypal", paypal.event_for(reference_of(paypal_payment), "CHECKOUT.ORDER.APPROVED")) == 204
    assert (status_of(paypal_payment.order), paypal.captures) == ("processing", {})


def test_an_event_that_cannot_be_verified_now_is_sent_again(paypal: PayPalServer, paypal_payment: Payment) -> None:
    paypal.approve(reference_of(paypal_payment))
    event = paypal.event_for(reference_of(paypal_payment), "CHECKOUT.ORDER.APPROVED")
    paypal.fail_with = (500, 1)
    assert [send("paypal", event), status_of(paypal_payment.order), send("paypal", event)] == [503, "processing", 204]
    assert status_of(paypal_payment.order) == "paid"


def test_a_lost_capture_answer_is_made_up_for_by_the_next_delivery(
    paypal: PayPalServer, paypal_payment: Payment
) -> None:
    paypal.approve(reference_of(paypal_payment))
    event = paypal.event_for(reference_of(paypal_payment), "CHECKOUT.ORDER.APPROVED")
    paypal.concerns, paypal.drop_answers = posts("/capture"), 1
    assert [send("paypal", event), send("paypal", event)] == [503, 204]
    assert (status_of(paypal_payment.order), len(paypal.captures)) == ("paid", 1)


def test_events_name_the_payment_in_several_ways(paypal: PayPalServer) -> None:
    reference = start()
    paypal.pay(reference)
    capture = paypal.captures_of(reference)[0]
    gateway.refund(reference, amount_cents=100, currency="usd", key="refund-1-1")
    refund = next(iter(paypal.refunds.values()))
    disputed = {"seller_transaction_id": capture["id"]}
    for kind, resource, told in (
        ("PAYMENT.CAPTURE.COMPLETED", capture, (reference, KEY, "")),
        ("PAYMENT.CAPTURE.DENIED", {"custom_id": KEY}, ("", KEY, "")),
        ("PAYMENT.CAPTURE.REFUNDED", refund, (reference, KEY, refund["id"])),
        ("PAYMENT.CAPTURE.REVERSED", refund, (reference, KEY, refund["id"])),
        ("CHECKOUT.PAYMENT-APPROVAL.REVERSED", {"order_id": reference}, (reference, "", "")),
        ("CUSTOMER.DISPUTE.CREATED", {"disputed_transactions": [{**disputed, "custom": KEY}]}, ("", KEY, "")),
        ("CUSTOMER.DISPUTE.CREATED", {"disputed_transactions": [disputed]}, (reference, KEY, "")),
        ("CUSTOMER.DISPUTE.CREATED", {}, ("", "", "")),
        ("BILLING.SUBSCRIPTION.CREATED", {"id": "I-1"}, ("", "", "")),
    ):
        event = gateway.parse_event(*paypal.sign_event({"event_type": kind, "resource": resource}))
        assert (event.reference, event.key, event.refund) == told, kind


def test_an_event_of_another_shop_is_taken_and_forgotten(paypal: PayPalServer, db: None) -> None:
    told = {"event_type": "PAYMENT.CAPTURE.COMPLETED", "resource": {"id": "1", "custom_id": "other"}}
    assert send("paypal", paypal.sign_event(told)) == 204


def test_only_some_events_are_asked_about_at_once(paypal: PayPalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    event = paypal.event_for(start(), "CHECKOUT.ORDER.APPROVED")
    for _ in range(adapter.MAX_VERIFIED_AT_ONCE):
        assert adapter._verifying.acquire(blocking=False)
    try:
        with pytest.raises(GatewayError, match="Too many"):
            gateway.parse_event(*event)
    finally:
        for _ in range(adapter.MAX_VERIFIED_AT_ONCE):
            adapter._verifying.release()
    assert gateway.parse_event(*event).kind == "CHECKOUT.ORDER.APPROVED"


def test_not_set_up_is_not_there(db: None, settings: Any) -> None:
    settings.PAYPAL_CLIENT_ID, settings.PAYPAL_CLIENT_SECRET, settings.PAYPAL_WEBHOOK_ID = "client", "hush", ""
    assert gateway_of("paypal") is None
    assert send("paypal", (b"{}", {})) == 404
