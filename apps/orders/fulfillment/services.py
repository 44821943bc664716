"""Deliver paid lines, one transaction per line so that each is delivered exactly once, and withdraw them."""

import logging

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from apps.core.errors import DomainError, ServiceUnavailable, TooManyRequests
from apps.orders.checkout.reservations import release_spots
from apps.orders.fulfillment import emails, refunds
from apps.orders.models import Order, OrderLine, Payment
from apps.orders.products.delivery import CannotWithdraw
from apps.orders.products.registry import kind_of
from apps.orders.staff_review import ask_for_review

logger = logging.getLogger(__name__)

Status = OrderLine.Status
ATTEMPTS_BEFORE_REVIEW = 5


def fulfill_order(order_id: int) -> None:
    """Deliver every undelivered line of a paid order. Safe to repeat and to run concurrently.

    A line that can never be delivered is marked failed and its refund is requested. A line with an unexpected error
    stays unchanged for the next attempt.
    """
    lines = OrderLine.objects.filter(order_id=order_id, status=Status.PENDING).order_by("position")
    for line_id in lines.values_list("id", flat=True):
        try:
            fulfill_line(line_id)
        except Exception:
            logger.exception("a paid line could not be delivered yet", extra={"line": line_id})
            _count_attempt(line_id)


def fulfill_line(line_id: int) -> None:
    """Deliver one line, or mark it failed with the reason and request its refund."""
    try:
        with transaction.atomic():
            line = _lock(line_id)
            if line is not None:
                kind_of(line.product).deliver(line)
                line.move_to(Status.FULFILLED, fulfilled_at=timezone.now())
                release_spots([line])
    except (ServiceUnavailable, TooManyRequests):
        # These errors are temporary and say nothing about the line.
        raise
    except DomainError as error:
        fail_line(line_id, error.detail)


def _lock(line_id: int) -> OrderLine | None:
    """Return the line with its order, both locked. None when there is nothing to deliver."""
    order_id = OrderLine.objects.values_list("order_id", flat=True).get(pk=line_id)
    order: Order = Order.objects.select_for_update().get(pk=order_id)
    lines = OrderLine.objects.select_related("order__account", "order__site")
    line = lines.select_for_update(of=("self",)).get(pk=line_id)
    is_due = order.status in Order.DELIVERABLE and line.status == Status.PENDING
    return line if is_due else None


@transaction.atomic
def fail_line(line_id: int, reason: str) -> None:
    """Give up a paid, undelivered line, and request its refund: at most what is left of the payment."""
    line = _lock(line_id)
    if line is None:
        return
    line.move_to(Status.FAILED, failure=reason[:300])
    release_spots([line])
    payment = line.order.payments.get(status=Payment.Status.PAID)
    amount_cents = refunds.amount_of(line, payment=payment)
    refunds.request_refund(payment=payment, amount_cents=amount_cents, reason=reason, line=line)
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
    """Withdraw a delivered line. The caller locks order and line.

    Withdraws placements whose weeks are all in the future, sections that nothing else unlocks, a future launch, whose
    listing becomes a draft again, and the upgrade of a live listing, which stays live on the free plan. Doing it twice
    is a no-op. Raises CannotWithdraw (409) with a sentence. Then nothing changes.
    """
    if line.status == Status.WITHDRAWN:
        return
    if line.status != Status.FULFILLED:
        raise CannotWithdraw(f"{line.title} is {line.status} and wasn't delivered, so it can't be withdrawn.")
    kind_of(line.product).take_back(line)
    line.move_to(Status.WITHDRAWN)
    emails.email_line_withdrawn(line)
    logger.info("a delivered line was taken back", extra={"line": line.pk})
