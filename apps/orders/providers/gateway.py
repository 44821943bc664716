"""The interface of every payment provider, and the data it exchanges.

Call nothing here inside a database transaction, because each call may use the network.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import ClassVar

from django.conf import settings
from django.utils import timezone

from apps.core.errors import Malformed, ServiceUnavailable


class GatewayError(ServiceUnavailable):
    """The provider did not answer, or refused."""

    code = "payment_provider_unavailable"
    title = "Payment provider unavailable"


class GatewayRefusalError(GatewayError):
    """The provider refuses permanently. Nothing was begun there."""

    code = "payment_provider_refused"
    title = "Payment provider error"


class WrongSignature(Malformed):
    """An event that is not from the provider."""

    code = "wrong_signature"
    title = "Invalid signature"


class RemoteState(StrEnum):
    """The state of a payment. Approved: the person agreed, and the money moves when it is captured."""

    OPEN = "open"
    APPROVED = "approved"
    PAID = "paid"
    FAILED = "failed"


class RefundState(StrEnum):
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class StartRequest:
    """A payment to start. The same `key` always gives the same session.

    `started_at` is when the person pressed Pay, the same for every attempt. `expires_at` is the order's.
    """

    key: str
    order_number: str
    amount_cents: int
    currency: str
    return_url: str
    description: str
    email: str
    expires_at: datetime
    started_at: datetime = field(default_factory=timezone.now)


@dataclass(frozen=True, slots=True)
class Session:
    """A payment that the person can now make at `url`."""

    reference: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RemotePayment:
    """A payment according to the provider. Only this counts, never an event or a redirect.

    `country` is the card's or the payer's (ISO code), if the provider sends it. `returned_cents` is what the provider
    has refunded so far, None if it does not say. A disputed payment is claimed back by the payer.
    """

    reference: str
    state: RemoteState
    amount_cents: int
    currency: str
    note: str = ""
    country: str = ""
    returned_cents: int | None = None
    is_disputed: bool = False


@dataclass(frozen=True, slots=True)
class Event:
    """A verified message from a provider about a payment, or about a refund of it.

    `reference`, or the `key` it was started with, identifies the payment. `refund` is the provider's name of the refund
    that the message is about.
    """

    id: str
    kind: str
    reference: str = ""
    key: str = ""
    refund: str = ""


class Gateway(ABC):
    """One provider. Methods raise GatewayError (503) when it can't be reached."""

    key: ClassVar[str]
    title: ClassVar[str]
    note: ClassVar[str]
    takes_money: ClassVar[bool] = True
    # Names of the required settings.
    setting_names: ClassVar[tuple[str, ...]] = ()
    # Whether concurrent `start` or `refund` calls with the same key have a single effect.
    starts_once: ClassVar[bool] = True

    @property
    def is_test(self) -> bool:
        """Whether no money moves."""
        return False

    def is_configured(self) -> bool:
        """Whether its settings are complete."""
        return all(getattr(settings, name) for name in self.setting_names)

    def missing_settings(self) -> tuple[str, ...]:
        """Missing settings of a partly configured provider. Empty for a provider that is not used at all."""
        missing = tuple(name for name in self.setting_names if not getattr(settings, name))
        return missing if len(missing) < len(self.setting_names) else ()

    def page_origins(self) -> tuple[str, ...]:
        """Origins of its own pages, which the checkout page's form redirects to. Empty for pages of this service."""
        return ()

    @abstractmethod
    def start(self, request: StartRequest) -> Session:
        """Open a payment. The same key twice gives the same session."""

    @abstractmethod
    def fetch(self, reference: str) -> RemotePayment:
        """Return the payment's current state."""

    def capture(self, reference: str, *, key: str) -> RemotePayment:
        """Capture an approved payment, once per key, and return its state."""
        return self.fetch(reference)

    @abstractmethod
    def expire(self, reference: str) -> RemotePayment:
        """Close an open payment. A paid one stays paid, and the returned state says so."""

    @abstractmethod
    def refund(self, reference: str, *, amount_cents: int, currency: str, key: str) -> str:
        """Refund money, once per key. Returns the provider's name of the refund.

        Raises GatewayRefusalError when the provider will never do it.
        """

    def fetch_refund(self, refund: str) -> RefundState:
        """Return the state of an accepted refund, because a bank may refuse it days later."""
        return RefundState.DONE

    def payout_url(self, refund: str) -> str:
        """Return the URL where the person claims a refund, or an empty string if it arrives automatically."""
        return ""

    def webhook_urls(self) -> list[str]:
        """Return where the provider sends events to. Raises GatewayRefusalError if it rejects the credentials."""
        return []

    @abstractmethod
    def parse_event(self, body: bytes, headers: Mapping[str, str]) -> Event:
        """Verify the signature over the raw body and read the event. Raises WrongSignature (400)."""
