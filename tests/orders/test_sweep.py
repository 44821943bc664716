"""What was lost on the way is found."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from apps.launches.services import launch_paid
from apps.listings.models import Listing
from apps.orders import fulfilment, paying, sweep, tasks
from apps.orders.models import GatewaySession, Order, Payment, PromoCode, Refund
from apps.orders.payments import GatewayError, GatewayRefusalError, test_gateway
from tests.api import ApiClient
from tests.factories import ListingFactory
from tests.orders.carts import check_out, launch, pay, press_pay, start_paying, update_total


@pytest.fixture
def order(owner: ApiClient, listing: Listing) -> Order:
    return check_out(owner, launch(listing))


def age(order: Order, **ago: float) -> None:
    """Let the order's payments and its own time lie further back."""
    Payment.objects.filter(order=order).update(created_at=timezone.now() - timedelta(**ago))


def overdue(order: Order) -> None:
    Order.objects.filter(pk=order.pk).update(expires_at=timezone.now() - timedelta(seconds=1))


def status_of(order: Order) -> str:
    order.refresh_from_db()
    return order.status


def test_a_payment_nobody_told_of_is_polled_and_delivered(order: Order, listing: Listing) -> None:
    reference = start_paying(order).rsplit("/", 1)[1]
    test_gateway.answer(reference, GatewaySession.State.PAID)
    tasks.sweep_orders()
    assert status_of(order) == "processing"
    age(order, minutes=1)
    tasks.sweep_orders()
    assert status_of(order) == "paid"
    listing.refresh_from_db()
    assert listing.status == "live"


def test_an_order_past_its_time_expires_and_gives_its_code_back(order: Order) -> None:
    PromoCode.objects.create(site=order.site, code="TEN", percent_off=1000, max_uses=1)
    start_paying(order, promo_code="TEN")
    assert PromoCode.objects.get().used == 1
    overdue(order)
    for _ in range(2):
        tasks.sweep_orders()
    assert (status_of(order), GatewaySession.objects.get().state) == ("expired", "expired")
    assert (PromoCode.objects.get().used, order.promo_uses.get().state) == (0, "released")


def test_money_that_came_before_the_expiry_counts(order: Order) -> None:
    reference = start_paying(order).rsplit("/", 1)[1]
    test_gateway.answer(reference, GatewaySession.State.PAID)
    overdue(order)
    tasks.sweep_orders()
    assert status_of(order) == "paid"


def test_an_order_that_nobody_paid_expires(order: Order) -> None:
    overdue(order)
    tasks.sweep_orders()
    assert status_of(order) == "expired"


def test_an_order_in_time_stays(order: Order) -> None:
    tasks.sweep_orders()
    assert status_of(order) == "pending"


def test_what_is_paid_and_undelivered_is_delivered(order: Order, listing: Listing) -> None:
    pay(order)
    assert order.lines.get().status == "pending"
    tasks.sweep_orders()
    assert order.lines.get().status == "fulfilled"


def test_what_is_owed_is_sent_back(order: Order, listing: Listing, settings: Any) -> None:
    pay(order)
    listing.delete()
    settings.TEST_GATEWAY = False
    tasks.sweep_orders()
    assert (Refund.objects.get().status, status_of(order)) == ("requested", "paid")
    Refund.objects.update(tried_at=timezone.now() - timedelta(hours=1))
    settings.TEST_GATEWAY = True
    tasks.sweep_orders()
    assert (Refund.objects.get().status, status_of(order)) == ("done", "refunded")


