"""Payments that need a review, and what site admins can do about them."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import User
from apps.core.errors import Conflict, Forbidden
from apps.listings.models import Listing
from apps.orders import tasks
from apps.orders.fulfillment import refunds, services
from apps.orders.models import GatewaySession, Order, OrderLine, Payment, Refund, SellerSettings
from apps.orders.payments import manual_review, start
from apps.orders.payments.confirm import confirm_payment
from apps.orders.products.kinds import launch as launch_kind
from apps.orders.providers import GatewayError
from apps.orders.providers import sandbox as gateway
from tests.api import ApiClient
from tests.factories import UserFactory
from tests.orders.actors import by_owner, by_staff
from tests.orders.carts import check_out, launch, pay, start_paying

pytestmark = pytest.mark.db

ACCEPT, REFUND = "accept_as_it_is", "refund_payment"


@pytest.fixture
def member(db: None) -> User:
    """A site admin."""
    return UserFactory.create(is_staff=True, is_superuser=True)


@pytest.fixture
def order(owner: ApiClient, listing: Listing, seller: SellerSettings) -> Order:
    return check_out(owner, launch(listing))


def pay_wrongly(order: Order, **session: Any) -> Payment:
    """Let another sum than the order's arrive."""
    reference = start_paying(order).rsplit("/", 1)[1]
    GatewaySession.objects.filter(reference=reference).update(**session or {"amount_cents": 5000})
    gateway.answer(reference, GatewaySession.State.PAID)
    payment = Payment.objects.get(reference=reference)
    confirm_payment(payment.pk)
    payment.refresh_from_db()
    assert payment.status == "needs_review"
    return payment


def act(member: User, model: str, action: str, pk: int) -> list[str]:
    """Choose an action in the admin's list; returns what it says."""
    team = Client()
    team.force_login(member)
    form = {"action": action, "_selected_action": [pk], "confirmed": "yes"}
    answer = team.post(reverse(f"admin:orders_{model}_changelist"), form, follow=True)
    assert answer.status_code == 200
    return [str(message) for message in answer.context["messages"]]


def state(order: Order) -> tuple[str, bool]:
    order.refresh_from_db()
    return order.status, order.needs_review


@pytest.mark.parametrize("model", ["payment", "order"])
def test_accepting_delivers(order: Order, member: User, listing: Listing, model: str) -> None:
    payment = pay_wrongly(order)
    assert act(member, model, ACCEPT, payment.pk if model == "payment" else order.pk) == ["Accepted: 1."]
    payment.refresh_from_db()
    assert (*state(order), payment.status, payment.amount_cents) == ("paid", False, "paid", 5000)
    tasks.fulfill_order(order.pk)
    listing.refresh_from_db()
    assert listing.status == "live"


@pytest.mark.parametrize("model", ["payment", "order"])
def test_refunding_sends_back_what_arrived(order: Order, member: User, model: str) -> None:
    payment = pay_wrongly(order)
    assert act(member, model, REFUND, payment.pk if model == "payment" else order.pk) == ["Refunded: 1."]
    payment.refresh_from_db()
    assert (*state(order), payment.status) == ("pending", False, "surplus")
    refunds.make_refunds(order.pk)
    assert list(GatewaySession.objects.get().refunds.values()) == [5000]
    assert pay(order).status == "paid"


