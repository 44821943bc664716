"""Sending money back: whole orders, single lines, what is left, and what providers answer."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.core.errors import Forbidden
from apps.core.models import OutgoingEmail
from apps.core.text.dates import moment_text
from apps.listings.models import Listing
from apps.orders import tasks
from apps.orders.fulfillment import refunds, services
from apps.orders.fulfillment.refund_lines import refund_lines
from apps.orders.fulfillment.refunds import CannotRefund
from apps.orders.models import (
    GatewaySession,
    Invoice,
    Order,
    OrderLine,
    Payment,
    Placement,
    Product,
    Refund,
    SellerSettings,
)
from apps.orders.products.delivery import CannotWithdraw
from apps.orders.providers import GatewayError, GatewayRefusalError
from apps.orders.providers.sandbox import TestGateway
from tests.api import ApiClient
from tests.browsing import signed_in
from tests.factories import ListingFactory, UserFactory
from tests.orders.actors import by_owner, by_staff
from tests.orders.carts import check_out, launch, pay, week
from tests.racing import run_at_once

pytestmark = pytest.mark.db

REASON = "You asked us to."


@pytest.fixture
def member(db: None) -> User:
    """A site admin."""
    return UserFactory.create(is_staff=True)


@pytest.fixture
def order(owner: ApiClient, listing: Listing, seller: SellerSettings) -> Order:
    """Paid and delivered: a launch, and a newsletter slot in three weeks."""
    slot = {"product": "newsletter_slot", "listing_id": listing.pk, "options": {"weeks": [week(3)]}}
    order = pay(check_out(owner, launch(listing), slot))
    tasks.fulfill_order(order.pk)
    assert set(order.lines.values_list("status", flat=True)) == {"fulfilled"}
    return order


def refund(order: Order, member: User, *products: str, withdraw: bool = False) -> list[Refund]:
    lines = list(order.lines.filter(product__in=products) if products else order.lines.all())
    return refund_lines(order=order, lines=lines, reason=REASON, withdraw=withdraw, by=by_staff(member))


def returned(order: Order) -> list[int]:
    """What the provider has sent back."""
    return sorted(GatewaySession.objects.get(order_number=order.number).refunds.values())


def status(order: Order) -> str:
    order.refresh_from_db()
    return order.status


def test_a_free_line_that_waits_is_delivered_though_the_rest_went_back(
    owner: ApiClient, listing: Listing, member: User
) -> None:
    Product.objects.filter(name="newsletter_slot").update(price_cents=0)
    slot = {"product": "newsletter_slot", "listing_id": listing.pk, "weeks": [week(3)]}
    order = pay(check_out(owner, launch(listing), slot))
    refund(order, member, "launch")
    refunds.make_refunds(order.pk)
    assert status(order) == "partially_refunded"
    services.fulfill_order(order.pk)
    assert list(order.lines.values_list("status", flat=True)) == ["failed", "fulfilled"]


def test_a_whole_order_goes_back_line_by_line(order: Order, member: User) -> None:
    made = refund(order, member)
    assert [(one.status, one.requested_by, one.reason) for one in made] == [("requested", member, REASON)] * 2
    assert sum(one.amount_cents for one in made) == order.total_cents
    tasks.make_refunds(order.pk)
    assert (status(order), sum(returned(order))) == ("refunded", order.total_cents)
    assert set(order.lines.values_list("status", flat=True)) == {"fulfilled"}
    notes = Invoice.objects.filter(order=order, kind="credit_note")
    assert sum(note.total_cents for note in notes) == order.total_cents
    assert {note.refund for note in notes} == set(made)


def test_a_line_goes_back_alone(order: Order, member: User) -> None:
    (made,) = refund(order, member, "newsletter_slot", withdraw=True)
    tasks.make_refunds(order.pk)
    line = order.lines.get(product="newsletter_slot")
    assert (status(order), line.status, returned(order)) == ("partially_refunded", "withdrawn", [line.total_cents])
    assert not Placement.objects.exists()
    assert Invoice.objects.get(kind="credit_note").refund == made
    OrderLine.objects.update(fulfilled_at=timezone.now() - timedelta(days=40))
    html = signed_in(order.account).get(f"/orders/{order.number}").content.decode()
    assert f'Reversed</span><span class="soft tiny">{moment_text(made.created_at)}' in html
    refund(order, member)
    tasks.make_refunds(order.pk)
    assert (status(order), sum(returned(order))) == ("refunded", order.total_cents)


def test_what_cannot_be_taken_back_keeps_everything(order: Order, member: User) -> None:
    with pytest.raises(CannotWithdraw):
        refund(order, member, withdraw=True)
    assert not Refund.objects.exists()
    assert set(order.lines.values_list("status", flat=True)) == {"fulfilled"}
    assert Placement.objects.count() == 1


def test_an_undelivered_line_is_given_up(owner: ApiClient, listing: Listing, member: User) -> None:
    order = pay(check_out(owner, launch(listing)))
    refund(order, member)
    line = OrderLine.objects.get()
    assert (line.status, line.failure) == ("failed", REASON)
    tasks.fulfill_order(order.pk)
    listing.refresh_from_db()
    assert (status(order), listing.status) == ("refunded", "draft")


def test_a_line_goes_back_once(order: Order, member: User) -> None:
    refund(order, member, "launch")
    with pytest.raises(CannotRefund, match="already"):
        refund(order, member, "launch")
    refund(order, member)
    with pytest.raises(CannotRefund, match="already"):
        refund(order, member)
    assert Refund.objects.count() == 2


def test_lines_of_another_order_are_refused(order: Order, owner: ApiClient, member: User) -> None:
    other = pay(check_out(owner, launch(ListingFactory.create(company__owner=owner.user))))
    lines = [*order.lines.all(), *other.lines.all()]
    with pytest.raises(CannotRefund, match="another order"):
        refund_lines(order=order, lines=lines, reason=REASON, withdraw=False, by=by_staff(member))
    assert not Refund.objects.exists()


@pytest.mark.parametrize("wrong", ["pending", "processing", "expired", "cancelled", "refunded"])
def test_an_order_without_money_has_nothing_to_send_back(order: Order, member: User, wrong: str) -> None:
    Order.objects.update(status=wrong)
    with pytest.raises(CannotRefund):
        refund(order, member)
    assert not Refund.objects.exists()


def test_only_site_admins_refund(order: Order, member: User) -> None:
    with pytest.raises(Forbidden):
        refund(order, order.account)
    (made,) = refund(order, member, "launch")
    refunds.note_failed(made)
    with pytest.raises(Forbidden):
        refunds.retry_refund(refund=made, by=by_owner(order.account))
    assert Refund.objects.get().status == "failed"


@pytest.mark.parametrize(("paid", "amounts"), [(-5000, "what is left"), (0, "each its own"), (700, "the rest too")])
def test_never_more_than_was_paid_and_never_less(order: Order, member: User, paid: int, amounts: str) -> None:
    """An accepted payment may come to another sum than its order."""
    Payment.objects.update(amount_cents=order.total_cents + paid)
    GatewaySession.objects.update(amount_cents=order.total_cents + paid)
    refund(order, member, "launch")
    refund(order, member)
    tasks.make_refunds(order.pk)
    assert (status(order), sum(returned(order))) == ("refunded", order.total_cents + paid), amounts


@pytest.mark.django_db(transaction=True)
def test_two_members_at_once_refund_once(order: Order, member: User) -> None:
    outcomes = run_at_once(*[lambda: refund(order, member)] * 2)
    tasks.make_refunds(order.pk)
    assert (outcomes.count("cannot_refund"), Refund.objects.count(), sum(returned(order))) == (1, 2, order.total_cents)


def refuse(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def answer(*_: object, **__: object) -> str:
        raise error

    monkeypatch.setattr(TestGateway, "refund", answer)


def test_a_refusal_is_final_and_alerts_site_admins(order: Order, member: User, monkeypatch: pytest.MonkeyPatch) -> None:
    (made,) = refund(order, member, "launch")
    with monkeypatch.context() as broken:
        refuse(broken, GatewayRefusalError("The card is closed."))
        tasks.make_refunds(order.pk)
        tasks.make_refunds(order.pk)
    made.refresh_from_db()
    assert (made.status, made.problem, made.done_at) == ("failed", "The card is closed.", None)
    assert status(order) == "paid"
    assert order.needs_review
    assert "The card is closed." in order.review_reason
    assert not Invoice.objects.filter(kind="credit_note").exists()
    assert OutgoingEmail.objects.filter(to=member.email).count() == 1
    refunds.retry_refund(refund=made, by=by_staff(member))
    tasks.make_refunds(order.pk)
    made.refresh_from_db()
    assert (made.status, made.attempt, made.problem) == ("done", 2, "")
    assert (status(order), order.needs_review, order.review_reason) == ("partially_refunded", False, "")
    assert list(GatewaySession.objects.get().refunds) == [f"refund-{made.pk}-2"]


def test_no_answer_is_tried_again_with_the_same_key(
    order: Order, member: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    (made,) = refund(order, member, "launch")
    with monkeypatch.context() as broken:
        refuse(broken, GatewayError("No answer."))
        tasks.make_refunds(order.pk)
    made.refresh_from_db()
    assert (made.status, made.problem, status(order), order.needs_review) == ("requested", "No answer.", "paid", False)
    tasks.make_refunds(order.pk)
    assert list(GatewaySession.objects.get().refunds) == [f"refund-{made.pk}-1"]


def test_a_bank_gives_it_back_days_later(order: Order, member: User) -> None:
    refund(order, member)
    tasks.make_refunds(order.pk)
    assert status(order) == "refunded"
    first, second = Refund.objects.order_by("pk")
    for one in (first, second, first):
        refunds.note_failed(one)
    assert set(Refund.objects.values_list("status", flat=True)) == {"failed"}
    order.refresh_from_db()
    assert order.needs_review
    for one in (first, second):
        refunds.retry_refund(refund=one, by=by_staff(member))
        tasks.make_refunds(order.pk)
    assert (status(order), order.needs_review) == ("refunded", False)
    # What was credited stays credited, once.
    assert Invoice.objects.filter(kind="credit_note").count() == 2


def test_late_news_of_an_earlier_try_change_nothing(order: Order, member: User) -> None:
    (made,) = refund(order, member, "launch")
    tasks.make_refunds(order.pk)
    made.refresh_from_db()
    refunds.note_failed(made)
    again = Refund.objects.get()
    refunds.retry_refund(refund=again, by=by_staff(member))
    refunds.note_failed(made)
    assert Refund.objects.get().status == "requested"


@pytest.mark.parametrize("wrong", ["requested", "done"])
def test_only_a_failed_refund_is_tried_again(order: Order, member: User, wrong: str) -> None:
    (made,) = refund(order, member, "launch")
    Refund.objects.update(status=wrong)
    with pytest.raises(CannotRefund):
        refunds.retry_refund(refund=made, by=by_staff(member))
    made.refresh_from_db()
    assert (made.status, made.attempt) == (wrong, 1)


def test_a_failed_refund_is_not_tried_when_the_money_went_another_way(order: Order, member: User) -> None:
    (made,) = refund(order, member, "launch")
    refunds.note_failed(made)
    payment = Payment.objects.get()
    Refund.objects.create(payment=payment, amount_cents=payment.amount_cents, reason="In the dashboard.", status="done")
    with pytest.raises(CannotRefund, match="less is left"):
        refunds.retry_refund(refund=made, by=by_staff(member))


def test_the_last_line_leaves_what_a_failed_refund_owes(order: Order, member: User) -> None:
    (first,) = refund(order, member, "launch")
    refunds.note_failed(first)
    (second,) = refund(order, member, "newsletter_slot")
    assert second.amount_cents == order.lines.get(product="newsletter_slot").total_cents
    refunds.retry_refund(refund=first, by=by_staff(member))
    tasks.make_refunds(order.pk)
    assert (status(order), sum(returned(order))) == ("refunded", order.total_cents)


def test_the_buyer_is_told_of_money_without_a_credit_note(order: Order) -> None:
    payment = Payment.objects.get()
    Payment.objects.update(status="surplus")
    refunds.request_refund(payment=payment, amount_cents=1234, reason="Paid twice.")
    for _ in range(2):
        tasks.make_refunds(order.pk)
    email = OutgoingEmail.objects.get(key__startswith="refund-")
    assert (email.to, email.subject) == (order.account.email, f"Refund of $12.34 for order {order.number}")
    assert "Paid twice." in email.text
    assert order.secret not in email.text


def test_the_buyer_of_a_credited_refund_gets_no_second_email(order: Order, member: User) -> None:
    refund(order, member, "launch")
    tasks.make_refunds(order.pk)
    assert Invoice.objects.filter(kind="credit_note").exists()
    assert not OutgoingEmail.objects.filter(key__startswith="refund-").exists()


def test_another_currency_is_called_by_its_name(order: Order) -> None:
    payment: Any = Payment.objects.get()
    Payment.objects.update(status="surplus", currency="eur")
    refunds.request_refund(payment=payment, amount_cents=5005, reason="Paid in euros.")
    tasks.make_refunds(order.pk)
    assert OutgoingEmail.objects.get(key__startswith="refund-").subject.startswith("Refund of 50.05 EUR")
