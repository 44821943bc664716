"""What every payment provider can do for the project, and the shapes that pass between them.

Nothing here runs inside a database transaction: each call may go over the network.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from apps.core.errors import Malformed, ServiceUnavailable


class GatewayError(ServiceUnavailable):
    """The provider did not answer, or refused."""

    code = "payment_provider_unavailable"
    title = "The payment provider does not answer"


class GatewayRefusalError(GatewayError):
    """The provider answered and will not do it: nothing was begun there."""

    code = "payment_provider_refused"
    title = "The payment provider refused"


class WrongSignature(Malformed):
    """An event that is not from the provider."""

    code = "wrong_signature"
    title = "The event's signature is wrong"


class RemoteState(StrEnum):
    OPEN = "open"
    PAID = "paid"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class StartRequest:
    """A payment to start. The same `key` always gives the same session."""

    key: str
    order_number: str
    amount_cents: int
    currency: str
    return_url: str


@dataclass(frozen=True, slots=True)
class Session:
    """A payment that the person can now make at `url`."""

    reference: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RemotePayment:
    """A payment as the provider has it. Only this counts, never what an event or a redirect says."""

    reference: str
    state: RemoteState
    amount_cents: int
    currency: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """A verified message of a provider: something happened to the payment `reference`."""

    id: str
    kind: str
    reference: str


class Gateway(Protocol):
    """One provider. Methods raise GatewayError (503) when it cannot be asked."""

    key: str
    title: str
    note: str
    is_test: bool
    takes_money: bool

    def is_configured(self) -> bool:
        """Whether its settings are there."""

    def start(self, request: StartRequest) -> Session:
        """Open a payment; the same key twice gives the same session."""

    def fetch(self, reference: str) -> RemotePayment:
        """The payment's state now."""

    def expire(self, reference: str) -> RemotePayment:
        """Close an open payment; one that is already paid stays so, and the answer says it."""

    def refund(self, reference: str, *, amount_cents: int, key: str) -> str:
        """Send money back, once for each key; returns the provider's name of the refund."""

    def parse_event(self, body: bytes, headers: Mapping[str, str]) -> Event:
        """Verify the signature over the raw body and read the event; raises WrongSignature (400)."""
