"""PayPal against a real HTTP server: from the page to the money, and when PayPal misbehaves."""

import json
from datetime import timedelta
from typing import Any

import httpx2
import pytest
import time_machine
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from redis import Redis

from apps.launches.models import LaunchWeek
from apps.listings.models import Listing
from apps.orders import tasks
from apps.orders.checkout.reservations import RESERVED_FOR
from apps.orders.models import Order, Payment, PaymentEvent, SellerSettings
from apps.orders.payments import events
from apps.orders.providers import GatewayError, GatewayRefusalError, RemoteState, http, paypal_api
from apps.orders.providers.paypal import PayPalGateway
from apps.sites.models import Site
from config.supervisor.up import free_port
from tests.api import ApiClient
from tests.orders.carts import check_out, launch, press_pay, update_total
from tests.orders.provider_payments import KEY, reference_of, send, status_of, wanted
from tests.providers.http import posts
from tests.providers.paypal_server import PayPalServer
from tests.waiting import PATIENCE_SECONDS

# Valkey keeps what was answered.
pytestmark = pytest.mark.db

gateway = PayPalGateway()
State = RemoteState


def start() -> str:
    return gateway.start(wanted()).reference


def asked(server: PayPalServer, path: str) -> int:
    return sum(request.path.endswith(path) for request in server.requests)


@pytest.fixture
def order(paypal: PayPalServer, owner: ApiClient, listing: Listing, seller: SellerSettings) -> Order:
    return check_out(owner, launch(listing))


def test_from_the_checkout_page_to_paid_by_the_return(
    client: Client, paypal: PayPalServer, paypal_payment: Payment
) -> None:
    page = httpx2.get(paypal_payment.pay_url, timeout=PATIENCE_SECONDS)
    assert "117.81" in page.text
    back = httpx2.post(paypal_payment.pay_url, data={"action": "pay"}, timeout=PATIENCE_SECONDS)
    assert back.headers["Location"].startswith(f"{paypal_payment.return_url}?token={paypal_payment.reference}&PayerID=")
    assert status_of(paypal_payment.order) == "processing"
    assert paypal.captures == {}
    client.get(back.headers["Location"].removeprefix("http://testserver"))
    assert status_of(paypal_payment.order) == "paid"
    assert paypal.captures_of(reference_of(paypal_payment))[0]["amount"] == {"currency_code": "USD", "value": "117.81"}


def test_from_the_checkout_page_to_paid_by_the_webhook(paypal: PayPalServer, paypal_payment: Payment) -> None:
    paypal.approve(reference_of(paypal_payment), country="FI")
    assert send("paypal", paypal.event_for(reference_of(paypal_payment), "CHECKOUT.ORDER.APPROVED")) == 204
    assert status_of(paypal_payment.order) == "paid"
    assert send("paypal", paypal.event_for(reference_of(paypal_payment), "PAYMENT.CAPTURE.COMPLETED")) == 204
    assert (PaymentEvent.objects.count(), len(paypal.captures)) == (2, 1)
    assert "FI" in json.dumps(paypal_payment.order.evidence)


def test_from_the_checkout_page_to_paid_by_recovery(paypal: PayPalServer, paypal_payment: Payment) -> None:
    paypal.approve(reference_of(paypal_payment))
    Payment.objects.update(created_at=timezone.now() - timedelta(minutes=5))
    tasks.recover_orders()
    assert status_of(paypal_payment.order) == "paid"


def test_cancelled_at_paypal_can_be_paid_again(client: Client, paypal: PayPalServer, paypal_payment: Payment) -> None:
    back = httpx2.post(paypal_payment.pay_url, data={"action": "cancel"}, timeout=PATIENCE_SECONDS)
    client.get(back.headers["Location"].removeprefix("http://testserver"))
    answer = press_pay(paypal_payment.order, method="paypal")
    assert answer.status_code == 302
    first, second = Payment.objects.order_by("attempt")
    assert (first.status, second.status) == ("failed", "open")
    paypal.approve(reference_of(second))
    client.get(f"/checkout/{paypal_payment.order.secret}")
    assert (status_of(paypal_payment.order), len(paypal.captures)) == ("paid", 1)


