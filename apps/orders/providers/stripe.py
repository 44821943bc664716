"""Stripe: its hosted Checkout page for card, Apple Pay, Google Pay and whatever else the account enables.

Shapes are those of the SDK's API version, 2026-10-28. The SDK returns objects, not dicts.
"""

import contextlib
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import stripe
from django.conf import settings

from apps.orders.providers.gateway import (
    Event,
    Gateway,
    GatewayError,
    GatewayRefusalError,
    RefundState,
    RemotePayment,
    RemoteState,
    Session,
    StartRequest,
    WrongSignature,
)

if TYPE_CHECKING:
    from stripe.params.checkout import SessionRetrieveParams

logger = logging.getLogger(__name__)

# Otherwise it writes a name for this machine into the home directory and sends it.
stripe.enable_telemetry = False

TIMEOUT_SECONDS = 10
RETRIES = 1
# Stripe allows 30 minutes to 24 hours from when the request arrives, by its own clock.
SHORTEST, LONGEST = timedelta(hours=1), timedelta(hours=23, minutes=50)
# The metadata that identifies a payment in Stripe, by its start key.
METADATA_KEY: Final = "payment"
_REFUSALS = (
    stripe.InvalidRequestError,
    stripe.AuthenticationError,
    stripe.PermissionError,
    stripe.CardError,
    # The key was used with other parameters. Stripe's event names the payment that was started.
    stripe.IdempotencyError,
)


class StripeGateway(Gateway):
    key = "stripe"
    title = "Card or wallet"
    note = "Card, Apple Pay, Google Pay and more"
    setting_names = ("STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET")

    @property
    def is_test(self) -> bool:
        """Whether the key is for Stripe's test mode, with test cards only."""
        return str(settings.STRIPE_SECRET_KEY).startswith(("sk_test_", "rk_test_"))

    def page_origins(self) -> tuple[str, ...]:
        return (settings.STRIPE_PAGE_ORIGIN,)

    def start(self, request: StartRequest) -> Session:
        metadata = {METADATA_KEY: request.key}
        with _translated():
            made = _client().v1.checkout.sessions.create(
                {
                    "mode": "payment",
                    "line_items": [
                        {
                            "quantity": 1,
                            "price_data": {
                                "currency": request.currency,
                                "unit_amount": request.amount_cents,
                                "product_data": {"name": request.description},
                            },
                        }
                    ],
                    # Paid in the order's currency, to the cent.
                    "adaptive_pricing": {"enabled": False},
                    "customer_email": request.email,
                    "client_reference_id": request.key,
                    "metadata": metadata,
                    "payment_intent_data": {"description": request.description, "metadata": metadata},
                    "expires_at": int(_session_end(request).timestamp()),
                    "success_url": request.return_url,
                    "cancel_url": request.return_url,
                },
                {"idempotency_key": request.key},
            )
        if not made.url:
            raise GatewayError("Stripe returned no payment page.")
        return Session(made.id, made.url)

    def fetch(self, reference: str) -> RemotePayment:
        with _translated():
            return _as_remote(_retrieve(reference))

    def expire(self, reference: str) -> RemotePayment:
        with _translated():
            # Refused when the session is no longer open. The next response has its state.
            with contextlib.suppress(stripe.InvalidRequestError):
                _client().v1.checkout.sessions.expire(reference)
            return _as_remote(_retrieve(reference))

    def refund(self, reference: str, *, amount_cents: int, currency: str, key: str) -> str:
        with _translated():
            intent = _retrieve(reference)["payment_intent"]
            if not intent:
                raise GatewayRefusalError("Stripe has no money for this payment.")
            made = _find_refund(intent["id"], key) or _client().v1.refunds.create(
                {"payment_intent": intent["id"], "amount": amount_cents, "metadata": {"refund": key}},
                # Our own number alone could repeat after a backup was restored.
                {"idempotency_key": f"{key}:{reference}"},
            )
        if _refund_state(made) == RefundState.FAILED:
            raise GatewayRefusalError(f"Stripe couldn't make the refund: {made.failure_reason}.")
        return made.id

    def fetch_refund(self, refund: str) -> RefundState:
        with _translated():
            return _refund_state(_client().v1.refunds.retrieve(refund))

    def webhook_urls(self) -> list[str]:
        with _translated():
            endpoints = _client().v1.webhook_endpoints.list({"limit": 100}).data
        return [endpoint.url for endpoint in endpoints if endpoint.status == "enabled"]

    def parse_event(self, body: bytes, headers: Mapping[str, str]) -> Event:
        signature = {name.lower(): value for name, value in headers.items()}.get("stripe-signature")
        try:
            event = _client().construct_event(body, signature, settings.STRIPE_WEBHOOK_SECRET)
            data = event.data.object.to_dict()
            read = Event(id=event.id[:120], kind=event.type[:80])
        except (stripe.SignatureVerificationError, ValueError, TypeError, AttributeError):
            raise WrongSignature("This event isn't from Stripe for this site.") from None
        return _name_payment(read, data)


