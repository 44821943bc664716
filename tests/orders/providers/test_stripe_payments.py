"""Orders that are paid through Stripe, by its messages, without them and against them."""

import json
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from apps.core.models import OutgoingEmail
from apps.listings.models import Listing
from apps.orders.checkout.billing import PaymentOpen
from apps.orders.fulfillment import refunds
from apps.orders.models import Invoice, Order, Payment, PaymentEvent, Refund, SellerSettings
from apps.orders.payments import manual_review, start
from apps.orders.payments.confirm import confirm_payment
from apps.orders.providers import GatewayError
from tests.api import ApiClient
from tests.factories import UserFactory
from tests.orders.actors import by_staff
from tests.orders.carts import check_out, launch, press_pay, update_total
from tests.providers.stripe_server import StripeServer
from tests.racing import run_at_once

pytestmark = pytest.mark.db

WEBHOOK = "/webhooks/stripe"
COMPLETED = "checkout.session.completed"


@pytest.fixture
def order(owner: ApiClient, listing: Listing, seller: SellerSettings, stripe: StripeServer) -> Order:
    built = check_out(owner, launch(listing))
    assert update_total(built).status_code == 302
    return built


@pytest.fixture
def reference(order: Order, stripe: StripeServer) -> str:
    """The session of a payment that was started."""
    answer = press_pay(order, method="stripe")
    assert answer.status_code == 302, answer.content.decode()
    payment = order.payments.get()
    assert answer["Location"] == payment.pay_url == stripe.sessions[str(payment.reference)]["url"]
    return str(payment.reference)


@pytest.fixture
def paid(order: Order, reference: str, stripe: StripeServer) -> str:
    """The session of a payment that was made and told of."""
    stripe.pay(reference)
    assert send(*stripe.event_for(reference, COMPLETED)) == 204
    assert status_of(order) == "paid"
    return reference


def send(body: bytes, headers: dict[str, str]) -> int:
    content_type = headers["Content-Type"]
    return int(Client().post(WEBHOOK, body, content_type=content_type, headers=headers).status_code)


def tell(stripe: StripeServer, reference: str, kind: str) -> None:
    assert send(*stripe.event_for(reference, kind)) == 204


def status_of(order: Order) -> str:
    order.refresh_from_db()
    return order.status


def end_review(order: Order) -> None:
    Order.objects.filter(pk=order.pk).update(needs_review=False, review_reason="")


# ---- the way it should go ----


def test_a_payment_is_told_by_the_webhook(order: Order, paid: str) -> None:
    payment = order.payments.get()
    assert (payment.status, payment.is_test, payment.amount_cents) == ("paid", False, 11781)
    assert Invoice.objects.get(order=order).total_cents == 11781
    assert {"kind": "payer", "country": "DE"} in order.evidence
    assert not order.needs_review


def test_a_payment_is_found_out_on_the_return(
    client: Client, order: Order, reference: str, stripe: StripeServer
) -> None:
    client.get(f"/checkout/{order.secret}")
    assert status_of(order) == "processing"
    stripe.pay(reference)
    with time_machine.travel(timezone.now() + start.POLLED_AGAIN):
        client.get(f"/checkout/{order.secret}")
    assert status_of(order) == "paid"


def test_the_same_event_again_and_again(order: Order, paid: str, stripe: StripeServer) -> None:
    event = stripe.event_for(paid, COMPLETED)
    assert [send(*event) for _ in range(3)] == [204, 204, 204]
    assert (PaymentEvent.objects.count(), Payment.objects.count(), Invoice.objects.count()) == (2, 1, 1)


def test_events_out_of_order(order: Order, reference: str, stripe: StripeServer) -> None:
    early = stripe.event_for(reference, "checkout.session.async_payment_failed")
    expired = stripe.event_for(reference, "checkout.session.expired")
    stripe.pay(reference)
    tell(stripe, reference, COMPLETED)
    assert [send(*early), send(*expired)] == [204, 204]
    assert (status_of(order), order.needs_review) == ("paid", False)


# ---- the way to the provider ----


def test_an_event_before_our_note_of_the_session(order: Order, reference: str, stripe: StripeServer) -> None:
    Payment.objects.update(reference=None, status="starting", pay_url="")
    stripe.pay(reference)
    tell(stripe, reference, COMPLETED)
    assert (status_of(order), order.payments.get().reference) == ("paid", reference)