def test_an_approval_for_what_is_gone_is_never_captured(
    client: Client, paypal: PayPalServer, paypal_payment: Payment
) -> None:
    order = paypal_payment.order
    now = timezone.now() + RESERVED_FOR
    LaunchWeek.objects.update(paid_places=0)
    # The reservation may end in another week.
    Site.objects.update(paid_places_per_week=0)
    paypal.approve(reference_of(paypal_payment))
    with time_machine.travel(now, tick=False):
        assert send("paypal", paypal.event_for(reference_of(paypal_payment), "CHECKOUT.ORDER.APPROVED")) == 204
    paypal_payment.refresh_from_db()
    assert (status_of(order), paypal_payment.status, paypal.captures) == ("pending", "failed", {})
    assert paypal_payment.problem.startswith("Launch for ")


def test_the_page_offers_it(client: Client, order: Order, paypal: PayPalServer) -> None:
    page = client.get(f"/checkout/{order.secret}").content.decode()
    assert 'value="paypal"' in page
    assert gateway.page_origins() == (paypal.url,)


def test_what_is_asked_for(paypal: PayPalServer) -> None:
    session = gateway.start(wanted())
    sent = next(request for request in paypal.requests if request.path == "/v2/checkout/orders")
    assert sent.headers["paypal-request-id"] == KEY
    assert sent.json["purchase_units"] == [
        {
            "amount": {"currency_code": "USD", "value": "117.81"},
            "custom_id": KEY,
            "invoice_id": KEY,
            "description": "Order SL-7K3QH9TRWC",
        }
    ]
    pages = sent.json["payment_source"]["paypal"]["experience_context"]
    assert (sent.json["intent"], pages["shipping_preference"], pages["user_action"]) == (
        "CAPTURE",
        "NO_SHIPPING",
        "PAY_NOW",
    )
    assert pages["return_url"] == pages["cancel_url"] == "http://testserver/checkout/secret"
    assert "ada@example.com" not in sent.body.decode()
    assert session.url == f"{paypal.url}/checkoutnow?token={session.reference}"


@pytest.mark.parametrize("link", ["payer-action", "approve"])
def test_both_names_of_the_link(paypal: PayPalServer, link: str) -> None:
    paypal.link = link
    assert gateway.start(wanted()).url.startswith(f"{paypal.url}/checkoutnow?token=")


def test_no_link_no_payment(paypal: PayPalServer) -> None:
    paypal.link = "other"
    with pytest.raises(GatewayError):
        start()


def test_a_page_elsewhere_is_no_page(paypal: PayPalServer, settings: Any, caplog: pytest.LogCaptureFixture) -> None:
    settings.PAYPAL_PAGE_ORIGIN = "https://www.paypal.com"
    with pytest.raises(GatewayRefusalError):
        start()
    assert paypal.url in str([record.__dict__ for record in caplog.records])


def test_the_same_key_starts_once(paypal: PayPalServer) -> None:
    paypal.concerns, paypal.drop_answers = posts("/orders"), 1
    with pytest.raises(GatewayError) as raised:
        start()
    assert not isinstance(raised.value, GatewayRefusalError)
    assert start() == start()
    assert len(paypal.orders) == 1


@pytest.mark.parametrize("cents", [1, 5, 99, 100, 101, 110, 11781, 100000, 123456789])
def test_amounts_are_exact(paypal: PayPalServer, cents: int) -> None:
    reference = gateway.start(wanted(amount_cents=cents)).reference
    assert gateway.fetch(reference).amount_cents == cents
    paypal.approve(reference)
    assert gateway.capture(reference, key=KEY).amount_cents == cents


def test_other_currencies_are_refused(paypal: PayPalServer) -> None:
    with pytest.raises(GatewayRefusalError):
        gateway.start(wanted(currency="jpy"))
    assert paypal.requests == []


def test_what_paypal_refuses_can_be_paid_otherwise(paypal: PayPalServer, order: Order) -> None:
    update_total(order)
    paypal_api.call("GET", "/v2/checkout/orders/none")
    paypal.fail_with = (400, 1)
    assert press_pay(order, method="paypal").status_code == 503
    assert (status_of(order), Payment.objects.get().status) == ("pending", "failed")
    assert press_pay(order, method="test").status_code == 302


