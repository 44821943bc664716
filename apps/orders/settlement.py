"""The truth about payments: one function that acts on what the provider says when asked."""

import logging
from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone

from apps.core.errors import NotFound
from apps.core.waking import wake_after_commit
from apps.orders import promos, refunds, tasks
from apps.orders.models import Order, Payment, PaymentEvent
from apps.orders.payments import GatewayError, RemotePayment, RemoteState, gateway_of

logger = logging.getLogger(__name__)

Status = Order.Status
Paid = Payment.Status


def receive_event(provider: str, *, body: bytes, headers: Mapping[str, str]) -> None:
    """Take a provider's message: verify it, note it once, and settle the payment that it names.

    Raises NotFound (404) for a provider that is not set up and WrongSignature (400). An error in settling
    leaves the message unprocessed, so that the provider's next try does it again.
    """
    gateway = gateway_of(provider)
    if gateway is None or not gateway.takes_money:
        raise NotFound("There is nothing at this address.")
    event = gateway.parse_event(body, headers)
    row, _ = PaymentEvent.objects.get_or_create(
        provider=provider, event_id=event.id, defaults={"kind": event.kind, "reference": event.reference}
    )
    if row.processed_at:
        return
    payment = Payment.objects.filter(provider=provider, reference=event.reference).first()
    if payment is None:
        # It may be faster than our note of the reference; the sweep polls every payment that was started.
        logger.warning("an event of no known payment", extra={"provider": provider, "reference": event.reference})
    else:
        settle(payment.pk)
    PaymentEvent.objects.filter(pk=row.pk).update(processed_at=timezone.now())


def settle(payment_id: int) -> Order:
    """Bring a payment and its order to what the provider says now; any number of times, from anywhere.

    Webhook, return of the person, poll and expiry all end here. Raises GatewayError (503) when the provider
    cannot be asked. Must not run inside a transaction.
    """
    payment = Payment.objects.get(pk=payment_id)
    remote = ask_provider(payment)
    with transaction.atomic():
        # Always the order first: two payments of one order are decided one after the other.
        order: Order = Order.objects.select_for_update().get(pk=payment.order_id)
        payment = Payment.objects.select_for_update().get(pk=payment_id)
        if remote.state == RemoteState.PAID:
            _take_money(order, payment, remote)
        elif remote.state == RemoteState.FAILED:
            _note_failure(order, payment, remote)
    return order


def ask_provider(payment: Payment) -> RemotePayment:
    """The payment as its provider has it now; raises GatewayError (503). Must not run inside a transaction."""
    gateway = gateway_of(payment.provider)
    if gateway is None or payment.reference is None:
        raise GatewayError("The payment's provider cannot be asked.")
    return gateway.fetch(payment.reference)


def _take_money(order: Order, payment: Payment, remote: RemotePayment) -> None:
    if payment.status in {Paid.PAID, Paid.SURPLUS, Paid.NEEDS_REVIEW}:
        return
    payment.settled_at = timezone.now()
    if (remote.amount_cents, remote.currency) != (payment.amount_cents, payment.currency):
        _ask_for_review(order, payment, f"The provider reports {remote.amount_cents} {remote.currency}.")
    elif order.status not in Order.PAYABLE | {Status.EXPIRED}:
        payment.move_to(Paid.SURPLUS)
        payment.save()
        refunds.request_refund(payment=payment, amount_cents=payment.amount_cents, reason="Paid once too often.")
        wake_after_commit(tasks.make_refunds, order.pk)
    elif payment.amount_cents != order.total_cents:
        _ask_for_review(order, payment, f"The order comes to {order.total_cents} now.")
    else:
        mark_paid(order, payment)


def mark_paid(order: Order, payment: Payment) -> None:
    """Take a payment for the order's and have it delivered; both are locked by the caller."""
    payment.move_to(Paid.PAID)
    payment.save()
    if order.status == Status.PENDING:
        order.move_to(Status.PROCESSING)
    if order.status == Status.EXPIRED:
        _hold_again(order)
    order.move_to(Status.PAID)
    order.paid_at = timezone.now()
    order.save()
    promos.consume_use(order)
    logger.info("order paid", extra={"order": order.number, "provider": payment.provider})
    wake_after_commit(tasks.fulfil_order, order.pk)


def _hold_again(order: Order) -> None:
    """Late money: the price with the code was agreed, so the order keeps it even when the code is used up."""
    try:
        promos.hold_use(order)
    except promos.PromoRefused:
        logger.warning("late money for an order whose promo code is used up", extra={"order": order.number})


def _ask_for_review(order: Order, payment: Payment, problem: str) -> None:
    payment.move_to(Paid.NEEDS_REVIEW)
    payment.problem = problem
    payment.save()
    order.needs_review = True
    order.save(update_fields=["needs_review"])
    logger.error("a payment needs review", extra={"order": order.number, "payment": payment.pk, "problem": problem})


def _note_failure(order: Order, payment: Payment, remote: RemotePayment) -> None:
    if payment.status not in Payment.UNSETTLED:
        return
    payment.move_to(Paid.FAILED)
    payment.problem = remote.note[:300]
    payment.settled_at = timezone.now()
    payment.save()
    still_open = order.payments.filter(status__in=Payment.UNSETTLED).exists()
    if order.status == Status.PROCESSING and not still_open:
        order.move_to(Status.PENDING)
        order.save(update_fields=["status"])
