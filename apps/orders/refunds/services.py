"""Sending money back, once for each reason."""

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
from apps.orders.invoices import issuing
from apps.orders.models import Order, OrderLine, Payment, Refund
from apps.orders.providers import Gateway, GatewayError, GatewayRefusalError, gateway_of
from apps.orders.providers.payout_link import email_payout_link
from apps.orders.refunds.emails import email_refund
from apps.orders.staff_review import ask_for_review, check_staff, end_review

logger = logging.getLogger(__name__)

Status = Refund.Status
Line = OrderLine.Status
# Longer than a provider is waited for.
LEASE_SECONDS = 60


class CannotRefund(Conflict):
    code = "cannot_refund"
    title = "Refund not possible"


def request_refund(*, payment: Payment, amount_cents: int, reason: str, line: OrderLine | None = None) -> None:
    """Note that money has to go back, in the caller's transaction; for one line, or one whole payment, once."""
    if amount_cents > 0:
        Refund.objects.get_or_create(
            payment=payment, line=line, defaults={"amount_cents": amount_cents, "reason": reason[:300]}
        )


def left_of(payment: Payment) -> int:
    """What of a payment is not sent back or about to be, in cents."""
    return payment.amount_cents - _sum(payment.refunds.exclude(status=Status.FAILED))


def _sum(found: QuerySet[Refund]) -> int:
    return int(found.aggregate(sum=Sum("amount_cents"))["sum"] or 0)


def amount_of(line: OrderLine, *, payment: Payment) -> int:
    """Return the refund of a line in cents. The last line also gets any overpayment."""
    return sum(amount_cents for _, amount_cents in line_amounts(line.order, payment, [line]))


# ---- decisions of staff ----
def why_not_refund(order: Order) -> str:
    """Why nothing of an order can be sent back, as a sentence; empty when something can."""
    if order.status not in Order.DELIVERABLE:
        return f"The order is {order.get_status_display().lower()} and has nothing to refund."
    if not refundable_lines(order):
        return "Every line already has a refund."
    return ""


def refundable_lines(order: Order) -> list[OrderLine]:
    """The lines that have no refund yet, in their order."""
    return list(order.lines.filter(refund=None).order_by("position"))


def line_amounts(order: Order, payment: Payment, lines: Sequence[OrderLine]) -> list[tuple[OrderLine, int]]:
    """What each line gets back; lines that get nothing are left out. What failed refunds owe waits for their retry."""
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
    """Why a refund cannot be tried anew, as a sentence; empty when it can."""
    if refund.status != Status.FAILED:
        return f"The refund is {refund.get_status_display().lower()}. Only failed refunds can be retried."
    if refund.amount_cents > left_of(refund.payment):
        return "The payment was partly refunded elsewhere, so less is left."
    return ""


@transaction.atomic
def retry_refund(*, refund: Refund, by: Actor) -> None:
    """Send a failed refund anew, under a new key. Raises Forbidden (403) and CannotRefund (409)."""
    check_staff(by)
    order, refund = _lock(refund.pk)
    if problem := why_not_retry(refund):
        raise CannotRefund(problem)
    refund.move_to(Status.REQUESTED)
    refund.attempt += 1
    refund.reference, refund.problem = "", ""
    refund.tried_at, refund.done_at = None, None
    refund.save()
    if not Refund.objects.filter(payment__order=order, status=Status.FAILED).exists():
        end_review(order)
    delay_on_commit("apps.orders.tasks.make_refunds", order.pk)
    logger.info("a refund is tried anew", extra={"refund": refund.pk, "by": by.account.pk})


# ---- at the provider ----
def make_refunds(order_id: int) -> None:
    """Send back everything that is requested for an order. What a provider does not answer stays requested."""
    wanted = Refund.objects.filter(payment__order_id=order_id, status=Status.REQUESTED).order_by("id")
    for refund_id in wanted.values_list("id", flat=True):
        make_refund(refund_id)


def make_refund(refund_id: int) -> None:
    """Send one refund; the provider's key makes a second try harmless. Must not run inside a transaction.

    A refund that the provider refuses for good has failed, and the site team gets an email; without an answer it stays
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
    """Keep other workers from sending the same refund now, where the provider would take it for a second one."""
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
    """Note that a refund came to nothing, at once or days after it was made, and ask the site team to look.

    `refund` is as the provider's answer was about it: one that was tried anew meanwhile stays as it is.
    """
    order, current = _lock(refund.pk)
    if current.status == Status.FAILED or (current.attempt, current.reference) != (refund.attempt, refund.reference):
        return
    current.move_to(Status.FAILED)
    current.problem = problem[:300]
    current.done_at = None
    current.save(update_fields=["status", "problem", "done_at"])
    ask_for_review(order=order, reason=f"A refund of {current.amount_cents} cents failed: {problem}")


@transaction.atomic
def _note_done(refund_id: int, reference: str) -> None:
    order, refund = _lock(refund_id)
    if refund.status == Status.DONE:
        return
    refund.move_to(Status.DONE)
    refund.reference, refund.problem = reference[:120], ""
    refund.done_at = timezone.now()
    refund.save()
    credit_note = None
    if refund.payment.status == Payment.Status.PAID:
        _move_order(order, refund.payment)
        credit_note = issuing.issue_credit_note(refund=refund)
    is_told = email_payout_link(order=order, refund=refund)
    # The credit note is emailed when it is new, and not when its refund had to be sent anew.
    if not is_told and (credit_note is None or refund.attempt > 1):
        email_refund(order=order, refund=refund)


def _lock(refund_id: int) -> tuple[Order, Refund]:
    """A refund with its order, locked in the order that settling takes."""
    order_id = Refund.objects.values_list("payment__order_id", flat=True).get(pk=refund_id)
    order: Order = Order.objects.select_for_update().get(pk=order_id)
    refund = Refund.objects.select_for_update(of=("self",)).select_related("payment").get(pk=refund_id)
    return order, refund


def _move_order(order: Order, payment: Payment) -> None:
    """Never back: a refund that failed after it was done left its order refunded, as it will be again."""
    if order.status not in Order.DELIVERABLE:
        return
    # A line that cost nothing, and waits, is still to be delivered.
    waits = order.lines.filter(status=Line.PENDING, total_cents=0).exists()
    whole = _sum(payment.refunds.filter(status=Status.DONE)) >= payment.amount_cents and not waits
    order.move_to(Order.Status.REFUNDED if whole else Order.Status.PARTIALLY_REFUNDED)
    order.save(update_fields=["status"])
