"""The test gateway: acts as a provider so that everything around it is real. No money moves.

Its sessions have their own table, which is the provider's side. Its events are signed and go through the webhook like
any provider's.
"""

import hmac
import json
import secrets
from collections.abc import Mapping

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils.crypto import salted_hmac

from apps.orders.models import GatewaySession
from apps.orders.providers.gateway import (
    Event,
    Gateway,
    GatewayError,
    RemotePayment,
    RemoteState,
    Session,
    StartRequest,
    WrongSignature,
)

SIGNATURE_HEADER = "X-Test-Gateway-Signature"
State = GatewaySession.State
_REMOTE = {State.OPEN: RemoteState.OPEN, State.PAID: RemoteState.PAID}
_NOTES = {State.DECLINED: "The payment was declined.", State.CANCELLED: "The payment was canceled."}


class TestGateway(Gateway):
    __test__ = False  # the test runner takes every class of this name for its own

    key = "test"
    title = "Test payment"
    note = "TEST: no money moves"
    is_test = True

    def is_configured(self) -> bool:
        return bool(settings.TEST_GATEWAY)

    def start(self, request: StartRequest) -> Session:
        session, _ = GatewaySession.objects.get_or_create(
            key=request.key,
            defaults={
                "reference": f"test_{secrets.token_urlsafe(24)}",
                "order_number": request.order_number,
                "amount_cents": request.amount_cents,
                "currency": request.currency,
                "return_url": request.return_url,
            },
        )
        return Session(session.reference, reverse("test_gateway", args=[session.reference]))

    def fetch(self, reference: str) -> RemotePayment:
        return _as_remote(_find(reference))

    def expire(self, reference: str) -> RemotePayment:
        GatewaySession.objects.filter(reference=reference, state=State.OPEN).update(state=State.EXPIRED)
        return self.fetch(reference)

    def refund(self, reference: str, *, amount_cents: int, currency: str, key: str) -> str:
        with transaction.atomic():
            session = GatewaySession.objects.select_for_update().get(reference=reference)
            returned = sum(session.refunds.values()) - session.refunds.get(key, 0)
            if session.state != State.PAID or returned + amount_cents > session.amount_cents:
                raise GatewayError("There is no test payment to refund.")
            session.refunds[key] = amount_cents
            session.save(update_fields=["refunds"])
        return f"refund_{key}"

    def parse_event(self, body: bytes, headers: Mapping[str, str]) -> Event:
        given = {name.lower(): value for name, value in headers.items()}.get(SIGNATURE_HEADER.lower(), "")
        if not hmac.compare_digest(sign(body).encode(), given.encode()):
            raise WrongSignature("Invalid signature.")
        try:
            event = json.loads(body)
            return Event(str(event["id"])[:120], str(event["type"])[:80], str(event["session"])[:120])
        except (ValueError, KeyError, TypeError):
            raise WrongSignature("Invalid event.") from None


def answer(reference: str, state: GatewaySession.State) -> tuple[GatewaySession, bytes, dict[str, str]]:
    """Decide an open session as the person chose, and create the signed event about it.

    Returns the session, the raw body and its headers. For a decided session, the event repeats the decision.
    """
    GatewaySession.objects.filter(reference=reference, state=State.OPEN).update(state=state)
    session = _find(reference)
    event = {"id": f"evt_{secrets.token_hex(12)}", "type": f"session.{session.state}", "session": reference}
    body = json.dumps(event).encode()
    return session, body, {SIGNATURE_HEADER: sign(body), "Content-Type": "application/json"}


def sign(body: bytes) -> str:
    """Return the signature of an event over its raw bytes."""
    return salted_hmac("slipway.test_gateway", body, algorithm="sha256").hexdigest()


def _find(reference: str) -> GatewaySession:
    session = GatewaySession.objects.filter(reference=reference).first()
    if session is None:
        raise GatewayError("Unknown test payment.")
    return session


def _as_remote(session: GatewaySession) -> RemotePayment:
    state = State(session.state)
    return RemotePayment(
        reference=session.reference,
        state=_REMOTE.get(state, RemoteState.FAILED),
        amount_cents=session.amount_cents,
        currency=session.currency,
        note=_NOTES.get(state, ""),
    )
