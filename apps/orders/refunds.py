"""Sending money back, once for each reason."""

import logging

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from apps.orders.models import Order, OrderLine, Payment, Refund
from apps.orders.payments import GatewayError, gateway_of

logger = logging.getLogger(__name__)

Status = Refund.Status


def request_refund(*, payment: Payment, amount_cents: int, reason: str, line: OrderLine | None = None) -> None:
    """Note that money has to go back, in the caller's transaction; for one line, or one whole payment, once."""
    if amount_cents > 0:
        Refund.objects.get_or_create(
            payment=payment, line=line, defaults={"amount_cents": amount_cents, "reason": reason[:300]}
        )


def left_of(payment: Payment) -> int:
    """What of a payment is not sent back or about to be, in cents."""
    gone = payment.refunds.exclude(status=Status.FAILED).aggregate(sum=Sum("amount_cents"))["sum"] or 0
    return payment.amount_cents - gone


def make_refunds(order_id: int) -> None:
    """Send back everything that is requested for an order. What a provider refuses stays requested."""
    wanted = Refund.objects.filter(payment__order_id=order_id, status=Status.REQUESTED).order_by("id")
    for refund_id in wanted.values_list("id", flat=True):
        make_refund(refund_id)


def make_refund(refund_id: int) -> None:
    """Send one refund; the provider's key makes a second try harmless. Must not run inside a transaction."""
    refund = Refund.objects.select_related("payment").get(pk=refund_id)
    gateway = gateway_of(refund.payment.provider)
    if refund.status != Status.REQUESTED:
        return
    try:
        if gateway is None or refund.payment.reference is None:
            raise GatewayError("The payment's provider cannot be asked.")
        reference = gateway.refund(
            refund.payment.reference, amount_cents=refund.amount_cents, currency=refund.payment.currency, key=refund.key
        )
    except GatewayError as error:
        Refund.objects.filter(pk=refund_id).update(problem=error.detail[:300])
        logger.exception("a refund could not be made", extra={"refund": refund_id})
        return
    _note_done(refund_id, reference)


@transaction.atomic
def _note_done(refund_id: int, reference: str) -> None:
    order_id = Refund.objects.values_list("payment__order_id", flat=True).get(pk=refund_id)
    order: Order = Order.objects.select_for_update().get(pk=order_id)
    refund = Refund.objects.select_for_update().select_related("payment").get(pk=refund_id)
    if refund.status == Status.DONE:
        return
    refund.status, refund.reference, refund.problem = Status.DONE, reference[:120], ""
    refund.done_at = timezone.now()
    refund.save()
    if refund.payment.status == Payment.Status.PAID:
        order.move_to(_status_after(order, refund.payment))
        order.save(update_fields=["status"])


def _status_after(order: Order, payment: Payment) -> str:
    returned = payment.refunds.filter(status=Status.DONE).aggregate(sum=Sum("amount_cents"))["sum"] or 0
    whole = returned >= payment.amount_cents
    return Order.Status.REFUNDED if whole else Order.Status.PARTIALLY_REFUNDED
