"""Payment providers behind one small interface."""

from apps.orders.providers.btcpay import BTCPayGateway
from apps.orders.providers.free import FreeGateway
from apps.orders.providers.gateway import (
    Event,
    Gateway,
    GatewayError,
    GatewayRefusalError,
    RemotePayment,
    RemoteState,
    Session,
    WrongSignature,
)
from apps.orders.providers.paypal import PayPalGateway
from apps.orders.providers.sandbox import TestGateway
from apps.orders.providers.stripe import StripeGateway
from apps.sites.models import Site

__all__ = [
    "Event",
    "Gateway",
    "GatewayError",
    "GatewayRefusalError",
    "RemotePayment",
    "RemoteState",
    "Session",
    "WrongSignature",
    "all_gateways",
    "available_gateways",
    "gateway_of",
]

_GATEWAYS: dict[str, Gateway] = {
    gateway.key: gateway
    for gateway in (StripeGateway(), PayPalGateway(), BTCPayGateway(), TestGateway(), FreeGateway())
}


def all_gateways() -> list[Gateway]:
    """Return every provider with code, set up or not."""
    return list(_GATEWAYS.values())


def gateway_of(key: str) -> Gateway | None:
    """Return the gateway of this name if it is set up, on any site."""
    gateway = _GATEWAYS.get(key)
    return gateway if gateway and gateway.is_configured() else None


def available_gateways(site: Site) -> list[Gateway]:
    """Return the payment methods that a site can offer, in the order of its page."""
    result = [gateway for gateway in _GATEWAYS.values() if gateway.takes_money and gateway.is_configured()]
    return [gateway for gateway in result if gateway.is_test or hasattr(site, "seller")]
