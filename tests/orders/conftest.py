"""Sellers, listings and orders to test with."""

import socket
from collections.abc import Iterator
from typing import Any

import pytest

from apps.listings.models import Listing
from apps.orders.models import SellerSettings
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ListingFactory
from tests.orders import vies_server
from tests.orders.vies_server import ViesServer


@pytest.fixture(autouse=True)
def _vies_is_down(settings: Any) -> None:
    """No test reaches the real VIES: a port on which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        settings.VIES_URL = f"http://127.0.0.1:{free.getsockname()[1]}/rest-api"


@pytest.fixture
def vies(settings: Any) -> Iterator[ViesServer]:
    with vies_server.run() as server:
        settings.VIES_URL = server.url
        yield server


@pytest.fixture
def seller(site: Site) -> SellerSettings:
    """A seller in Estonia that is registered for VAT."""
    return SellerSettings.objects.create(
        site=site,
        legal_name="Example OÜ",
        address="1 Example Street\n10111 Tallinn",
        country="EE",
        vat_number="EE123456780",
        is_vat_registered=True,
    )


@pytest.fixture
def listing(owner: ApiClient, site: Site) -> Listing:
    return ListingFactory.create(company__owner=owner.user, site=site)
