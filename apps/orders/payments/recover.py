"""Recover what got lost: payments without a webhook, expired orders, undelivered lines."""

import logging
import time
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import TypeVar

from django.db.models import DurationField, Exists, ExpressionWrapper, F, Model, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Least
from django.utils import timezone

from apps.core.errors import DomainError
from apps.orders.fulfillment import emails, refunds, services
from apps.orders.invoices import issuing, printing
from apps.orders.models import Order, OrderLine, Payment, Refund
from apps.orders.payments.confirm import confirm_payment
from apps.orders.payments.start import expire_order, open_at_provider

logger = logging.getLogger(__name__)

T = TypeVar("T")
M = TypeVar("M", bound=Model)
BATCH = 200
# The request that started a younger payment is still handling it.
SETTLES_IN = timedelta(seconds=20)
LONGEST_PAUSE = timedelta(minutes=30)
# Money for an abandoned payment may still arrive, crypto above all, and its message may be lost.
COMES_LATE = timedelta(days=3)
# A slow provider blocks nothing else for longer. The rest comes first the next time.
STEP_SECONDS = 20.0


def recover_orders() -> None:
    """Poll open payments, expire orders, deliver what is paid, send due refunds, email buyers whose placement began.

    Safe to run concurrently: each step checks again under its locks.
    """
    _each(_unsettled(), _poll)
    _each(_overdue(), _expire)
    _each(_undelivered(), _deliver)
    _each(_owed(), _send_back)
    _each(emails.unannounced_placements(), emails.email_placement_begun)
    _each(issuing.uninvoiced_orders(), issuing.invoice_order)
    _each(issuing.uncredited_refunds(), issuing.credit_refund)
    printing.print_waiting()


def _each(rows: Iterable[T], act: Callable[[T], object]) -> None:
    """Process each item while the step's time lasts. A failing one must not block the others."""
    ends_at = time.monotonic() + STEP_SECONDS
    for one in rows:
        if time.monotonic() > ends_at:
            logger.warning("a step of the recovery was cut short", extra={"step": getattr(act, "__name__", "")})
            return
        try:
            act(one)
        except DomainError as error:
            logger.warning("left for the next recovery", extra={"what": str(one), "problem": error.detail})
        except Exception:
            logger.exception("the recovery met an error", extra={"what": str(one)})


def _due(rows: QuerySet[M], *, tried_at: str, since: str) -> QuerySet[M]:
    """Return a batch, least recently tried first, so that permanent failures don't hide new items.

    The pause doubles: it is as long as the time from `since` to the last attempt, and LONGEST_PAUSE at most.
    """
    so_far = ExpressionWrapper(F(tried_at) - F(since), output_field=DurationField())
    rested = Q(**{f"{tried_at}__lte": timezone.now() - Least(so_far, Value(LONGEST_PAUSE))})
    due = rows.filter(Q(**{f"{tried_at}__isnull": True}) | rested)
    return due.order_by(F(tried_at).asc(nulls_first=True), since)[:BATCH]


def _unsettled() -> Iterable[Payment]:
    now = timezone.now()
    is_open = Q(status__in=Payment.UNSETTLED, created_at__lt=now - SETTLES_IN)
    is_given_up = Q(status=Payment.Status.FAILED, reference__isnull=False, created_at__gt=now - COMES_LATE)
    waiting = Payment.objects.filter(is_open | is_given_up)
    return list(_due(waiting.select_related("order"), tried_at="polled_at", since="created_at"))


def _poll(payment: Payment) -> None:
    Payment.objects.filter(pk=payment.pk).update(polled_at=timezone.now())
    if payment.reference is None:
        payment = open_at_provider(payment)
    confirm_payment(payment.pk)


def _overdue() -> Iterable[Order]:
    over = Order.objects.filter(status__in=Order.PAYABLE, expires_at__lte=timezone.now(), needs_review=False)
    return list(_due(over, tried_at="tried_at", since="expires_at"))


def _expire(order: Order) -> None:
    _note_attempt(order.pk)
    expire_order(order)


def _undelivered() -> Iterable[int]:
    pending = OrderLine.objects.filter(order=OuterRef("pk"), status=OrderLine.Status.PENDING)
    waiting = Order.objects.filter(Exists(pending), status__in=Order.DELIVERABLE)
    return list(_due(waiting, tried_at="tried_at", since="paid_at").values_list("pk", flat=True))


def _deliver(order_id: int) -> None:
    _note_attempt(order_id)
    services.fulfill_order(order_id)


def _note_attempt(order_id: int) -> None:
    Order.objects.filter(pk=order_id).update(tried_at=timezone.now())


def _owed() -> Iterable[int]:
    wanted = Refund.objects.filter(status=Refund.Status.REQUESTED)
    return list(_due(wanted, tried_at="tried_at", since="created_at").values_list("pk", flat=True))


def _send_back(refund_id: int) -> None:
    Refund.objects.filter(pk=refund_id).update(tried_at=timezone.now())
    refunds.make_refund(refund_id)
