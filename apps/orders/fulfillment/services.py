"""Deliver paid lines, one transaction per line so that each is delivered exactly once, and withdraw them."""

import logging

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from apps.core.errors import DomainError, ServiceUnavailable, TooManyRequests
from apps.orders.checkout.reservations import release_spots
from apps.orders.fulfillment import emails
from apps.orders.models import Order, OrderLine, Payment
from apps.orders.products.delivery import CannotWithdraw
from apps.orders.products.registry import kind_of
from apps.orders.refunds import services
from apps.orders.staff_review import ask_for_review

logger = logging.getLogger(__name__)

Status = OrderLine.Status
ATTEMPTS_BEFORE_REVIEW = 5


def fulfill_order(order_id: int) -> None:
    """Deliver every line of a paid order that is not delivered yet; any number of times, also at once.

    A line that can never be delivered is marked failed and its money is requested back. A line that meets an
    unexpected error stays as it is for the next try.
    """
    lines = OrderLine.objects.filter(order_id=order_id, status=Status.PENDING).order_by("position")
    for line_id in lines.values_list("id", flat=True):
        try:
            fulfill_line(line_id)
        except Exception:
            logger.exception("a paid line could not be delivered yet", extra={"line": line_id})
            _count_attempt(line_id)


def fulfill_line(line_id: int) -> None:
    """Deliver one line, or mark it failed with the reason and request its money back."""
    try:
        with transaction.atomic():
            line = _lock(line_id)
            if line is not None:
                kind_of(line.product).deliver(line)
                line.move_to(Status.FULFILLED)
                line.fulfilled_at = timezone.now()
                line.save(update_fields=["status", "fulfilled_at"])
                release_spots([line])
    except (ServiceUnavailable, TooManyRequests):
        # These pass; they say nothing about the line.
        raise
    except DomainError as error:
        fail_line(line_id, error.detail)


def _lock(line_id: int) -> OrderLine | None:
    """The line with its order, both locked; None when there is nothing to deliver."""
    order_id = OrderLine.objects.values_list("order_id", flat=True).get(pk=line_id)
    order: Order = Order.objects.select_for_update().get(pk=order_id)
    lines = OrderLine.objects.select_related("order__account", "order__site")
    line = lines.select_for_update(of=("self",)).get(pk=line_id)
    is_due = order.status in Order.DELIVERABLE and line.status == Status.PENDING
    return line if is_due else None


@transaction.atomic
def fail_line(line_id: int, reason: str) -> None:
    """Give up a paid line that is not delivered, and request its money back: at most what is left of the payment."""
    line = _lock(line_id)
    if line is None:
        return
    line.move_to(Status.FAILED)
    line.failure = reason[:300]
    line.save(update_fields=["status", "failure"])
    release_spots([line])
    payment = line.order.payments.get(status=Payment.Status.PAID)
    amount_cents = services.amount_of(line, payment=payment)
    services.request_refund(payment=payment, amount_cents=amount_cents, reason=reason, line=line)
    emails.email_line_failed(line, refund_cents=amount_cents)
    logger.warning("a paid line failed", extra={"line": line_id, "reason": reason})


@transaction.atomic
def _count_attempt(line_id: int) -> None:
    line = _lock(line_id)
    if line is None:
        return
    OrderLine.objects.filter(pk=line_id).update(attempts=F("attempts") + 1)
    if line.attempts + 1 == ATTEMPTS_BEFORE_REVIEW:
        reason = f"Line {line.position} couldn't be delivered after {ATTEMPTS_BEFORE_REVIEW} attempts."
        ask_for_review(order=line.order, reason=reason)


def withdraw_line(line: OrderLine) -> None:
    """Take back what a delivered line gave; order and line are locked by the caller, in whose transaction it is.

    Placements whose weeks have all still to come, sections that nothing else opens, a launch that is still ahead, whose
    listing is a draft again, and the upgrade of a live listing, which stays live on the free plan. Twice is a no-op.
    Raises CannotWithdraw (409) with a sentence; then nothing changes.
    """
    if line.status == Status.WITHDRAWN:
        return
    if line.status != Status.FULFILLED:
        raise CannotWithdraw(f"{line.title} is {line.status} and wasn't delivered, so it can't be withdrawn.")
    kind_of(line.product).take_back(line)
    line.move_to(Status.WITHDRAWN)
    line.save(update_fields=["status"])
    emails.email_line_withdrawn(line)
    logger.info("a delivered line was taken back", extra={"line": line.pk})