def test_an_event_of_an_attempt_that_was_given_up(order: Order, reference: str, stripe: StripeServer) -> None:
    Payment.objects.update(reference=None, status="failed", pay_url="")
    Order.objects.update(status="pending")
    stripe.pay(reference)
    tell(stripe, reference, COMPLETED)
    assert status_of(order) == "paid"


def test_a_payment_that_stripe_refuses_can_be_made_again(order: Order, stripe: StripeServer) -> None:
    stripe.fail_with = (400, 1)
    assert press_pay(order, method="stripe").status_code == 503
    assert (status_of(order), order.payments.get().status) == ("pending", "failed")
    assert press_pay(order, method="stripe").status_code == 302


@pytest.mark.slow
def test_no_answer_begins_no_second_payment(order: Order, stripe: StripeServer) -> None:
    stripe.drop_answers = 2
    assert press_pay(order, method="stripe").status_code == 503
    assert (status_of(order), order.payments.get().status, len(stripe.sessions)) == ("processing", "starting", 1)
    # Pressed again: the first one is found by its key and closed.
    assert press_pay(order, method="stripe").status_code == 302
    assert [session["status"] for session in stripe.sessions.values()] == ["expired", "open"]


@pytest.mark.slow
def test_an_attempt_that_stripe_refuses_in_the_end_is_given_up(order: Order, stripe: StripeServer) -> None:
    stripe.fail_with = (500, 2)
    assert press_pay(order, method="stripe").status_code == 503
    stripe.fail_with = (400, 1)
    assert press_pay(order, method="stripe").status_code == 302
    assert [payment.status for payment in order.payments.order_by("attempt")] == ["failed", "open"]


def test_one_opener_at_a_time(order: Order, reference: str, stripe: StripeServer) -> None:
    Payment.objects.update(reference=None, status="starting", leased_at=timezone.now())
    payment = Payment.objects.select_related("order").get()
    with pytest.raises(PaymentOpen):
        start.open_at_provider(payment)
    assert len(stripe.requests) == 1
    with time_machine.travel(timezone.now() + start.LEASE):
        assert start.open_at_provider(payment).reference == reference


@pytest.mark.django_db(transaction=True)
def test_two_openers_at_once(order: Order, reference: str, stripe: StripeServer) -> None:
    Payment.objects.update(reference=None, status="starting", leased_at=None)
    stripe.delay_seconds = 0.3
    asked = len(stripe.requests)

    def open_it() -> object:
        try:
            return start.open_at_provider(Payment.objects.select_related("order").get()).reference
        except PaymentOpen as error:
            return type(error)

    outcomes = run_at_once(*[open_it] * 4)
    assert set(outcomes) <= {reference, PaymentOpen}
    assert reference in outcomes
    assert len(stripe.requests) == asked + 1


# ---- bank debits ----


def test_a_bank_debit_is_waited_for(order: Order, reference: str, stripe: StripeServer) -> None:
    stripe.promise(reference)
    tell(stripe, reference, COMPLETED)
    assert status_of(order) == "processing"
    stripe.pay(reference)
    tell(stripe, reference, "checkout.session.async_payment_succeeded")
    assert status_of(order) == "paid"


def test_a_bank_debit_that_fails_leaves_the_order_payable(order: Order, reference: str, stripe: StripeServer) -> None:
    stripe.promise(reference)
    tell(stripe, reference, COMPLETED)
    stripe.fail(reference, "The account is closed.")
    tell(stripe, reference, "checkout.session.async_payment_failed")
    payment = order.payments.get()
    assert (status_of(order), payment.status, payment.problem) == ("pending", "failed", "The account is closed.")
    assert press_pay(order, method="stripe").status_code == 302


def test_an_order_waits_for_a_bank_debit(order: Order, reference: str, stripe: StripeServer) -> None:
    stripe.promise(reference)
    Order.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    start.expire_order(order)
    assert status_of(order) == "processing"
    stripe.fail(reference)
    start.expire_order(order)
    assert status_of(order) == "expired"


# ---- money that does not fit ----