@lru_cache(maxsize=2)
def _client_for(key: str, url: str) -> stripe.StripeClient:
    return stripe.StripeClient(
        key,
        base_addresses={"api": url},
        http_client=stripe.RequestsClient(timeout=TIMEOUT_SECONDS),
        max_network_retries=RETRIES,
    )


def _client() -> stripe.StripeClient:
    return _client_for(settings.STRIPE_SECRET_KEY, settings.STRIPE_API_URL)


@contextmanager
def _translated() -> Iterator[None]:
    """Convert Stripe's errors to the gateways' own, without their texts, which can repeat the API key."""
    try:
        yield
    except stripe.StripeError as error:
        is_refused = isinstance(error, _REFUSALS)
        body = {"error": type(error).__name__, "status": error.http_status, "code": error.code}
        logger.warning("Stripe refused" if is_refused else "Stripe isn't responding", extra=body)
        if is_refused:
            raise GatewayRefusalError(f"Stripe rejected the request ({error.code or type(error).__name__}).") from None
        raise GatewayError("Stripe is unavailable. Try again soon.", retry_after=30) from None


def _retrieve(reference: str) -> dict[str, Any]:
    """Return a Checkout Session with its payment and charge, as plain data."""
    params: SessionRetrieveParams = {"expand": ["payment_intent.latest_charge"]}
    return _client().v1.checkout.sessions.retrieve(reference, params).to_dict()


def _find_refund(intent: str, key: str) -> stripe.Refund | None:
    """Return an earlier refund with this key, because Stripe forgets keys after a day and recovery may come later."""
    made = _client().v1.refunds.list({"payment_intent": intent, "limit": 100}).data
    return next((refund for refund in made if _key_in(refund.to_dict(), "refund") == key), None)


def _session_end(request: StartRequest) -> datetime:
    """Return the order's end, as near as Stripe allows.

    The same for every attempt, or the idempotency key would not match.
    """
    latest = min(request.expires_at, request.started_at + LONGEST)
    return max(latest, request.started_at + SHORTEST)


def _as_remote(session: dict[str, Any]) -> RemotePayment:
    intent = session["payment_intent"] or {}
    charge = intent.get("latest_charge") or {}
    return RemotePayment(
        reference=session["id"],
        state=_state_of(session, intent),
        amount_cents=session["amount_total"],
        currency=session["currency"],
        note=_note_of(session, intent),
        country=_country_of(charge),
        returned_cents=charge.get("amount_refunded"),
        is_disputed=bool(charge.get("disputed")),
    )


def _state_of(session: dict[str, Any], intent: dict[str, Any]) -> RemoteState:
    if session["payment_status"] != "unpaid":
        return RemoteState.PAID
    if session["status"] == "expired":
        return RemoteState.FAILED
    # A bank debit is complete long before it is paid, and after a failure its payment waits for another method.
    has_failed = session["status"] == "complete" and intent.get("status") in {"requires_payment_method", "canceled"}
    return RemoteState.FAILED if has_failed else RemoteState.OPEN


def _note_of(session: dict[str, Any], intent: dict[str, Any]) -> str:
    if session["status"] == "expired":
        return "The payment page was closed before payment."
    return str((intent.get("last_payment_error") or {}).get("message") or "")


def _country_of(charge: dict[str, Any]) -> str:
    details = charge.get("payment_method_details") or {}
    return str((details.get(details.get("type")) or {}).get("country") or "")


def _refund_state(refund: stripe.Refund) -> RefundState:
    """Pending money is on its way. A later event says whether the bank accepts it."""
    return RefundState.FAILED if refund.status in {"failed", "canceled"} else RefundState.DONE


def _name_payment(event: Event, data: dict[str, Any]) -> Event:
    """Return the event with its payment or refund. One that names nothing of ours has neither."""
    kind, name = data.get("object"), str(data.get("id") or "")
    if kind == "checkout.session":
        return replace(event, reference=name, key=_key_in(data))
    if kind in {"charge", "payment_intent"}:
        return replace(event, key=_key_in(data))
    if kind in {"refund", "dispute"}:
        # They don't carry the payment's metadata.
        return replace(event, key=_key_of_intent(data.get("payment_intent")), refund=name if kind == "refund" else "")
    return event


def _key_in(data: dict[str, Any], name: str = METADATA_KEY) -> str:
    """Return an object's metadata. Empty if the object is not ours."""
    return str((data.get("metadata") or {}).get(name) or "")


def _key_of_intent(name: object) -> str:
    """Return the key of the intent's payment. Empty for another program's on the same account."""
    if not isinstance(name, str):
        return ""
    with _translated():
        try:
            return _key_in(_client().v1.payment_intents.retrieve(name).to_dict())
        except stripe.InvalidRequestError:
            return ""
