"""Start and close payments. Providers are called between transactions, never inside one."""

import logging
from datetime import timedelta

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone

from apps.core.errors import Conflict, Unprocessable
from apps.orders.checkout.billing import PaymentOpen, lock_payable
from apps.orders.checkout.reservations import release_spots, reserve_spots
from apps.orders.models import Order, Payment
from apps.orders.payments.confirm import confirm_payment, reopen_order
from apps.orders.pricing import promos
from apps.orders.providers import (
    Gateway,
    GatewayError,
    GatewayRefusalError,
    Session,
    available_gateways,
    gateway_of,
)
from apps.orders.providers.concurrency import ProvidersBusyError, provider_slot
from apps.orders.providers.gateway import StartRequest
from apps.orders.tax import location_evidence

logger = logging.getLogger(__name__)

Status = Order.Status
# Longer than the provider timeout, so that no second payment is opened meanwhile.
LEASE = timedelta(seconds=60)
# A page that is reloaded sooner shows what is known.
POLLED_AGAIN = timedelta(seconds=3)


class TotalChanged(Conflict):
    code = "total_changed"
    title = "Total changed"


class UnknownMethod(Unprocessable):
    code = "unknown_method"
    title = "Payment method unavailable"


def methods_for(order: Order) -> list[Gateway]:
    """Return the payment methods of an order, or the free one if there is nothing to pay."""
    if order.total_cents == 0:
        free = gateway_of("free")
        return [free] if free else []
    return available_gateways(order.site)


def start_payment(*, order: Order, method: str, shown_cents: int, return_url: str, ip_address: str) -> Payment:
    """Start paying an order. Returns the payment with the URL where the person pays.

    Its spots stay reserved meanwhile, for as long as `reservations` says.

    `shown_cents` is the total that the person agreed to. Raises what `lock_payable` does, TotalChanged (409),
    UnknownMethod (422), PromoRefused (422) when the code was used up meanwhile, GatewayError (503).
    """
    gateway = next((gateway for gateway in methods_for(order) if gateway.key == method), None)
    if gateway is None:
        raise UnknownMethod("Choose one of the listed payment methods.", pointer="/method")
    payment = _prepare(order, gateway, shown_cents, return_url, ip_address)
    if not gateway.takes_money:
        open_at_provider(payment)
        confirm_payment(payment.pk)
        payment.refresh_from_db()
        return payment
    try:
        with provider_slot():
            return open_at_provider(payment)
    except ProvidersBusyError as error:
        _give_up(payment, error.detail)
        raise


@transaction.atomic
def _prepare(order: Order, gateway: Gateway, shown_cents: int, return_url: str, ip_address: str) -> Payment:
    order = lock_payable(order)
    # The method was chosen before the lock. Since then, the order may have become free or no longer free.
    if order.total_cents != shown_cents or gateway.takes_money != (order.total_cents > 0):
        raise TotalChanged("The total changed. Review it, then pay.")
    reserve_spots(order)
    promos.reserve_use(order)
    order.move_to(Status.PROCESSING, terms_accepted_at=timezone.now())
    location_evidence.note_evidence(order, ip_address=ip_address)
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
    """Open the payment at its provider. Safe to repeat after a crash, because the key stays the same.

    Raises PaymentOpen (409) while another process does it, and GatewayError (503). If the provider refused, the order
    can be paid again. If it did not answer, it may have begun the payment, so the attempt stays and `recover_orders`
    asks again.
    """
    if not _lease(payment):
        payment.refresh_from_db()
        if payment.reference is None:
            raise PaymentOpen("This payment is being prepared. Try again in a minute.", retry_after=60)
        return payment
    session = _start(payment)
    with transaction.atomic():
        locked = Payment.objects.select_for_update(of=("self",)).select_related("order").get(pk=payment.pk)
        status = Payment.Status.OPEN if locked.status == Payment.Status.STARTING else locked.status
        locked.move_to(status, reference=session.reference, pay_url=session.url)
    return locked