@pytest.mark.parametrize(("amount_cents", "currency"), [(11780, None), (11782, None), (11781, "eur"), (1, None)])
def test_another_sum_goes_to_review(
    order: Order, reference: str, stripe: StripeServer, amount_cents: int, currency: str | None
) -> None:
    stripe.pay(reference, amount_cents, currency)
    tell(stripe, reference, COMPLETED)
    assert (status_of(order), order.needs_review) == ("processing", True)
    assert (order.payments.get().status, Refund.objects.exists(), Invoice.objects.exists()) == (
        "needs_review",
        False,
        False,
    )
    came = {None: f"${amount_cents / 100:.2f}", "eur": f"{amount_cents} EUR"}[currency]
    assert f"reports {came}" in order.review_reason
    assert "instead of $117.81" in order.review_reason


def test_site_admins_get_one_email_about_a_review(order: Order, reference: str, stripe: StripeServer) -> None:
    order.site.team_email = "team@example.com"
    order.site.save()
    stripe.pay(reference, 1)
    for kind in (COMPLETED, "charge.refunded"):
        tell(stripe, reference, kind)
    email = OutgoingEmail.objects.get(to="team@example.com")
    assert order.number in email.subject
    assert "$0.01" in email.text
    assert f"/admin/orders/order/{order.pk}/change/" in email.text


def test_late_money_is_taken(order: Order, reference: str, stripe: StripeServer) -> None:
    Order.objects.update(status="expired")
    stripe.pay(reference)
    tell(stripe, reference, COMPLETED)
    assert status_of(order) == "paid"


def test_money_in_the_last_moment_of_an_order(order: Order, reference: str, stripe: StripeServer) -> None:
    stripe.pay(reference)
    Order.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    start.expire_order(order)
    assert status_of(order) == "paid"


def test_a_second_payment_goes_back(order: Order, paid: str, stripe: StripeServer) -> None:
    first = order.payments.get()
    second = Payment.objects.create(
        order=order, attempt=2, provider="stripe", amount_cents=11781, return_url=first.return_url
    )
    start.open_at_provider(second)
    second.refresh_from_db()
    stripe.pay(str(second.reference))
    tell(stripe, str(second.reference), COMPLETED)
    refunds.make_refunds(order.pk)
    second.refresh_from_db()
    assert (second.status, Refund.objects.get().status, status_of(order)) == ("surplus", "done", "paid")
    assert stripe.charge_of(str(second.reference))["amount_refunded"] == 11781
    assert stripe.charge_of(paid)["amount_refunded"] == 0
    tell(stripe, str(second.reference), "charge.refunded")
    assert not Order.objects.get().needs_review


@pytest.mark.parametrize("what", ["refund", "dispute"])
def test_money_that_left_before_we_heard_of_it(order: Order, reference: str, stripe: StripeServer, what: str) -> None:
    stripe.pay(reference)
    getattr(stripe, what)(reference)
    tell(stripe, reference, COMPLETED)
    assert (status_of(order), order.needs_review, order.payments.get().status) == ("processing", True, "needs_review")


@pytest.mark.parametrize("back", [11781, 500])
def test_money_that_went_back_whole_cannot_be_accepted(
    order: Order, reference: str, stripe: StripeServer, back: int
) -> None:
    stripe.pay(reference)
    stripe.refund(reference, back)
    tell(stripe, reference, COMPLETED)
    member = UserFactory.create(is_staff=True)
    if back < 11781:
        assert manual_review.accept_payment(payment=order.payments.get(), by=by_staff(member)).status == "paid"
    else:
        with pytest.raises(manual_review.CannotAccept, match="refunded this payment"):
            manual_review.accept_payment(payment=order.payments.get(), by=by_staff(member))
        assert (status_of(order), order.needs_review) == ("processing", True)


# ---- after payment ----


def test_a_refund_in_the_dashboard_is_told_once(order: Order, paid: str, stripe: StripeServer) -> None:
    stripe.refund(paid, 500)
    tell(stripe, paid, "charge.refunded")
    assert (status_of(order), order.needs_review) == ("paid", True)
    assert "provider refunded $5.00" in order.review_reason
    end_review(order)
    tell(stripe, paid, "refund.updated")
    assert not Order.objects.get().needs_review
    stripe.refund(paid, 200)
    tell(stripe, paid, "charge.refunded")
    assert Order.objects.get().needs_review


