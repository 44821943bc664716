"""Refund lines on a site admin's decision: end their delivery and request the refund."""

import logging
from collections.abc import Collection, Sequence

from django.db import transaction

from apps.accounts.actors import Actor
from apps.core.delay_on_commit import delay_on_commit
from apps.orders.checkout.reservations import release_spots
from apps.orders.fulfillment.refunds import CannotRefund, line_amounts, why_not_refund
from apps.orders.fulfillment.services import withdraw_line
from apps.orders.models import Order, OrderLine, Payment, Refund
from apps.orders.staff_review import check_staff

logger = logging.getLogger(__name__)

Line = OrderLine.Status


@transaction.atomic
def refund_lines(*, order: Order, lines: Sequence[OrderLine], reason: str, withdraw: bool, by: Actor) -> list[Refund]:
    """Request a refund of lines. For the whole order, lines that already have a refund stay unchanged.

    An undelivered line is given up. A delivered one is withdrawn if `withdraw` is set. Never refunds more than is left
    of the payment: an overpayment goes with the last line. Raises Forbidden (403), CannotRefund and CannotWithdraw
    (409). Then nothing changes.
    """
    check_staff(by)
    order = Order.objects.select_for_update().get(pk=order.pk)
    if problem := why_not_refund(order):
        raise CannotRefund(problem)
    payment = Payment.objects.select_for_update().get(order=order, status=Payment.Status.PAID)
    chosen = _lock_lines(order, {line.pk for line in lines})
    for line in chosen:
        _end_delivery(line, reason, withdraw=withdraw)
    made = [
        Refund.objects.create(
            payment=payment, line=line, amount_cents=amount_cents, reason=reason[:300], requested_by=by.user
        )
        for line, amount_cents in line_amounts(order, payment, chosen)
    ]
    delay_on_commit("apps.orders.tasks.make_refunds", order.pk)
    logger.info(
        "lines are refunded", extra={"order": order.number, "refunds": [one.pk for one in made], "by": by.account.pk}
    )
    return made


def _lock_lines(order: Order, wanted: Collection[int]) -> list[OrderLine]:
    lines = list(order.lines.select_for_update(of=("self",)).filter(pk__in=wanted, refund=None).order_by("pk"))
    if not lines:
        raise CannotRefund("These lines already have refunds.")
    if order.lines.filter(pk__in=wanted).count() < len(wanted):
        raise CannotRefund("Some lines belong to another order.")
    return sorted(lines, key=lambda line: line.position)


def _end_delivery(line: OrderLine, reason: str, *, withdraw: bool) -> None:
    if line.status == Line.PENDING:
        line.move_to(Line.FAILED, failure=reason[:300])
        release_spots([line])
    elif line.status == Line.FULFILLED and withdraw:
        withdraw_line(line)
