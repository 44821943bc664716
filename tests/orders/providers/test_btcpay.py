"""Crypto through a BTCPay Server over real HTTP: from the page to the money, whatever arrives and whenever."""

from datetime import timedelta
from typing import Any

import httpx2
import pytest
from django.test import Client
from django.utils import timezone

from apps.orders import tasks
from apps.orders.models import Order, Payment, PaymentEvent
from apps.orders.payments import start as paying
from apps.orders.providers import (
    GatewayError,
    GatewayRefusalError,
    RemotePayment,
    RemoteState,
    WrongSignature,
    gateway_of,
)
from apps.orders.providers.btcpay import BTCPayGateway
from tests.orders.carts import press_pay
from tests.orders.provider_payments import KEY, end_time, reference_of, send, status_of, wanted
from tests.providers.btcpay_server import BTCPayServer
from tests.providers.http import posts
from tests.waiting import PATIENCE_SECONDS

gateway = BTCPayGateway()
State = RemoteState


def start() -> str:
    return gateway.start(wanted()).reference


# ---- the whole way ----


def test_from_the_checkout_page_to_paid_by_the_return(
    client: Client, btcpay: BTCPayServer, btcpay_payment: Payment
) -> None:
    assert "117.81" in httpx2.get(btcpay_payment.pay_url, timeout=PATIENCE_SECONDS).text
    back = httpx2.post(btcpay_payment.pay_url, data={"action": "pay"}, timeout=PATIENCE_SECONDS)
    assert back.headers["Location"] == btcpay_payment.return_url
    assert status_of(btcpay_payment.order) == "processing"
    client.get(f"/checkout/{btcpay_payment.order.secret}")
    assert status_of(btcpay_payment.order) == "paid"


def test_from_the_checkout_page_to_paid_by_the_webhook(btcpay: BTCPayServer, btcpay_payment: Payment) -> None:
    reference = reference_of(btcpay_payment)
    btcpay.pay(reference, is_confirmed=False)
    assert send("btcpay", btcpay.event_for(reference, "InvoiceProcessing")) == 204
    assert status_of(btcpay_payment.order) == "processing"
    btcpay.confirm(reference)
    assert send("btcpay", btcpay.event_for(reference, "InvoiceSettled")) == 204
    assert status_of(btcpay_payment.order) == "paid"


def test_from_the_checkout_page_to_paid_by_recovery(btcpay: BTCPayServer, btcpay_payment: Payment) -> None:
    btcpay.pay(reference_of(btcpay_payment))
    Payment.objects.update(created_at=timezone.now() - timedelta(minutes=5))
    tasks.recover_orders()
    assert status_of(btcpay_payment.order) == "paid"


def test_left_without_paying_can_be_paid_again(client: Client, btcpay: BTCPayServer, btcpay_payment: Payment) -> None:
    order = btcpay_payment.order
    httpx2.post(btcpay_payment.pay_url, data={"action": "cancel"}, timeout=PATIENCE_SECONDS)
    assert press_pay(order, method="btcpay").status_code == 302
    first, second = order.payments.order_by("attempt")
    assert (first.status, btcpay.invoices[reference_of(first)]["status"]) == ("failed", "Invalid")
    btcpay.pay(reference_of(second))
    client.get(f"/checkout/{order.secret}")
    assert status_of(order) == "paid"


def test_the_page_offers_it(client: Client, btcpay: BTCPayServer, btcpay_payment: Payment) -> None:
    page = client.get(f"/checkout/{btcpay_payment.order.secret}").content.decode()
    assert 'value="btcpay"' in page
    assert gateway.page_origins() == (btcpay.url,)


# ---- starting ----


def test_what_is_asked_for(btcpay: BTCPayServer) -> None:
    session = gateway.start(wanted())
    sent = next(request for request in btcpay.requests if request.method == "POST")
    assert sent.json == {
        "amount": "117.81",
        "currency": "USD",
        "metadata": {"orderId": KEY, "itemDesc": "Order SL-7K3QH9TRWC"},
        "checkout": {
            "redirectURL": "http://testserver/checkout/secret",
            "redirectAutomatically": True,
            "expirationMinutes": 60,
        },
    }
    assert session.url == f"{btcpay.url}/i/{session.reference}"


@pytest.mark.parametrize(("left", "minutes"), [(-5, 1), (0, 1), (0.5, 1), (1.5, 2), (59, 59), (60, 60), (1440, 60)])
def test_an_invoice_ends_with_its_order(btcpay: BTCPayServer, left: float, minutes: int) -> None:
    now = timezone.now()
    gateway.start(wanted(started_at=now, expires_at=now + timedelta(minutes=left)))
    assert btcpay.requests[-1].json["checkout"]["expirationMinutes"] == minutes


