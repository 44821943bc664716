"""Provider webhooks. They only trigger a lookup: the provider's response to it decides."""

import logging
from collections.abc import Mapping

from django.utils import timezone

from apps.core.errors import NotFound
from apps.orders.fulfillment import refunds
from apps.orders.models import Payment, PaymentEvent, Refund
from apps.orders.payments.confirm import confirm_payment
from apps.orders.providers import Event, Gateway, gateway_of
from apps.orders.providers.concurrency import provider_slot
from apps.orders.providers.gateway import RefundState

logger = logging.getLogger(__name__)


def sender(provider: str) -> Gateway:
    """Return the provider that may send messages under this name. Raises NotFound (404) if it is not set up."""
    gateway = gateway_of(provider)
    if gateway is None or not gateway.takes_money:
        raise NotFound("Nothing found at this URL.")
    return gateway


def receive_event(provider: str, *, body: bytes, headers: Mapping[str, str]) -> None:
    """Process a provider's message: verify it, store it once, and settle the payment that it names.

    Raises NotFound (404) for a provider that is not set up, WrongSignature (400) and ProvidersBusyError (503). An error
    in settling leaves the message unprocessed, so that the provider's next attempt repeats it.
    """
    gateway = sender(provider)
    with provider_slot():
        _act_on(gateway, gateway.parse_event(body, headers))


def _act_on(gateway: Gateway, event: Event) -> None:
    provider = gateway.key
    row, _ = PaymentEvent.objects.get_or_create(
        provider=provider,
        event_id=event.id,
        defaults={"kind": event.kind, "reference": (event.reference or event.key)[:120]},
    )
    if row.processed_at:
        return
    payment = _find_payment(provider, event)
    if payment is None:
        logger.warning("an event of no known payment", extra={"provider": provider, "event": event.id})
    else:
        confirm_payment(payment.pk)
        _check_refund(gateway, event, payment)
    PaymentEvent.objects.filter(pk=row.pk).update(processed_at=timezone.now())


def _find_payment(provider: str, event: Event) -> Payment | None:
    """Find the payment by the provider's reference, or by its start key."""
    payments = Payment.objects.filter(provider=provider)
    result = payments.filter(reference=event.reference).first() if event.reference else None
    if result:
        return result
    number, _, attempt = event.key.rpartition(":")
    if not (attempt.isascii() and attempt.isdigit()):
        return None
    result = payments.filter(order__number=number, attempt=int(attempt[:9])).first()
    if result and event.reference:
        # The message arrived before we saved the provider's reference, or the reference was lost.
        payments.filter(pk=result.pk, reference=None).update(reference=event.reference)
    return result


def _check_refund(gateway: Gateway, event: Event, payment: Payment) -> None:
    """A bank may refuse a refund days after the provider accepted it. A refund made elsewhere has no row."""
    refund = payment.refunds.filter(reference=event.refund).first() if event.refund else None
    is_open = refund is not None and refund.status == Refund.Status.DONE
    if refund and is_open and gateway.fetch_refund(event.refund) == RefundState.FAILED:
        refunds.note_failed(refund)