def test_one_token_serves_many_calls(paypal: PayPalServer) -> None:
    for _ in range(3):
        gateway.fetch(start())
    assert asked(paypal, "/v1/oauth2/token") == 1


def test_a_token_that_is_refused_is_replaced_once(paypal: PayPalServer) -> None:
    reference = start()
    paypal.tokens.clear()
    assert gateway.fetch(reference).state == State.OPEN
    assert asked(paypal, "/v1/oauth2/token") == 2


def test_wrong_credentials_do_not_loop(paypal: PayPalServer, settings: Any) -> None:
    settings.PAYPAL_CLIENT_SECRET = "wrong"
    with pytest.raises(GatewayRefusalError):
        start()
    assert asked(paypal, "/v1/oauth2/token") == 1


def test_a_token_is_kept_shorter_than_it_lives(paypal: PayPalServer) -> None:
    paypal.token_seconds = 100
    reference = start()
    gateway.fetch(reference)
    assert asked(paypal, "/v1/oauth2/token") == 2
    paypal.token_seconds = 3600
    gateway.fetch(reference)
    seconds = Redis.from_url(str(settings.CACHES["default"]["LOCATION"])).ttl(cache.make_key(paypal_api._cache_key()))
    assert 0 < int(seconds) <= 3480


def test_other_credentials_use_another_token(paypal: PayPalServer, settings: Any) -> None:
    start()
    key = paypal_api._cache_key()
    settings.PAYPAL_CLIENT_ID = "another"
    assert paypal_api._cache_key() != key


@pytest.mark.parametrize("status", [302, 408, 409, 429, 500, 502, 503])
def test_what_may_pass_is_tried_again(paypal: PayPalServer, status: int) -> None:
    reference = start()
    paypal.fail_with = (status, 1)
    with pytest.raises(GatewayError) as raised:
        gateway.fetch(reference)
    assert not isinstance(raised.value, GatewayRefusalError)
    assert gateway.fetch(reference).state == State.OPEN


def test_a_slow_answer_is_given_up(paypal: PayPalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    reference = start()
    monkeypatch.setattr(http, "DEADLINE_SECONDS", 0.1)
    paypal.delay_seconds = 3600
    with pytest.raises(GatewayError):
        gateway.fetch(reference)


def test_a_long_answer_is_given_up(paypal: PayPalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    reference = start()
    monkeypatch.setattr(http, "MAX_ANSWER_BYTES", 100)
    with pytest.raises(GatewayError):
        gateway.fetch(reference)


def test_nobody_there(paypal: PayPalServer, settings: Any) -> None:
    settings.PAYPAL_API_URL = f"http://127.0.0.1:{free_port('127.0.0.1', 0)}"
    with pytest.raises(GatewayError):
        start()


def test_logs_have_no_secrets(paypal: PayPalServer, caplog: pytest.LogCaptureFixture) -> None:
    reference = start()
    paypal.fail_with = (400, 1)
    with pytest.raises(GatewayRefusalError):
        gateway.fetch(reference)
    paypal.drop_answers = 1
    with pytest.raises(GatewayError):
        gateway.fetch(reference)
    told = "".join(str(record.__dict__) for record in caplog.records)
    assert "a payment provider refused" in told
    for secret in ("hush", *paypal.tokens):
        assert secret not in told


def test_the_sandbox_moves_no_money(settings: Any) -> None:
    settings.PAYPAL_API_URL = "https://api-m.sandbox.paypal.com"
    assert gateway.is_test
    settings.PAYPAL_API_URL = "https://api-m.paypal.com"
    assert not gateway.is_test


def test_events_are_read_by_the_service(paypal: PayPalServer, paypal_payment: Payment) -> None:
    paypal.approve(reference_of(paypal_payment))
    body, headers = paypal.event_for(reference_of(paypal_payment), "CHECKOUT.ORDER.APPROVED")
    events.receive_event("paypal", body=body, headers=headers)
    assert status_of(paypal_payment.order) == "paid"