def test_the_same_key_starts_once(btcpay: BTCPayServer) -> None:
    btcpay.concerns, btcpay.drop_answers = posts("/invoices"), 1
    with pytest.raises(GatewayError) as raised:
        start()
    assert not isinstance(raised.value, GatewayRefusalError)
    assert start() == start()
    assert len(btcpay.invoices) == 1


def test_of_two_invoices_the_first_counts(btcpay: BTCPayServer) -> None:
    first = start()
    btcpay.invoices["later"] = {**btcpay.invoices[first], "id": "later", "createdTime": 2**33}
    assert start() == first
    btcpay.invoices["other"] = {**btcpay.invoices[first], "id": "other", "createdTime": 1, "metadata": {"orderId": "x"}}
    assert start() == first


@pytest.mark.parametrize("cents", [1, 5, 99, 100, 101, 11781, 123456789])
def test_amounts_are_exact(btcpay: BTCPayServer, cents: int) -> None:
    reference = gateway.start(wanted(amount_cents=cents)).reference
    btcpay.pay(reference)
    result = gateway.fetch(reference)
    assert (result.state, result.amount_cents, result.currency) == (State.PAID, cents, "usd")


def test_what_it_refuses_can_be_paid_otherwise(btcpay: BTCPayServer, btcpay_payment: Payment) -> None:
    order = btcpay_payment.order
    Payment.objects.all().delete()
    Order.objects.update(status="pending")
    btcpay.fail_with = (403, 1)
    assert press_pay(order, method="btcpay").status_code == 503
    assert (status_of(order), Payment.objects.get().status) == ("pending", "failed")
    assert press_pay(order, method="test").status_code == 302


# ---- what the server has ----


def _found(btcpay: BTCPayServer, status: str, extra: str, *payments: tuple[int, str]) -> RemotePayment:
    """An invoice of 117.81 in a state, with payments in cents and their own states."""
    reference = start()
    for cents, of_payment in payments:
        btcpay.pay(reference, cents)
        btcpay.payments[reference][-1]["status"] = of_payment
    btcpay.invoices[reference].update(status=status, additionalStatus=extra)
    return gateway.fetch(reference)


@pytest.mark.parametrize(
    ("status", "extra", "payments", "state", "cents"),
    [
        ("New", "None", [], State.OPEN, 11781),
        ("New", "PaidPartial", [(5000, "Settled")], State.OPEN, 11781),
        ("Processing", "None", [(11781, "Processing")], State.OPEN, 11781),
        ("Processing", "PaidOver", [(20000, "Processing")], State.OPEN, 11781),
        ("Settled", "None", [(11781, "Settled")], State.PAID, 11781),
        # The store lets small differences pass.
        ("Settled", "None", [(11779, "Settled")], State.PAID, 11781),
        ("Settled", "PaidOver", [(20000, "Settled")], State.PAID, 20000),
        ("Settled", "PaidOver", [(11781, "Settled"), (5, "Settled")], State.PAID, 11786),
        ("Settled", "PaidLate", [(11781, "Settled")], State.PAID, 11781),
        ("Settled", "PaidPartial", [(5000, "Settled")], State.PAID, 5000),
        # Somebody pressed a button: no money came.
        ("Settled", "Marked", [], State.PAID, 0),
        ("Settled", "Marked", [(5000, "Settled")], State.PAID, 5000),
        ("Expired", "None", [], State.FAILED, 11781),
        ("Expired", "PaidPartial", [(5000, "Processing")], State.OPEN, 11781),
        ("Expired", "PaidPartial", [(5000, "Settled")], State.PAID, 5000),
        ("Expired", "PaidPartial", [(5000, "Settled"), (6781, "Processing")], State.OPEN, 11781),
        ("Expired", "PaidPartial", [(5000, "Invalid")], State.FAILED, 11781),
        ("Expired", "PaidLate", [(11781, "Settled")], State.PAID, 11781),
        ("Expired", "PaidLate", [(20000, "Settled")], State.PAID, 20000),
        ("Invalid", "None", [(11781, "Processing")], State.FAILED, 11781),
        ("Invalid", "None", [(11781, "Invalid")], State.FAILED, 11781),
        ("Invalid", "Marked", [], State.FAILED, 11781),
        ("Invalid", "Marked", [(5000, "Settled")], State.PAID, 5000),
        ("SomethingNew", "None", [], State.OPEN, 11781),
    ],
)
def test_invoices(
    btcpay: BTCPayServer, status: str, extra: str, payments: list[tuple[int, str]], state: RemoteState, cents: int
) -> None:
    result = _found(btcpay, status, extra, *payments)
    assert (result.state, result.amount_cents, result.currency, result.returned_cents) == (state, cents, "usd", None)
    assert bool(result.note) == (state == State.FAILED)


