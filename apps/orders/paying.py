"""Starting payments and giving them up. Providers are called between transactions, never inside one."""

import logging

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from apps.core.errors import Conflict, Unprocessable
from apps.orders import promos
from apps.orders.models import Order, Payment
from apps.orders.payments import Gateway, GatewayError, GatewayRefusalError, available_gateways, gateway_of
from apps.orders.payments.gateway import StartRequest
from apps.orders.services import location_evidence, lock_payable
from apps.orders.settlement import settle

logger = logging.getLogger(__name__)

Status = Order.Status


class TotalChanged(Conflict):
    code = "total_changed"
    title = "The total is another one now"


class UnknownMethod(Unprocessable):
    code = "unknown_method"
    title = "This way to pay is not there"


def methods_for(order: Order) -> list[Gateway]:
    """The ways in which an order can be paid; the free one where there is nothing to pay."""
    if order.total_cents == 0:
        free = gateway_of("free")
        return [free] if free else []
    return available_gateways(order.site)


def start_payment(*, order: Order, method: str, shown_cents: int, return_url: str, ip_address: str) -> Payment:
    """Start paying an order and return the payment with the address where the person pays.

    `shown_cents` is the total that the person agreed to. Raises what `lock_payable` does, TotalChanged (409),
    UnknownMethod (422), PromoRefused (422) when the code was used up meanwhile, GatewayError (503).
    """
    gateway = next((gateway for gateway in methods_for(order) if gateway.key == method), None)
    if gateway is None:
        raise UnknownMethod("Choose one of the ways to pay that are shown.", pointer="/method")
    payment = _prepare(order, gateway, shown_cents, return_url, ip_address)
    payment = open_at_provider(payment)
    if not gateway.takes_money:
        settle(payment.pk)
        payment.refresh_from_db()
    return payment


@transaction.atomic
def _prepare(order: Order, gateway: Gateway, shown_cents: int, return_url: str, ip_address: str) -> Payment:
    order = lock_payable(order)
    if order.total_cents != shown_cents:
        raise TotalChanged("The total has changed. Look at it again, then pay.")
    promos.hold_use(order)
    order.move_to(Status.PROCESSING)
    order.terms_accepted_at = timezone.now()
    order.evidence = location_evidence(order, ip_address=ip_address)
    order.save()
    last = order.payments.aggregate(last=Max("attempt"))["last"] or 0
    return Payment.objects.create(
        order=order,
        attempt=last + 1,
        provider=gateway.key,
        amount_cents=order.total_cents,
        currency=order.currency,
        is_test=gateway.is_test,
        return_url=return_url,
    )


def open_at_provider(payment: Payment) -> Payment:
    """Open the payment at its provider; safe to repeat after a crash, since the key stays the same.

    Raises GatewayError (503). When the provider refused, the order can be paid again; when it did not answer,
    it may have begun the payment, so that the attempt stays and the sweep asks again.
    """
    gateway = gateway_of(payment.provider)
    try:
        if gateway is None:
            raise GatewayRefusalError("This way to pay is switched off.")
        session = gateway.start(
            StartRequest(
                key=payment.key,
                order_number=payment.order.number,
                amount_cents=payment.amount_cents,
                currency=payment.currency,
                return_url=payment.return_url,
                description=f"Order {payment.order.number}",
                email=payment.order.account.email,
                expires_at=payment.order.expires_at,
            )
        )
    except GatewayRefusalError as error:
        _give_up(payment, error.detail)
        raise
    with transaction.atomic():
        locked = Payment.objects.select_for_update(of=("self",)).select_related("order").get(pk=payment.pk)
        locked.reference, locked.pay_url = session.reference, session.url
        if locked.status == Payment.Status.STARTING:
            locked.move_to(Payment.Status.OPEN)
        locked.save(update_fields=["reference", "pay_url", "status"])
    return locked


@transaction.atomic
def _give_up(payment: Payment, problem: str) -> None:
    order = Order.objects.select_for_update().get(pk=payment.order_id)
    payment = Payment.objects.select_for_update().get(pk=payment.pk)
    if payment.status == Payment.Status.STARTING:
        payment.move_to(Payment.Status.FAILED)
        payment.problem = problem[:300]
        payment.save(update_fields=["status", "problem"])
    if order.status == Status.PROCESSING:
        order.move_to(Status.PENDING)
        order.save(update_fields=["status"])


def close_open_payments(order: Order) -> Order:
    """Close whatever is still open at providers, and take over what turns out to be paid. Returns the order anew.

    Raises GatewayError (503) when a provider cannot be asked: then nothing may be built on its payment's state.
    """
    for payment in order.payments.filter(status__in=Payment.UNSETTLED).select_related("order"):
        current = payment if payment.reference else open_at_provider(payment)
        gateway = gateway_of(current.provider)
        if gateway is None or current.reference is None:
            raise GatewayError("The provider of an open payment is switched off.")
        gateway.expire(current.reference)
        settle(current.pk)
    order.refresh_from_db()
    return order


def poll_open_payments(order: Order) -> Order:
    """Ask providers about the order's open payments, for when their message is late or lost. Returns the order anew."""
    for payment in order.payments.filter(status=Payment.Status.OPEN):
        try:
            settle(payment.pk)
        except GatewayError:
            logger.warning("a payment could not be polled", extra={"payment": payment.pk})
    order.refresh_from_db()
    return order


def expire_order(order: Order) -> Order:
    """End an order whose time is over; what its provider took meanwhile is settled first. Doing it twice is a no-op."""
    order = close_open_payments(order)
    with transaction.atomic():
        locked: Order = Order.objects.select_for_update().get(pk=order.pk)
        if locked.status in Order.PAYABLE and locked.expires_at <= timezone.now():
            locked.move_to(Status.EXPIRED)
            locked.save(update_fields=["status"])
            promos.release_uses(locked)
    return locked
