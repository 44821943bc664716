"""Finding what was lost on the way: payments nobody told of, orders past their time, lines not delivered."""

import logging
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import TypeVar

from django.utils import timezone

from apps.core.errors import DomainError
from apps.orders import fulfilment, refunds
from apps.orders.models import Order, OrderLine, Payment, Refund
from apps.orders.paying import expire_order, open_at_provider
from apps.orders.settlement import settle

logger = logging.getLogger(__name__)

T = TypeVar("T")
BATCH = 200
# Younger payments are still in the hands of the request that started them.
SETTLES_IN = timedelta(seconds=20)


def sweep_orders() -> None:
    """Poll open payments, expire orders, deliver what is paid, send back what is owed. Safe to run twice at once."""
    _each(_unsettled(), _poll)
    _each(_overdue(), expire_order)
    _each(_undelivered(), fulfilment.fulfil_order)
    _each(_owed(), refunds.make_refunds)


def _each(found: Iterable[T], act: Callable[[T], object]) -> None:
    """Act on each; one that fails must not keep the others waiting."""
    for one in found:
        try:
            act(one)
        except DomainError as error:
            logger.warning("left for the next sweep", extra={"what": str(one), "problem": error.detail})
        except Exception:
            logger.exception("the sweep met an error", extra={"what": str(one)})


def _unsettled() -> Iterable[Payment]:
    started_before = timezone.now() - SETTLES_IN
    waiting = Payment.objects.filter(status__in=Payment.UNSETTLED, created_at__lt=started_before)
    return list(waiting.select_related("order").order_by("id")[:BATCH])


def _poll(payment: Payment) -> None:
    if payment.reference is None:
        payment = open_at_provider(payment)
    settle(payment.pk)


def _overdue() -> Iterable[Order]:
    over = Order.objects.filter(status__in=Order.PAYABLE, expires_at__lte=timezone.now(), needs_review=False)
    return list(over.order_by("expires_at")[:BATCH])


def _undelivered() -> Iterable[int]:
    lines = OrderLine.objects.filter(order__status__in=Order.DELIVERABLE, status=OrderLine.Status.PENDING)
    return list(lines.order_by("order_id").values_list("order_id", flat=True).distinct()[:BATCH])


def _owed() -> Iterable[int]:
    wanted = Refund.objects.filter(status=Refund.Status.REQUESTED)
    return list(wanted.order_by("payment__order_id").values_list("payment__order_id", flat=True).distinct()[:BATCH])
