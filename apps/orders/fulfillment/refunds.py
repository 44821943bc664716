"""Refund money, once per reason."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.core.cache import cache
from django.db import transaction
from django.db.models import QuerySet, Sum
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.core.delay_on_commit import delay_on_commit
from apps.core.errors import Conflict
from apps.orders.fulfillment.emails import email_refund
from apps.orders.invoices import issuing
from apps.orders.models import Order, OrderLine, Payment, Refund
from apps.orders.providers import Gateway, GatewayError, GatewayRefusalError, gateway_of
from apps.orders.providers.payout_link import email_payout_link
from apps.orders.staff_review import ask_for_review, check_staff, end_review

logger = logging.getLogger(__name__)

Status = Refund.Status
Line = OrderLine.Status
# Longer than the provider timeout.
LEASE_SECONDS = 60


class CannotRefund(Conflict):
    code = "cannot_refund"
    title = "Refund not possible"


def request_refund(*, payment: Payment, amount_cents: int, reason: str, line: OrderLine | None = None) -> None:
    """Request a refund in the caller's transaction, once for a line or a whole payment."""
    if amount_cents > 0:
        Refund.objects.get_or_create(
            payment=payment, line=line, defaults={"amount_cents": amount_cents, "reason": reason[:300]}
        )


def left_of(payment: Payment) -> int:
    """Return the cents of a payment that are neither refunded nor about to be."""
    return payment.amount_cents - _sum(payment.refunds.exclude(status=Status.FAILED))


def _sum(refunds: QuerySet[Refund]) -> int:
    return int(refunds.aggregate(sum=Sum("amount_cents"))["sum"] or 0)


def amount_of(line: OrderLine, *, payment: Payment) -> int:
    """Return the refund of a line in cents. The last line also gets any overpayment."""
    return sum(amount_cents for _, amount_cents in line_amounts(line.order, payment, [line]))


# ---- decisions of staff ----
def why_not_refund(order: Order) -> str:
    """Return why nothing of an order can be refunded, as a sentence, or an empty string."""
    if order.status not in Order.DELIVERABLE:
        return f"The order is {order.get_status_display().lower()} and has nothing to refund."
    if not refundable_lines(order):
        return "Every line already has a refund."
    return ""


def refundable_lines(order: Order) -> list[OrderLine]:
    """Return the lines without a refund, in order."""
    return list(order.lines.filter(refund=None).order_by("position"))


def line_amounts(order: Order, payment: Payment, lines: Sequence[OrderLine]) -> list[tuple[OrderLine, int]]:
    """Return the refund of each line, without lines that get nothing. Failed refunds keep their amount for a retry."""
    left, owed = left_of(payment), _sum(payment.refunds.filter(status=Status.FAILED))
    is_the_rest = order.lines.filter(refund=None).count() == len(lines)
    amounts: list[tuple[OrderLine, int]] = []
    for line in lines:
        is_last = is_the_rest and line is lines[-1]
        amount_cents = min(line.total_cents, left)
        if is_last:
            amount_cents = max(amount_cents, left - owed)
        left -= amount_cents
        if amount_cents > 0:
            amounts.append((line, amount_cents))
    return amounts


def why_not_retry(refund: Refund) -> str:
    """Return why a refund can't be retried, as a sentence, or an empty string."""
    if refund.status != Status.FAILED:
        return f"The refund is {refund.get_status_display().lower()}. Only failed refunds can be retried."
    if refund.amount_cents > left_of(refund.payment):
        return "The payment was partly refunded elsewhere, so less is left."
    return ""


@transaction.atomic
def retry_refund(*, refund: Refund, by: Actor) -> None:
    """Retry a failed refund under a new key. Raises Forbidden (403) and CannotRefund (409)."""
    check_staff(by)
    order, refund = _lock(refund.pk)
    if problem := why_not_retry(refund):
        raise CannotRefund(problem)
    emptied = {"reference": "", "problem": "", "tried_at": None, "done_at": None}
    refund.move_to(Status.REQUESTED, attempt=refund.attempt + 1, **emptied)
    if not Refund.objects.filter(payment__order=order, status=Status.FAILED).exists():
        end_review(order)
    delay_on_commit("apps.orders.tasks.make_refunds", order.pk)
    logger.info("a refund is tried again", extra={"refund": refund.pk, "by": by.account.pk})