def test_our_own_refund_needs_no_look(order: Order, paid: str, stripe: StripeServer) -> None:
    refunds.request_refund(payment=order.payments.get(), amount_cents=500, reason="A test.")
    refunds.make_refunds(order.pk)
    for kind in ("charge.refunded", "refund.updated"):
        tell(stripe, paid, kind)
    assert Refund.objects.get().status == "done"
    assert not Order.objects.get().needs_review


def test_a_refund_that_the_bank_gives_back(order: Order, paid: str, stripe: StripeServer) -> None:
    stripe.refund_status = "pending"
    refunds.request_refund(payment=order.payments.get(), amount_cents=500, reason="A test.")
    refunds.make_refunds(order.pk)
    refund = Refund.objects.get()
    tell(stripe, paid, "refund.updated")
    assert Refund.objects.get().status == "done"
    stripe.fail_refund(refund.reference)
    tell(stripe, paid, "refund.failed")
    order.refresh_from_db()
    assert (Refund.objects.get().status, order.needs_review) == ("failed", True)


def test_a_dispute_is_told_once(order: Order, paid: str, stripe: StripeServer) -> None:
    stripe.dispute(paid)
    tell(stripe, paid, "charge.dispute.created")
    order.refresh_from_db()
    assert (order.status, order.needs_review) == ("paid", True)
    assert "disputes" in order.review_reason
    end_review(order)
    tell(stripe, paid, "charge.dispute.updated")
    assert not Order.objects.get().needs_review


def test_money_that_is_gone_after_it_was_taken(order: Order, paid: str, stripe: StripeServer) -> None:
    stripe.fail(paid, "The debit was taken back.")
    tell(stripe, paid, "checkout.session.async_payment_failed")
    order.refresh_from_db()
    assert (order.status, order.needs_review) == ("paid", True)
    assert "The debit was taken back." in order.review_reason


# ---- the webhook ----


def test_forged_events_change_nothing(order: Order, reference: str, stripe: StripeServer) -> None:
    assert send(*stripe.forge(reference)) == 400
    assert (status_of(order), PaymentEvent.objects.exists()) == ("processing", False)


def test_a_true_event_of_an_unpaid_session_changes_nothing(order: Order, reference: str, stripe: StripeServer) -> None:
    tell(stripe, reference, COMPLETED)
    assert status_of(order) == "processing"


@pytest.mark.parametrize("name", ["STRIPE_WEBHOOK_SECRET", "STRIPE_SECRET_KEY"])
def test_without_a_secret_there_is_no_webhook(
    order: Order, reference: str, stripe: StripeServer, settings: Any, name: str
) -> None:
    event = stripe.event_for(reference, COMPLETED)
    setattr(settings, name, "")
    assert send(*event) == 404


def test_a_huge_body_is_refused_unread(db: None, stripe: StripeServer) -> None:
    body = b"{" + b" " * 300_000
    assert send(body, stripe.sign(body)) == 413


def test_another_program_of_the_same_account_names_its_payments_as_it_likes(
    order: Order, paid: str, stripe: StripeServer
) -> None:
    body, _ = stripe.event_for(paid, "charge.refunded")
    event = json.loads(body)
    event["id"], event["data"]["object"]["metadata"] = "evt_other", {"payment": "x" * 500}
    body = json.dumps(event).encode()
    assert send(body, stripe.sign(body)) == 204
    assert PaymentEvent.objects.get(event_id="evt_other").processed_at


@pytest.mark.slow
def test_stripe_is_out_while_it_tells(order: Order, reference: str, stripe: StripeServer) -> None:
    stripe.pay(reference)
    event = stripe.event_for(reference, COMPLETED)
    stripe.fail_with = (503, 2)
    assert send(*event) == 503
    assert (status_of(order), PaymentEvent.objects.get().processed_at) == ("processing", None)
    assert send(*event) == 204
    assert (status_of(order), PaymentEvent.objects.get().processed_at is None) == ("paid", False)


def test_a_provider_that_was_switched_off_cannot_be_asked(order: Order, reference: str, settings: Any) -> None:
    settings.STRIPE_SECRET_KEY = ""
    with pytest.raises(GatewayError):
        confirm_payment(order.payments.get().pk)
