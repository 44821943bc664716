"""Sellers, listings and orders to test with."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from apps.listings.models import Listing
from apps.orders.models import Payment, SellerSettings
from apps.orders.tax import vies as client
from apps.sites.models import Site
from config.supervisor.up import free_port
from tests.api import ApiClient
from tests.factories import ListingFactory
from tests.orders import vies_server
from tests.orders.actors import make_seller
from tests.orders.carts import check_out, launch
from tests.orders.provider_payments import start_payment
from tests.orders.vies_server import ViesServer
from tests.providers import btcpay_server, paypal_server, stripe_server
from tests.providers.btcpay_server import BTCPayServer
from tests.providers.paypal_server import PayPalServer
from tests.providers.stripe_server import StripeServer


@pytest.fixture(autouse=True)
def _vies_is_down(settings: Any) -> None:
    """No test reaches the real VIES: a port on which nobody listens."""
    settings.VIES_URL = f"http://127.0.0.1:{free_port('127.0.0.1', 0)}/rest-api"


@pytest.fixture
def vies(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[ViesServer]:
    """A stand-in for VIES, which a busy machine has time to reach."""
    monkeypatch.setattr(client, "TIMEOUT", httpx2.Timeout(60.0))
    monkeypatch.setattr(client, "DEADLINE_SECONDS", 60.0)
    with vies_server.run() as server:
        settings.VIES_URL = server.url
        yield server


@pytest.fixture
def stripe(settings: Any) -> Iterator[StripeServer]:
    """A stand-in for Stripe, with the settings that lead to it."""
    settings.STRIPE_SECRET_KEY, settings.STRIPE_WEBHOOK_SECRET = "sk_" + "a1" * 12, "whsec_" + "b2" * 12
    with stripe_server.run(secret=settings.STRIPE_WEBHOOK_SECRET, account_key=settings.STRIPE_SECRET_KEY) as server:
        settings.STRIPE_API_URL = settings.STRIPE_PAGE_ORIGIN = server.url
        yield server


@pytest.fixture
def paypal(settings: Any) -> Iterator[PayPalServer]:
    """A stand-in for PayPal, with the settings that lead to it."""
    settings.PAYPAL_CLIENT_ID, settings.PAYPAL_CLIENT_SECRET = "client", "hush"
    settings.PAYPAL_WEBHOOK_ID = "WH-1"
    with paypal_server.run(client_id="client", client_secret="hush", webhook_id="WH-1") as server:
        settings.PAYPAL_API_URL = settings.PAYPAL_PAGE_ORIGIN = server.url
        yield server


@pytest.fixture
def btcpay(settings: Any) -> Iterator[BTCPayServer]:
    """A stand-in for a BTCPay Server, with the settings that lead to it."""
    settings.BTCPAY_API_KEY, settings.BTCPAY_WEBHOOK_SECRET = "key", "hush"
    settings.BTCPAY_STORE_ID = "store"
    with btcpay_server.run(secret="hush", api_key="key", store_id="store") as server:
        settings.BTCPAY_URL = server.url
        yield server


@pytest.fixture
def paypal_payment(paypal: PayPalServer, owner: ApiClient, listing: Listing, seller: SellerSettings) -> Payment:
    """A payment that was started with PayPal from the checkout page."""
    return start_payment(check_out(owner, launch(listing)), method="paypal")


@pytest.fixture
def btcpay_payment(btcpay: BTCPayServer, owner: ApiClient, listing: Listing, seller: SellerSettings) -> Payment:
    """A payment that was started with crypto from the checkout page."""
    return start_payment(check_out(owner, launch(listing)), method="btcpay")


@pytest.fixture
def seller(site: Site) -> SellerSettings:
    return make_seller(site)


@pytest.fixture
def listing(owner: ApiClient, site: Site) -> Listing:
    return ListingFactory.create(company__owner=owner.user, site=site)
