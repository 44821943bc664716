"""Confirm payments: the one function that acts on the provider's state of a payment."""

import logging
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.core.delay_on_commit import delay_on_commit
from apps.orders.checkout.reservations import keep_spots, release_spots
from apps.orders.checkout.validation import CannotDeliver, check_deliverable
from apps.orders.fulfillment import refunds
from apps.orders.invoices import issuing
from apps.orders.models import Order, Payment
from apps.orders.payments import mismatch
from apps.orders.payments.mismatch import amount_text
from apps.orders.pricing import promos
from apps.orders.providers import Gateway, GatewayError, RemotePayment, RemoteState, gateway_of
from apps.orders.providers.concurrency import provider_slot
from apps.orders.tax import location_evidence

logger = logging.getLogger(__name__)

Status = Order.Status
Paid = Payment.Status
_TAKEN = frozenset({Paid.PAID, Paid.SURPLUS})


def confirm_payment(payment_id: int, *, is_closing: bool = False) -> Order:
    """Bring a payment and its order to the provider's current state. Safe to repeat, from anywhere.

    Webhook, the person's return, poll and expiry all call this. `is_closing` first closes what is still open at the
    provider. Raises GatewayError (503) when the provider can't be reached. Must not run inside a transaction.
    """
    payment = Payment.objects.select_related("order").get(pk=payment_id)
    was_taken = payment.status in _TAKEN
    remote = _close(payment) if is_closing else _fetch_or_capture(payment)
    with transaction.atomic():
        # Always the order first: two payments of one order are decided one after the other.
        order: Order = Order.objects.select_for_update().get(pk=payment.order_id)
        payment = Payment.objects.select_for_update().get(pk=payment_id)
        if payment.status in _TAKEN:
            # Somebody else may have taken the money since the provider was asked. Then its response is outdated.
            if was_taken:
                mismatch.check_confirmed(order=order, payment=payment, remote=remote)
        elif remote.state == RemoteState.PAID:
            _take_money(order, payment, remote)
        elif remote.state == RemoteState.FAILED:
            _note_failure(order, payment, remote)
    return order


def ask_provider(payment: Payment) -> RemotePayment:
    """Return the payment's current state at the provider, for manual decisions.

    Raises GatewayError or ProvidersBusyError (503). Must not run inside a transaction.
    """
    gateway, reference = _at_provider(payment)
    with provider_slot():
        return gateway.fetch(reference)


def _fetch_or_capture(payment: Payment) -> RemotePayment:
    """Return the payment's state, after capturing an approved payment of an order that waits for it.

    If something is no longer available, it is not captured: the approval counts as failed, and its money is never
    taken.
    """
    gateway, reference = _at_provider(payment)
    remote = gateway.fetch(reference)
    is_wanted = payment.status in Payment.UNSETTLED and payment.order.is_payable
    if remote.state == RemoteState.APPROVED and is_wanted:
        try:
            check_deliverable(payment.order)
        except CannotDeliver as error:
            return replace(remote, state=RemoteState.FAILED, note=error.detail)
        return gateway.capture(reference, key=payment.key)
    return remote


def _close(payment: Payment) -> RemotePayment:
    gateway, reference = _at_provider(payment)
    return gateway.expire(reference)


def _at_provider(payment: Payment) -> tuple[Gateway, str]:
    gateway = gateway_of(payment.provider)
    if gateway is None or payment.reference is None:
        raise GatewayError("The payment provider is not set up.")
    return gateway, payment.reference


def _take_money(order: Order, payment: Payment, remote: RemotePayment) -> None:
    if payment.status == Paid.NEEDS_REVIEW:
        return
    if problem := _mismatch_of(order, payment, remote):
        mismatch.keep_for_review(order=order, payment=payment, problem=problem)
    elif not _takes_money(order):
        payment.move_to(Paid.SURPLUS, settled_at=timezone.now())
        refunds.request_refund(payment=payment, amount_cents=payment.amount_cents, reason="Paid twice.")
        delay_on_commit("apps.orders.tasks.make_refunds", order.pk)
    else:
        location_evidence.add_payer_country(order, remote.country)
        mark_paid(order, payment, settled_at=timezone.now())


def _takes_money(order: Order) -> bool:
    """Return whether money can still belong to the order. Late money can, unless it was paid otherwise."""
    return order.status in Order.PAYABLE | {Status.EXPIRED}


def _mismatch_of(order: Order, payment: Payment, remote: RemotePayment) -> str:
    """Return what is wrong with a received payment, or an empty string."""
    if (remote.amount_cents, remote.currency) != (payment.amount_cents, payment.currency):
        came, wanted = (
            amount_text(remote.amount_cents, remote.currency),
            amount_text(payment.amount_cents, payment.currency),
        )
        return f"The provider reports {came} instead of {wanted}."
    if remote.returned_cents or remote.is_disputed:
        return "The provider already refunded the payment, or the payer disputes it."
    if _takes_money(order) and payment.amount_cents != order.total_cents:
        return (
            f"The order total is now {amount_text(order.total_cents, order.currency)}, which differs from the payment."
        )
    return ""


def mark_paid(order: Order, payment: Payment, **changes: Any) -> None:
    """Assign a changed payment to the order, issue its invoice and have it delivered. The caller locks both."""
    payment.move_to(Paid.PAID, **changes)
    # Spots come before promo codes wherever both are locked.
    keep_spots(order)
    if order.status != Status.PROCESSING:
        _reserve_promo_again(order)
    if order.status == Status.PENDING:
        order.move_to(Status.PROCESSING)
    order.move_to(Status.PAID, paid_at=timezone.now())
    promos.consume_use(order)
    logger.info("order paid", extra={"order": order.number, "provider": payment.provider})
    delay_on_commit("apps.orders.tasks.fulfill_order", order.pk)
    # The last lock of all, because invoices are numbered without gaps and everybody waits for this one.
    issuing.issue_invoice(order=order)


def _reserve_promo_again(order: Order) -> None:
    """Late money: the discounted price was agreed, so the order keeps it even if the code is used up."""
    try:
        promos.reserve_use(order)
    except promos.PromoRefused:
        logger.warning("late money for an order whose promo code is used up", extra={"order": order.number})


def _note_failure(order: Order, payment: Payment, remote: RemotePayment) -> None:
    if payment.status not in Payment.UNSETTLED:
        return
    payment.move_to(Paid.FAILED, problem=remote.note[:300], settled_at=timezone.now())
    reopen_order(order)


def reopen_order(order: Order) -> None:
    """Let an order be paid again and release its spots, unless a payment is open. The caller locks the order."""
    has_open_payment = order.payments.filter(status__in=Payment.UNSETTLED).exists()
    if order.status == Status.PROCESSING and not has_open_payment:
        order.move_to(Status.PENDING)
        release_spots(order.lines.all())
