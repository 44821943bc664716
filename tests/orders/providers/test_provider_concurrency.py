"""Requests that call payment providers hold few threads, however slow a provider is."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import timedelta
from threading import Event
from typing import Any

import pytest
from django.conf import settings as configured
from django.db import connections
from django.test import Client
from django.utils import timezone

from apps.listings.models import Listing
from apps.orders.models import Order, Payment, SellerSettings
from apps.orders.payments import start
from apps.orders.payments.confirm import ask_provider
from apps.orders.providers import concurrency
from apps.orders.providers import paypal as paypal_adapter
from apps.orders.providers.concurrency import AT_ONCE, ProvidersBusyError, provider_slot
from apps.orders.providers.stripe import StripeGateway
from tests.api import ApiClient
from tests.orders.carts import check_out, launch, press_pay, update_total
from tests.orders.provider_payments import send, start_payment
from tests.providers.paypal_server import PayPalServer
from tests.providers.stripe_server import StripeServer
from tests.waiting import PATIENCE_SECONDS, wait_for


@pytest.fixture
def order(owner: ApiClient, listing: Listing, seller: SellerSettings, stripe: StripeServer) -> Order:
    return check_out(owner, launch(listing))


@pytest.fixture
def no_slot(monkeypatch: pytest.MonkeyPatch) -> Iterator[ExitStack]:
    """All slots are taken until this is closed."""
    monkeypatch.setattr(concurrency, "WAIT_SECONDS", 0)
    with ExitStack() as taken:
        yield taken


def take_all(taken: ExitStack) -> None:
    for _ in range(AT_ONCE):
        taken.enter_context(provider_slot())


def test_slots_leave_threads_of_every_lane() -> None:
    for lane in ("reads", "changes", "tools"):
        assert configured.WEB_THREADS[lane] > AT_ONCE
    assert paypal_adapter.MAX_VERIFIED_AT_ONCE < AT_ONCE


def test_a_page_does_not_wait_for_a_slot(
    order: Order, no_slot: ExitStack, stripe: StripeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    payment = start_payment(order, method="stripe")
    stripe.pay(str(payment.reference))
    take_all(no_slot)
    assert "You started a payment" in Client().get(f"/checkout/{order.secret}").content.decode()
    payment.refresh_from_db()
    assert (payment.status, payment.polled_at) == ("open", None)
    no_slot.close()
    Client().get(f"/checkout/{order.secret}")
    payment.refresh_from_db()
    assert payment.status == "paid"


@pytest.mark.slow
def test_a_payment_is_asked_about_once_in_a_while(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    payment = start_payment(order, method="stripe")
    asked: list[str] = []
    fetch = StripeGateway.fetch

    def count(self: StripeGateway, reference: str) -> Any:
        asked.append(reference)
        return fetch(self, reference)

    monkeypatch.setattr(StripeGateway, "fetch", count)
    for _ in range(3):
        Client().get(f"/checkout/{order.secret}")
    assert len(asked) == 1
    Payment.objects.filter(pk=payment.pk).update(polled_at=timezone.now() - start.POLLED_AGAIN - timedelta(seconds=1))
    Client().get(f"/checkout/{order.secret}")
    assert len(asked) == 2


@pytest.mark.slow
def test_paying_without_a_slot_says_when_to_try_again(order: Order, no_slot: ExitStack) -> None:
    assert update_total(order).status_code == 302
    take_all(no_slot)
    answer = press_pay(order, method="stripe")
    assert (answer.status_code, answer["Retry-After"]) == (503, "30")
    assert 'role="alert"' in answer.content.decode()
    order.refresh_from_db()
    assert (order.status, [payment.status for payment in order.payments.all()]) == ("pending", ["failed"])
    no_slot.close()
    assert press_pay(order, method="stripe").status_code == 302


def test_what_closes_or_decides_a_payment_needs_a_slot(order: Order, no_slot: ExitStack) -> None:
    payment = start_payment(order, method="stripe")
    take_all(no_slot)
    with pytest.raises(ProvidersBusyError):
        start.close_open_payments(order)
    with pytest.raises(ProvidersBusyError):
        ask_provider(payment)
    answer = press_pay(order, method="stripe")
    assert (answer.status_code, answer["Retry-After"]) == (503, "30")


def test_a_message_without_a_slot_is_to_be_sent_again(
    order: Order, no_slot: ExitStack, stripe: StripeServer, paypal: PayPalServer
) -> None:
    payment = start_payment(order, method="stripe")
    stripe.pay(str(payment.reference))
    event = stripe.event_for(str(payment.reference), "checkout.session.completed")
    take_all(no_slot)
    assert send("stripe", event) == 503
    no_slot.close()
    assert send("stripe", event) == 204
    payment.refresh_from_db()
    assert payment.status == "paid"


@pytest.mark.slow
def test_every_slot_is_given_back(order: Order, stripe: StripeServer, settings: Any) -> None:
    payment = start_payment(order, method="stripe")
    settings.STRIPE_API_URL = "http://127.0.0.1:9"
    Client().get(f"/checkout/{order.secret}")
    assert press_pay(order, method="stripe").status_code == 503
    assert send("stripe", (b"{}", {})) == 400
    with ExitStack() as taken:
        take_all(taken)
    assert payment.status == "open"


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_reloads_at_a_hanging_provider_leave_threads_free(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    start_payment(order, method="stripe")
    goes_on, asked = Event(), []

    def hang(self: StripeGateway, reference: str) -> Any:
        asked.append(reference)
        goes_on.wait(PATIENCE_SECONDS)
        raise ProvidersBusyError("It hung.")

    monkeypatch.setattr(StripeGateway, "fetch", hang)
    monkeypatch.setattr(start, "POLLED_AGAIN", timedelta(0))

    def load(path: str) -> int:
        try:
            return Client().get(path).status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(configured.WEB_THREADS["reads"]) as lane:
        reloads = [lane.submit(load, f"/checkout/{order.secret}") for _ in range(3 * lane._max_workers)]
        try:
            assert lane.submit(load, "/healthz").result(PATIENCE_SECONDS) == 200
            wait_for(lambda: len(asked) == AT_ONCE)
        finally:
            goes_on.set()
        assert {reload.result(PATIENCE_SECONDS) for reload in reloads} == {200}
