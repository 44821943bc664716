"""Accept or refund payments that don't match their order, after review by a site admin."""

import logging

from django.db import transaction
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.core.delay_on_commit import delay_on_commit
from apps.core.errors import Conflict
from apps.core.templatetags.ui import money
from apps.orders.fulfillment import refunds, services
from apps.orders.models import Order, OrderLine, Payment
from apps.orders.payments.confirm import ask_provider, mark_paid, reopen_order
from apps.orders.providers import RemotePayment, RemoteState
from apps.orders.staff_review import check_staff, end_review
from apps.orders.tax import location_evidence

logger = logging.getLogger(__name__)

REASON = "Refunded by a site admin."
Paid = Payment.Status


class NotInReview(Conflict):
    code = "not_in_review"
    title = "Nothing to review"


class CannotAccept(Conflict):
    code = "cannot_accept"
    title = "Payment can't be accepted"


def accept_payment(*, payment: Payment, by: Actor) -> Order:
    """Accept a payment in review for the order, whatever its amount, and deliver. Returns the order.

    Raises NotInReview, CannotAccept (409), Forbidden (403) and GatewayError (503). Not inside a transaction.
    """
    check_staff(by)
    remote = ask_provider(payment)
    with transaction.atomic():
        order, payment = _lock(payment)
        if remote.state != RemoteState.PAID:
            raise CannotAccept("The provider no longer has this money.")
        if (remote.returned_cents or 0) >= remote.amount_cents:
            raise CannotAccept("The provider refunded this payment.")
        if remote.currency != order.currency:
            raise CannotAccept(f"The payment is in {remote.currency}. You can only refund it.")
        if order.status not in Order.PAYABLE | {Order.Status.EXPIRED}:
            raise CannotAccept(f"The order is {order.status}. You can only refund the payment.")
        location_evidence.add_payer_country(order, remote.country)
        mark_paid(order, payment, amount_cents=remote.amount_cents)
        end_review(order)
    logger.info("a payment in review was accepted", extra={"payment": payment.pk, "by": by.account.pk})
    return order


def refund_payment(*, payment: Payment, by: Actor) -> Order:
    """Refund whatever the provider has of a payment in review. The order can be paid again until it expires.

    Raises NotInReview (409), Forbidden (403) and GatewayError (503). Not inside a transaction.
    """
    check_staff(by)
    remote = ask_provider(payment)
    with transaction.atomic():
        order, payment = _lock(payment)
        payment.move_to(Paid.SURPLUS, settled_at=timezone.now())
        _send_back(payment, remote)
        reopen_order(order)
        end_review(order)
    logger.info("a payment in review was sent back", extra={"payment": payment.pk, "by": by.account.pk})
    return order


def accept_order(*, order: Order, by: Actor) -> None:
    """Accept the order's payments in review. If there are none, resume its delivery.

    Raises what `accept_payment` does.
    """
    check_staff(by)
    payments = _in_review(order)
    for payment in payments:
        accept_payment(payment=payment, by=by)
    if not payments:
        _deliver_again(order)


def refund_order(*, order: Order, by: Actor) -> None:
    """Refund the order's payments in review. If there are none, refund undelivered lines.

    Raises what `refund_payment` does.
    """
    check_staff(by)
    payments = _in_review(order)
    for payment in payments:
        refund_payment(payment=payment, by=by)
    if not payments:
        for line_id in order.lines.filter(status=OrderLine.Status.PENDING).values_list("id", flat=True):
            services.fail_line(line_id, REASON)
        with transaction.atomic():
            order = Order.objects.select_for_update().get(pk=order.pk)
            end_review(order)
            delay_on_commit("apps.orders.tasks.make_refunds", order.pk)
    logger.info("an order in review was sent back", extra={"order": order.number, "by": by.account.pk})


def retry_delivery(*, order: Order, by: Actor) -> None:
    """Retry the undelivered lines of a paid order from the beginning.

    Raises Forbidden (403) and NotInReview (409) if there are none.
    """
    check_staff(by)
    if problem := why_not_deliver(order):
        raise NotInReview(problem)
    _deliver_again(order)
    logger.info("a delivery was taken up again", extra={"order": order.number, "by": by.account.pk})