def test_fees_of_the_network_are_not_the_sellers(btcpay: BTCPayServer) -> None:
    reference = start()
    btcpay.pay(reference, 20000, fee="0.00001")
    assert gateway.fetch(reference).amount_cents == 20000


def test_several_methods_count_together(btcpay: BTCPayServer) -> None:
    reference = start()
    btcpay.pay(reference, 5000, method="BTC-LN")
    btcpay.pay(reference, 10000, method="BTC-CHAIN")
    result = gateway.fetch(reference)
    assert (result.state, result.amount_cents) == (State.PAID, 15000)


@pytest.mark.parametrize("broken", [{"amount": None}, {"amount": "NaN"}, {"amount": "1e99"}, {"amount": True}])
def test_an_answer_that_cannot_be_read(btcpay: BTCPayServer, broken: dict[str, object]) -> None:
    reference = start()
    btcpay.invoices[reference].update(broken)
    with pytest.raises(GatewayError):
        gateway.fetch(reference)


def test_an_invoice_that_is_not_there_cannot_be_asked_about(btcpay: BTCPayServer) -> None:
    with pytest.raises(GatewayRefusalError, match="invoice-not-found"):
        gateway.fetch("none")


@pytest.mark.parametrize("status", [302, 408, 429, 500, 503])
def test_what_may_pass_is_tried_again(btcpay: BTCPayServer, status: int) -> None:
    reference = start()
    btcpay.fail_with = (status, 1)
    with pytest.raises(GatewayError) as raised:
        gateway.fetch(reference)
    assert not isinstance(raised.value, GatewayRefusalError)
    assert gateway.fetch(reference).state == State.OPEN


def test_logs_have_no_secrets(btcpay: BTCPayServer, caplog: pytest.LogCaptureFixture) -> None:
    btcpay.fail_with = (401, 1)
    btcpay.api_key = "another"
    with pytest.raises(GatewayRefusalError):
        start()
    told = "".join(str(record.__dict__) for record in caplog.records)
    assert "a payment provider refused" in told
    assert "token key" not in told


# ---- money that does not fit ----


@pytest.mark.parametrize("cents", [5000, 20000])
def test_too_little_and_too_much_go_to_review(btcpay: BTCPayServer, btcpay_payment: Payment, cents: int) -> None:
    reference = reference_of(btcpay_payment)
    btcpay.pay(reference, cents)
    btcpay.expire(reference)
    assert send("btcpay", btcpay.event_for(reference, "InvoiceExpired")) == 204
    assert status_of(btcpay_payment.order) == "processing"
    assert Payment.objects.get().status == "needs_review"
    assert f"${cents // 100}.00" in btcpay_payment.order.review_reason


def test_late_money_is_taken(btcpay: BTCPayServer, btcpay_payment: Payment) -> None:
    reference = reference_of(btcpay_payment)
    btcpay.expire(reference)
    assert send("btcpay", btcpay.event_for(reference, "InvoiceExpired")) == 204
    assert status_of(btcpay_payment.order) == "pending"
    end_time()
    paying.expire_order(Order.objects.get())
    btcpay.pay(reference)
    assert send("btcpay", btcpay.event_for(reference, "InvoicePaymentSettled")) == 204
    assert status_of(btcpay_payment.order) == "paid"


# ---- ending it ----


def test_closing_an_unpaid_invoice(btcpay: BTCPayServer, btcpay_payment: Payment) -> None:
    end_time()
    paying.expire_order(Order.objects.get())
    assert status_of(btcpay_payment.order) == "expired"
    assert btcpay.invoices[reference_of(btcpay_payment)]["status"] == "Invalid"


@pytest.mark.parametrize("cents", [5000, 11781])
def test_money_on_its_way_is_waited_for(btcpay: BTCPayServer, btcpay_payment: Payment, cents: int) -> None:
    reference = reference_of(btcpay_payment)
    btcpay.pay(reference, cents, is_confirmed=False)
    end_time()
    paying.expire_order(Order.objects.get())
    assert status_of(btcpay_payment.order) == "processing"
    assert btcpay.invoices[reference]["status"] != "Invalid"


def test_closing_finds_what_was_paid(btcpay: BTCPayServer, btcpay_payment: Payment) -> None:
    btcpay.pay(reference_of(btcpay_payment))
    end_time()
    paying.expire_order(Order.objects.get())
    assert status_of(btcpay_payment.order) == "paid"