def test_a_crash_while_starting_goes_on_with_the_same_session(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    """The provider opened the session, and its answer was lost."""
    start = test_gateway.TestGateway.start

    def lost(self: Any, request: Any) -> Any:
        start(self, request)
        raise GatewayError("The connection broke.")

    update_total(order)
    with monkeypatch.context() as broken:
        broken.setattr(test_gateway.TestGateway, "start", lost)
        assert press_pay(order).status_code == 503
    payment = Payment.objects.get()
    assert (status_of(order), payment.status, payment.reference) == ("processing", "starting", None)
    age(order, minutes=1)
    tasks.sweep_orders()
    payment.refresh_from_db()
    assert (payment.status, payment.reference) == ("open", GatewaySession.objects.get().reference)
    Client().post(payment.pay_url, {"action": "pay"})
    assert status_of(order) == "paid"


def test_a_provider_that_refuses_frees_the_order(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Any, request: Any) -> Any:
        raise GatewayRefusalError("Not in this currency.")

    update_total(order)
    with monkeypatch.context() as broken:
        broken.setattr(test_gateway.TestGateway, "start", refuse)
        assert press_pay(order).status_code == 503
    assert (status_of(order), Payment.objects.get().status) == ("pending", "failed")
    assert pay(order).status == "paid"


def test_one_that_fails_keeps_no_other_waiting(owner: ApiClient, order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    other = check_out(owner, launch(ListingFactory.create(company__owner=owner.user)))
    overdue(order)
    overdue(other)
    close = paying.close_open_payments

    def crash(one: Order) -> Order:
        if one.pk == order.pk:
            raise RuntimeError("odd")
        return close(one)

    monkeypatch.setattr(paying, "close_open_payments", crash)
    tasks.sweep_orders()
    assert (status_of(order), status_of(other)) == ("pending", "expired")


@pytest.fixture
def abandoned(order: Order, monkeypatch: pytest.MonkeyPatch) -> list[Payment]:
    """As many payments of a provider that is gone as one sweep looks at."""
    monkeypatch.setattr(sweep, "BATCH", 3)
    return [
        Payment.objects.create(
            order=order, attempt=attempt, provider="gone", reference=f"gone_{attempt}", status="open",
            amount_cents=1, return_url="http://testserver/", created_at=timezone.now() - timedelta(days=9),
        )
        for attempt in range(11, 14)
    ]  # fmt: skip


def another_order(owner: ApiClient) -> Order:
    return check_out(owner, launch(ListingFactory.create(company__owner=owner.user)))


def test_abandoned_payments_never_hide_a_new_one(owner: ApiClient, abandoned: list[Payment]) -> None:
    tasks.sweep_orders()
    Payment.objects.update(polled_at=timezone.now() - timedelta(days=1))
    new = another_order(owner)
    test_gateway.answer(start_paying(new).rsplit("/", 1)[1], GatewaySession.State.PAID)
    age(new, minutes=1)
    tasks.sweep_orders()
    assert status_of(new) == "paid"


def test_an_open_payment_is_asked_about_ever_less_often(
    abandoned: list[Payment], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(sweep, "settle", asked.append)
    one, two, three = (payment.pk for payment in abandoned)
    now = timezone.now()
    Payment.objects.filter(pk=one).update(created_at=now - timedelta(minutes=3), polled_at=now - timedelta(minutes=2))
    Payment.objects.filter(pk=two).update(created_at=now - timedelta(minutes=3), polled_at=now - timedelta(minutes=1))
    Payment.objects.filter(pk=three).update(polled_at=now - timedelta(hours=2))
    tasks.sweep_orders()
    assert asked == [three, one]
    tasks.sweep_orders()
    assert asked == [three, one]


def test_orders_that_cannot_expire_never_hide_another(
    owner: ApiClient, order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "BATCH", 1)
    start_paying(order)
    Payment.objects.update(provider="gone")
    other = another_order(owner)
    Order.objects.filter(pk=order.pk).update(expires_at=timezone.now() - timedelta(days=1))
    overdue(other)
    for _ in range(2):
        tasks.sweep_orders()
    assert (status_of(order), status_of(other)) == ("processing", "expired")


def test_refunds_that_cannot_be_made_never_hide_another(
    owner: ApiClient, order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "BATCH", 1)
    other = another_order(owner)
    for one in (order, other):
        pay(one)
        Listing.objects.filter(order_lines__order=one).delete()
        fulfilment.fulfil_order(one.pk)
    Payment.objects.filter(order=order).update(provider="gone")
    for _ in range(2):
        tasks.sweep_orders()
    assert (status_of(order), status_of(other)) == ("paid", "refunded")


def test_lines_that_cannot_be_delivered_never_hide_another(
    owner: ApiClient, order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "BATCH", 1)
    other = another_order(owner)
    for one in (order, other):
        pay(one)

    def crash(**given: Any) -> Any:
        if given["listing"].pk == order.lines.get().listing_id:
            raise RuntimeError("odd")
        return launch_paid(**given)

    monkeypatch.setattr(fulfilment, "launch_paid", crash)
    for _ in range(2):
        tasks.sweep_orders()
    assert (order.lines.get().status, other.lines.get().status) == ("pending", "fulfilled")
