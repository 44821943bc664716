"""Cancel an unpaid order."""

import logging

from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.core.errors import Conflict, NotFound
from apps.orders.checkout.reservations import release_spots
from apps.orders.models import Order, Payment
from apps.orders.payments.start import close_open_payments
from apps.orders.pricing import promos

logger = logging.getLogger(__name__)

Status = Order.Status


class CannotCancel(Conflict):
    code = "cannot_cancel"
    title = "Order can't be canceled"


def cancel_order(*, order: Order, by: Actor) -> Order:
    """Cancel an unpaid order for its owner or a site admin: close open payments first, then release reserved codes.

    Doing it twice is a no-op. Raises NotFound (404) for another account's order, CannotCancel (409) once it is paid,
    over or under review, GatewayError (503) when a provider can't be reached. Must not run inside a transaction.
    """
    if order.account_id != by.account.pk and not by.account.is_staff:
        raise NotFound("You have no order with this number.")
    order = close_open_payments(order)
    with transaction.atomic():
        locked: Order = Order.objects.select_for_update().get(pk=order.pk)
        if locked.status == Status.CANCELLED:
            return locked
        _check_cancellable(locked)
        locked.move_to(Status.CANCELLED)
        release_spots(locked.lines.all())
        promos.release_uses(locked)
    logger.info("order canceled", extra={"order": locked.number, "by": by.account.pk})
    return locked


def close_account_orders(*, account: User) -> None:
    """Cancel the unpaid orders of a deleted account, and clear their buyer data.

    Raises what `cancel_order` raises: an account is not deleted while a payment is in progress.
    """
    unpaid = Order.objects.filter(account=account, paid_at__isnull=True)
    for order in unpaid.filter(status__in=Order.PAYABLE).order_by("pk"):
        cancel_order(order=order, by=Actor(user=account, via="system"))
    # Only where no money moved: all other orders are proofs for the tax office.
    unpaid.filter(payments__isnull=True).update(billing={}, evidence=[], postal_code="", vat_number="")


def is_cancellable(order: Order) -> bool:
    """Return whether its owner may cancel the order, as far as known without asking a provider."""
    return order.status in Order.PAYABLE and not order.needs_review


def _check_cancellable(order: Order) -> None:
    if order.needs_review:
        raise CannotCancel("A payment for this order is under review.")
    if order.status not in Order.PAYABLE:
        raise CannotCancel(f"This order is {order.status.replace('_', ' ')} and can't be canceled.")
    if order.payments.filter(status__in=Payment.UNSETTLED).exists():
        raise CannotCancel("A payment for this order is in progress. Wait until it succeeds or fails.")