def _lease(payment: Payment) -> bool:
    """Claim the opening of a payment. False when it is open already or another process has it."""
    now = timezone.now()
    is_free = Q(leased_at=None) | Q(leased_at__lte=now - LEASE)
    waiting = Payment.objects.filter(is_free, pk=payment.pk, reference=None, status__in=Payment.UNSETTLED)
    return waiting.update(leased_at=now) == 1


def _start(payment: Payment) -> Session:
    gateway = gateway_of(payment.provider)
    try:
        if gateway is None:
            raise GatewayRefusalError("This payment method is turned off.")
        return gateway.start(_request_of(payment))
    except GatewayRefusalError as error:
        _give_up(payment, error.detail)
        raise
    except GatewayError:
        if gateway and gateway.starts_once:
            Payment.objects.filter(pk=payment.pk).update(leased_at=None)
        raise


def _request_of(payment: Payment) -> StartRequest:
    """Build the request to the provider. It must be identical for every attempt with the same key."""
    order = payment.order
    return StartRequest(
        key=payment.key,
        order_number=order.number,
        amount_cents=payment.amount_cents,
        currency=payment.currency,
        return_url=payment.return_url,
        description=f"Order {order.number}",
        email=order.billing.get("email") or order.account.email,
        expires_at=order.expires_at,
        started_at=payment.created_at,
    )


@transaction.atomic
def _give_up(payment: Payment, problem: str) -> None:
    order = Order.objects.select_for_update().get(pk=payment.order_id)
    payment = Payment.objects.select_for_update().get(pk=payment.pk)
    if payment.status == Payment.Status.STARTING:
        payment.move_to(Payment.Status.FAILED, problem=problem[:300])
    reopen_order(order)


def close_open_payments(order: Order) -> Order:
    """Close all open payments at providers, and record those that turn out to be paid. Returns the order anew.

    Raises GatewayError (503) when a provider can't be reached, and PaymentOpen (409) while a payment is being opened,
    because its state is not known yet.
    """
    for payment in order.payments.filter(status__in=Payment.UNSETTLED).select_related("order"):
        with provider_slot():
            _close(payment)
    order.refresh_from_db()
    return order


def _close(payment: Payment) -> None:
    try:
        if payment.reference is None:
            open_at_provider(payment)
    except GatewayRefusalError:
        # Abandoned before anything was begun at the provider, so there is nothing to close.
        return
    confirm_payment(payment.pk, is_closing=True)


def poll_open_payments(order: Order) -> Order:
    """Poll the order's open payments, in case their messages are late or lost. Returns the order anew.

    Polls at most once in POLLED_AGAIN, and not while providers are slow. Then `recover_orders` polls.
    """
    for payment in order.payments.filter(status=Payment.Status.OPEN):
        try:
            with provider_slot(waits=False):
                if _is_poll_due(payment):
                    confirm_payment(payment.pk)
        except ProvidersBusyError:
            break
        except GatewayError:
            logger.warning("a payment could not be polled", extra={"payment": payment.pk})
    order.refresh_from_db()
    return order


def _is_poll_due(payment: Payment) -> bool:
    """Record a poll of the payment. False if it was polled a moment ago."""
    now = timezone.now()
    is_due = Q(polled_at=None) | Q(polled_at__lte=now - POLLED_AGAIN)
    return Payment.objects.filter(is_due, pk=payment.pk).update(polled_at=now) == 1


def expire_order(order: Order) -> Order:
    """End an expired order, after settling what its provider took meanwhile. Doing it twice is a no-op.

    An order waits for money that is on its way and can't be stopped, such as a bank debit.
    """
    order = close_open_payments(order)
    with transaction.atomic():
        locked: Order = Order.objects.select_for_update().get(pk=order.pk)
        is_over = locked.status in Order.PAYABLE and locked.expires_at <= timezone.now()
        if is_over and not locked.payments.filter(status__in=Payment.UNSETTLED).exists():
            locked.move_to(Status.EXPIRED)
            release_spots(locked.lines.all())
            promos.release_uses(locked)
    return locked