def test_the_delivery_and_the_refund_are_started(
    order: Order, member: User, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    started: list[str] = []
    monkeypatch.setattr(tasks.fulfill_order, "delay", lambda _: started.append("deliver"))
    monkeypatch.setattr(tasks.make_refunds, "delay", lambda _: started.append("refund"))
    with django_capture_on_commit_callbacks(execute=True):
        manual_review.refund_payment(payment=pay_wrongly(order), by=by_staff(member))
        manual_review.accept_payment(payment=pay_wrongly(order), by=by_staff(member))
    assert started == ["refund", "deliver"]


def test_what_a_line_gets_back_is_at_most_what_arrived(order: Order, member: User, listing: Listing) -> None:
    manual_review.accept_payment(payment=pay_wrongly(order), by=by_staff(member))
    listing.delete()
    tasks.fulfill_order(order.pk)
    assert (Refund.objects.get().amount_cents, Refund.objects.get().status) == (5000, "done")
    assert state(order) == ("refunded", False)
    invoice, credit_note = order.invoices.order_by("kind").reverse()
    assert (credit_note.net_cents, credit_note.vat_cents) == (invoice.net_cents, invoice.vat_cents)


def test_all_that_arrived_goes_back_when_nothing_can_be_delivered(order: Order, member: User, listing: Listing) -> None:
    manual_review.accept_payment(payment=pay_wrongly(order, amount_cents=20000), by=by_staff(member))
    listing.delete()
    tasks.fulfill_order(order.pk)
    assert (Refund.objects.get().amount_cents, Refund.objects.get().status) == (20000, "done")
    assert state(order) == ("refunded", False)


def test_the_history_says_who(order: Order, member: User) -> None:
    payment = pay_wrongly(order)
    act(member, "payment", REFUND, payment.pk)
    assert Refund.objects.get().reason == manual_review.REASON
    team = Client()
    team.force_login(member)
    page = team.get(reverse("admin:orders_payment_history", args=[payment.pk])).content.decode()
    assert "Refund payment" in page


def test_money_in_another_currency_can_only_go_back(order: Order, member: User) -> None:
    payment = pay_wrongly(order, currency="eur")
    with pytest.raises(Conflict, match="eur"):
        manual_review.accept_payment(payment=payment, by=by_staff(member))
    assert state(order) == ("processing", True)
    manual_review.refund_payment(payment=payment, by=by_staff(member))
    payment.refresh_from_db()
    assert (payment.currency, state(order)) == ("eur", ("pending", False))


def test_what_the_provider_no_longer_has_is_not_sent_again(order: Order, member: User) -> None:
    payment = pay_wrongly(order)
    GatewaySession.objects.update(state="cancelled")
    with pytest.raises(Conflict):
        manual_review.accept_payment(payment=payment, by=by_staff(member))
    manual_review.refund_payment(payment=payment, by=by_staff(member))
    assert (state(order), Refund.objects.exists()) == (("pending", False), False)


@pytest.mark.parametrize("status", ["cancelled", "refunded"])
def test_an_order_that_is_over_takes_no_money(order: Order, member: User, status: str) -> None:
    payment = pay_wrongly(order)
    Order.objects.update(status=status)
    with pytest.raises(Conflict):
        manual_review.accept_payment(payment=payment, by=by_staff(member))
    manual_review.refund_payment(payment=payment, by=by_staff(member))
    assert state(order) == (status, False)


def test_one_payment_in_review_keeps_the_order_there(order: Order, member: User) -> None:
    first = pay_wrongly(order)
    Order.objects.update(needs_review=False)
    Payment.objects.update(status="failed")
    order.refresh_from_db()
    Order.objects.update(status="pending")
    second = pay_wrongly(order)
    Payment.objects.filter(pk=first.pk).update(status="needs_review")
    manual_review.refund_payment(payment=second, by=by_staff(member))
    assert state(order) == ("pending", True)
    manual_review.refund_payment(payment=first, by=by_staff(member))
    assert state(order) == ("pending", False)


@pytest.mark.parametrize("action", [manual_review.accept_payment, manual_review.refund_payment])
def test_nothing_happens_to_a_payment_that_needs_no_look(order: Order, member: User, action: Any) -> None:
    pay(order)
    with pytest.raises(Conflict):
        action(payment=Payment.objects.get(), by=by_staff(member))
    assert (state(order), Refund.objects.exists()) == (("paid", False), False)


@pytest.mark.parametrize("action", [manual_review.accept_payment, manual_review.refund_payment])
def test_only_site_admins_decide(order: Order, action: Any) -> None:
    with pytest.raises(Forbidden):
        action(payment=pay_wrongly(order), by=by_owner(order.account))
    assert state(order) == ("processing", True)


def test_the_actions_need_the_permission_to_change(order: Order) -> None:
    payment = pay_wrongly(order)
    member = UserFactory.create(is_staff=True)
    member.user_permissions.add(*_permissions("view_payment"))
    act(member, "payment", ACCEPT, payment.pk)
    assert state(order) == ("processing", True)
    member.user_permissions.add(*_permissions("change_payment"))
    act(member, "payment", ACCEPT, payment.pk)
    assert state(order) == ("paid", False)


def _permissions(codename: str) -> Any:
    from django.contrib.auth.models import Permission

    return Permission.objects.filter(codename=codename)


def test_a_provider_that_does_not_answer_changes_nothing(order: Order, member: User, settings: Any) -> None:
    payment = pay_wrongly(order)
    settings.TEST_GATEWAY = False
    with pytest.raises(GatewayError):
        manual_review.refund_payment(payment=payment, by=by_staff(member))
    assert "not set up" in act(member, "payment", REFUND, payment.pk)[0]
    assert state(order) == ("processing", True)


@pytest.fixture
def stuck(order: Order, monkeypatch: pytest.MonkeyPatch) -> Order:
    """A paid order that could not be delivered five times."""

    def crash(**_: object) -> None:
        raise RuntimeError("the disk is full")

    pay(order)
    with monkeypatch.context() as broken:
        broken.setattr(launch_kind, "launch_paid", crash)
        for _ in range(services.ATTEMPTS_BEFORE_REVIEW):
            tasks.fulfill_order(order.pk)
    assert state(order) == ("paid", True)
    return order


def test_accepting_a_stuck_order_tries_again(stuck: Order, member: User) -> None:
    assert act(member, "order", ACCEPT, stuck.pk) == ["Accepted: 1."]
    assert (state(stuck), OrderLine.objects.get().attempts) == (("paid", False), 0)
    tasks.fulfill_order(stuck.pk)
    assert OrderLine.objects.get().status == "fulfilled"


def test_refunding_a_stuck_order_gives_up_its_lines(stuck: Order, member: User) -> None:
    assert act(member, "order", REFUND, stuck.pk) == ["Refunded: 1."]
    refunds.make_refunds(stuck.pk)
    assert (state(stuck), OrderLine.objects.get().status) == (("refunded", False), "failed")
    assert list(GatewaySession.objects.get().refunds.values()) == [11781]


def test_an_order_in_order_is_left_alone(order: Order, member: User) -> None:
    for action in (ACCEPT, REFUND):
        assert "needs no review" in act(member, "order", action, order.pk)[0]
    assert state(order) == ("pending", False)


def test_a_refunded_order_past_its_time_expires(order: Order, member: User) -> None:
    manual_review.refund_payment(payment=pay_wrongly(order), by=by_staff(member))
    Order.objects.update(expires_at=timezone.now())
    start.expire_order(order)
    assert state(order) == ("expired", False)
