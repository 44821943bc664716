"""What the site team decides about money that does not fit: take it as it is, or send it back."""

import logging

from django.db import transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.core.errors import Conflict, Forbidden
from apps.core.waking import wake_after_commit
from apps.orders import fulfilment, refunds, tasks
from apps.orders.models import Order, OrderLine, Payment
from apps.orders.payments import RemotePayment, RemoteState
from apps.orders.settlement import ask_provider, mark_paid

logger = logging.getLogger(__name__)

REASON = "Sent back by the site team."
Paid = Payment.Status


class NotInReview(Conflict):
    code = "not_in_review"
    title = "Nothing to decide here"


class CannotAccept(Conflict):
    code = "cannot_accept"
    title = "This payment cannot be taken"


def accept_payment(*, payment: Payment, by: User) -> Order:
    """Take a payment in review for the order's, whatever it comes to, and deliver. Returns the order.

    Raises NotInReview, CannotAccept (409), Forbidden (403) and GatewayError (503). Not inside a transaction.
    """
    _check_member(by)
    remote = ask_provider(payment)
    with transaction.atomic():
        order, payment = _lock(payment)
        if remote.state != RemoteState.PAID:
            raise CannotAccept("The provider no longer has this money.")
        if remote.currency != order.currency:
            raise CannotAccept(f"The money came in {remote.currency}: it can only be sent back.")
        if order.status not in Order.PAYABLE | {Order.Status.EXPIRED}:
            raise CannotAccept(f"The order is {order.status}: the money can only be sent back.")
        payment.amount_cents = remote.amount_cents
        mark_paid(order, payment)
        _end_review(order)
    logger.info("a payment was accepted as it is", extra={"payment": payment.pk, "by": by.pk})
    return order


def refund_payment(*, payment: Payment, by: User) -> Order:
    """Send back whatever the provider has of a payment in review; the order can be paid anew while its time lasts.

    Raises NotInReview (409), Forbidden (403) and GatewayError (503). Not inside a transaction.
    """
    _check_member(by)
    remote = ask_provider(payment)
    with transaction.atomic():
        order, payment = _lock(payment)
        payment.move_to(Paid.SURPLUS)
        payment.settled_at = timezone.now()
        payment.save()
        _send_back(payment, remote)
        still_open = order.payments.filter(status__in=Payment.UNSETTLED).exists()
        if order.status == Order.Status.PROCESSING and not still_open:
            order.move_to(Order.Status.PENDING)
        _end_review(order)
    logger.info("a payment in review was sent back", extra={"payment": payment.pk, "by": by.pk})
    return order


def accept_order(*, order: Order, by: User) -> None:
    """Accept the order's payments in review; where there are none, take up its delivery again.

    Raises what `accept_payment` does.
    """
    _check_member(by)
    payments = _in_review(order)
    for payment in payments:
        accept_payment(payment=payment, by=by)
    if not payments:
        with transaction.atomic():
            order = Order.objects.select_for_update().get(pk=order.pk)
            order.lines.filter(status=OrderLine.Status.PENDING).update(attempts=0)
            _end_review(order)
            wake_after_commit(tasks.fulfil_order, order.pk)


def refund_order(*, order: Order, by: User) -> None:
    """Send back the order's payments in review; where there are none, what was paid for undelivered lines.

    Raises what `refund_payment` does.
    """
    _check_member(by)
    payments = _in_review(order)
    for payment in payments:
        refund_payment(payment=payment, by=by)
    if not payments:
        for line_id in order.lines.filter(status=OrderLine.Status.PENDING).values_list("id", flat=True):
            fulfilment.fail_line(line_id, REASON)
        with transaction.atomic():
            order = Order.objects.select_for_update().get(pk=order.pk)
            _end_review(order)
            wake_after_commit(tasks.make_refunds, order.pk)


def _check_member(by: User) -> None:
    if not by.is_staff:
        raise Forbidden("Only the site team decides about payments.")


def _in_review(order: Order) -> list[Payment]:
    payments = list(order.payments.filter(status=Paid.NEEDS_REVIEW))
    if not payments and not order.needs_review:
        raise NotInReview(f"Order {order.number} needs no look.")
    return payments


def _lock(payment: Payment) -> tuple[Order, Payment]:
    """Order and payment, locked in the order that settling takes; raises NotInReview (409)."""
    order: Order = Order.objects.select_for_update().get(pk=payment.order_id)
    payment = Payment.objects.select_for_update().get(pk=payment.pk)
    if payment.status != Paid.NEEDS_REVIEW:
        raise NotInReview(f"The payment is {payment.status} and needs no look.")
    return order, payment


def _send_back(payment: Payment, remote: RemotePayment) -> None:
    if remote.state != RemoteState.PAID:
        return
    payment.amount_cents, payment.currency = remote.amount_cents, remote.currency
    payment.save(update_fields=["amount_cents", "currency"])
    refunds.request_refund(payment=payment, amount_cents=remote.amount_cents, reason=REASON)
    wake_after_commit(tasks.make_refunds, payment.order_id)


def _end_review(order: Order) -> None:
    order.needs_review = order.payments.filter(status=Paid.NEEDS_REVIEW).exists()
    order.save(update_fields=["status", "needs_review"])