# ---- events ----


def test_an_event_names_its_payment(btcpay: BTCPayServer) -> None:
    reference = start()
    event = gateway.parse_event(*btcpay.event_for(reference, "InvoiceSettled"))
    assert (event.kind, event.reference, event.key, event.refund) == ("InvoiceSettled", reference, KEY, "")


@pytest.mark.parametrize("change", ["body", "signature", "missing", "empty", "space", "plain", "letters"])
def test_a_forged_event_is_refused(btcpay: BTCPayServer, btcpay_payment: Payment, change: str) -> None:
    reference = reference_of(btcpay_payment)
    btcpay.pay(reference)
    body, headers = btcpay.event_for(reference, "InvoiceSettled")
    match change:
        case "body":
            body = body.replace(b"Settled", b"Expired")
        case "signature":
            body, headers = btcpay.forge(reference)
        case "missing":
            del headers["BTCPay-Sig"]
        case "empty":
            body = b""
        case "space":
            body += b" "
        case "plain":
            headers["BTCPay-Sig"] = headers["BTCPay-Sig"].removeprefix("sha256=")
        case "letters":
            headers["BTCPay-Sig"] = "sha256=é"
    assert send("btcpay", (body, headers)) == 400
    assert (PaymentEvent.objects.count(), status_of(btcpay_payment.order)) == (0, "processing")


@pytest.mark.parametrize("body", [b"null", b"[]", b"{}", b"{", b'{"type": "x"}', b"\xff", b"[" * 100_000])
def test_a_signed_event_that_cannot_be_read(btcpay: BTCPayServer, body: bytes) -> None:
    with pytest.raises(WrongSignature):
        gateway.parse_event(body, btcpay.sign(body))


def test_a_delivery_that_is_repeated_counts_once(btcpay: BTCPayServer, btcpay_payment: Payment) -> None:
    reference = reference_of(btcpay_payment)
    btcpay.pay(reference)
    first = btcpay.event_for(reference, "InvoiceSettled")
    name = gateway.parse_event(*first).id
    again = btcpay.event_for(reference, "InvoiceSettled", again=name)
    assert [send("btcpay", event) for event in (first, first, again)] == [204, 204, 204]
    assert (PaymentEvent.objects.count(), status_of(btcpay_payment.order)) == (1, "paid")


def test_events_out_of_order_act_on_what_is_now(btcpay: BTCPayServer, btcpay_payment: Payment) -> None:
    reference = reference_of(btcpay_payment)
    kinds = ("InvoiceSettled", "InvoiceExpired", "InvoiceInvalid", "InvoiceProcessing", "InvoiceCreated")
    btcpay.pay(reference)
    assert [send("btcpay", btcpay.event_for(reference, kind)) for kind in kinds] == [204] * 5
    assert status_of(btcpay_payment.order) == "paid"
    assert not btcpay_payment.order.needs_review


def test_an_event_before_its_money_does_nothing(btcpay: BTCPayServer, btcpay_payment: Payment) -> None:
    assert send("btcpay", btcpay.event_for(reference_of(btcpay_payment), "InvoiceSettled")) == 204
    assert status_of(btcpay_payment.order) == "processing"


def test_an_event_faster_than_our_own_note(btcpay: BTCPayServer, btcpay_payment: Payment) -> None:
    reference = reference_of(btcpay_payment)
    Payment.objects.update(reference=None, status="starting")
    btcpay.pay(reference)
    assert send("btcpay", btcpay.event_for(reference, "InvoiceSettled")) == 204
    assert status_of(btcpay_payment.order) == "paid"


def test_an_event_while_the_server_is_away_is_sent_again(btcpay: BTCPayServer, btcpay_payment: Payment) -> None:
    reference = reference_of(btcpay_payment)
    btcpay.pay(reference)
    event = btcpay.event_for(reference, "InvoiceSettled")
    btcpay.fail_with = (503, 1)
    assert [send("btcpay", event), status_of(btcpay_payment.order), send("btcpay", event)] == [503, "processing", 204]
    assert status_of(btcpay_payment.order) == "paid"


def test_the_test_event_of_the_server_is_taken(btcpay: BTCPayServer, db: None) -> None:
    assert send("btcpay", btcpay.event_for("__test__1", "InvoiceSettled")) == 204


def test_not_set_up_is_not_there(btcpay: BTCPayServer, db: None, settings: Any) -> None:
    settings.BTCPAY_WEBHOOK_SECRET = ""
    assert gateway_of("btcpay") is None
    assert send("btcpay", (b"{}", btcpay.sign(b"{}"))) == 404
