"""A live listing, a storage of the test's own, and a website with pictures on loopback."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apps.listings.models import Listing
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ListingFactory
from tests.pages_server import PagesServer

HOST = "acme.localhost"


@pytest.fixture(autouse=True)
def _stores(media: Path) -> None:
    pass


@pytest.fixture
def web(settings: Any) -> Iterator[PagesServer]:
    with PagesServer() as server:
        settings.CRAWL_ALLOW_PRIVATE_HOSTS = frozenset({server.host(HOST)})
        yield server


@pytest.fixture
def listing(owner: ApiClient, site: Site) -> Listing:
    made: Listing = ListingFactory.create(live=True, site=site, company__owner=owner.user)
    return made