# ---- at the provider ----
def make_refunds(order_id: int) -> None:
    """Send all requested refunds of an order. Those without a response stay requested."""
    wanted = Refund.objects.filter(payment__order_id=order_id, status=Status.REQUESTED).order_by("id")
    for refund_id in wanted.values_list("id", flat=True):
        make_refund(refund_id)


def make_refund(refund_id: int) -> None:
    """Send one refund. The provider's key makes a second attempt harmless. Must not run inside a transaction.

    If the provider refuses permanently, the refund has failed and site admins get an email. Without a response it stays
    requested for `recover_orders`.
    """
    refund = Refund.objects.select_related("payment").get(pk=refund_id)
    gateway = gateway_of(refund.payment.provider)
    if refund.status != Status.REQUESTED:
        return
    with _lease(refund, gateway) as is_ours:
        if is_ours:
            _send(refund, gateway)


@contextmanager
def _lease(refund: Refund, gateway: Gateway | None) -> Iterator[bool]:
    """Keep other workers from sending the same refund now, because the provider might take it for a second one."""
    key = f"refund:{refund.key}"
    is_ours = gateway is None or gateway.starts_once or cache.add(key, 1, LEASE_SECONDS)
    try:
        yield is_ours
    finally:
        if is_ours and gateway and not gateway.starts_once:
            cache.delete(key)


def _send(refund: Refund, gateway: Gateway | None) -> None:
    try:
        if gateway is None or refund.payment.reference is None:
            raise GatewayError("The payment provider is not set up.")
        reference = gateway.refund(
            refund.payment.reference, amount_cents=refund.amount_cents, currency=refund.payment.currency, key=refund.key
        )
    except GatewayRefusalError as error:
        note_failed(refund, problem=error.detail)
    except GatewayError as error:
        Refund.objects.filter(pk=refund.pk, status=Status.REQUESTED).update(problem=error.detail[:300])
        logger.exception("a refund could not be made", extra={"refund": refund.pk})
    else:
        _note_done(refund.pk, reference)


@transaction.atomic
def note_failed(refund: Refund, *, problem: str = "The provider couldn't make the refund.") -> None:
    """Mark a refund as failed, immediately or days after it was made, and ask site admins to review it.

    `refund` is the row that the provider's response is about. If it was retried meanwhile, it stays unchanged.
    """
    order, current = _lock(refund.pk)
    if current.status == Status.FAILED or (current.attempt, current.reference) != (refund.attempt, refund.reference):
        return
    current.move_to(Status.FAILED, problem=problem[:300], done_at=None)
    ask_for_review(order=order, reason=f"A refund of {current.amount_cents} cents failed: {problem}")


@transaction.atomic
def _note_done(refund_id: int, reference: str) -> None:
    order, refund = _lock(refund_id)
    if refund.status == Status.DONE:
        return
    refund.move_to(Status.DONE, reference=reference[:120], problem="", done_at=timezone.now())
    credit_note = None
    if refund.payment.status == Payment.Status.PAID:
        _move_order(order, refund.payment)
        credit_note = issuing.issue_credit_note(refund=refund)
    is_told = email_payout_link(order=order, refund=refund)
    # The credit note is emailed when it is new, and not after a retried refund.
    if not is_told and (credit_note is None or refund.attempt > 1):
        email_refund(order=order, refund=refund)


def _lock(refund_id: int) -> tuple[Order, Refund]:
    """Lock a refund with its order, in the same order as settling."""
    order_id = Refund.objects.values_list("payment__order_id", flat=True).get(pk=refund_id)
    order: Order = Order.objects.select_for_update().get(pk=order_id)
    refund = Refund.objects.select_for_update(of=("self",)).select_related("payment").get(pk=refund_id)
    return order, refund


def _move_order(order: Order, payment: Payment) -> None:
    """Move the order forward only. If a completed refund fails later, the order stays refunded until a retry."""
    if order.status not in Order.DELIVERABLE:
        return
    # A free line that waits is still to be delivered.
    waits = order.lines.filter(status=Line.PENDING, total_cents=0).exists()
    whole = _sum(payment.refunds.filter(status=Status.DONE)) >= payment.amount_cents and not waits
    order.move_to(Order.Status.REFUNDED if whole else Order.Status.PARTIALLY_REFUNDED)