# ---- what pages say before a decision ----
def why_not_decide(row: Order | Payment) -> str:
    """Return why no decision about an order's or a payment's money is possible, as a sentence, or an empty string."""
    if isinstance(row, Payment):
        is_open = row.status == Paid.NEEDS_REVIEW
        return "" if is_open else f"The payment is {row.get_status_display().lower()} and needs no review."
    is_open = row.needs_review or row.payments.filter(status=Paid.NEEDS_REVIEW).exists()
    return "" if is_open else f"Order {row.number} needs no review."


def why_not_deliver(order: Order) -> str:
    """Return why no delivery can be resumed, as a sentence, or an empty string."""
    if order.status not in Order.DELIVERABLE:
        return f"The order is {order.get_status_display().lower()}. There is nothing to deliver."
    if not order.lines.filter(status=OrderLine.Status.PENDING).exists():
        return "No line is waiting for delivery."
    return ""


def effects_of_accepting(row: Order | Payment) -> list[str]:
    """Return the effects of accepting, one sentence each."""
    effects = [
        f"{_said(payment)} It becomes the payment of order {payment.order.number} over "
        f"{money(payment.order.total_cents)}, which is then paid, invoiced and delivered."
        for payment in _payments_of(row)
    ]
    if isinstance(row, Order) and not effects:
        lines = row.lines.filter(status=OrderLine.Status.PENDING)
        effects = [f"{line.title}, {money(line.total_cents)}, is delivered." for line in lines]
        effects.append("The review of the order ends.")
    return effects


def effects_of_sending_back(row: Order | Payment) -> list[str]:
    """Return the effects of refunding, one sentence each."""
    effects = [f"{_said(payment)} Everything the provider received is refunded." for payment in _payments_of(row)]
    if isinstance(row, Order) and not effects:
        lines = row.lines.filter(status=OrderLine.Status.PENDING)
        effects = [f"{line.title} is canceled, and {money(line.total_cents)} is refunded." for line in lines]
        effects.append("The review of the order ends. Delivered lines stay.")
    return effects


def _payments_of(row: Order | Payment) -> list[Payment]:
    if isinstance(row, Payment):
        return [row] if row.status == Paid.NEEDS_REVIEW else []
    return list(row.payments.filter(status=Paid.NEEDS_REVIEW).select_related("order"))


def _said(payment: Payment) -> str:
    return f"Payment {payment.pk} ({payment.provider}): {payment.problem or 'needs review.'}"


def _deliver_again(order: Order) -> None:
    with transaction.atomic():
        order = Order.objects.select_for_update().get(pk=order.pk)
        order.lines.filter(status=OrderLine.Status.PENDING).update(attempts=0)
        end_review(order)
        delay_on_commit("apps.orders.tasks.fulfill_order", order.pk)


def _in_review(order: Order) -> list[Payment]:
    payments = list(order.payments.filter(status=Paid.NEEDS_REVIEW))
    if not payments and not order.needs_review:
        raise NotInReview(f"Order {order.number} needs no review.")
    return payments


def _lock(payment: Payment) -> tuple[Order, Payment]:
    """Lock order and payment in the same order as settling. Raises NotInReview (409)."""
    order: Order = Order.objects.select_for_update().get(pk=payment.order_id)
    payment = Payment.objects.select_for_update().get(pk=payment.pk)
    if payment.status != Paid.NEEDS_REVIEW:
        raise NotInReview(f"The payment is {payment.status} and needs no review.")
    return order, payment


def _send_back(payment: Payment, remote: RemotePayment) -> None:
    if remote.state != RemoteState.PAID:
        return
    payment.amount_cents, payment.currency = remote.amount_cents, remote.currency
    payment.save(update_fields=["amount_cents", "currency"])
    still_there = remote.amount_cents - (remote.returned_cents or 0)
    refunds.request_refund(payment=payment, amount_cents=still_there, reason=REASON)
    delay_on_commit("apps.orders.tasks.make_refunds", payment.order_id)
