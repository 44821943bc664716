"""A server of both Django and /mcp on a real port, and committed rows that its threads can see."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.core.servers.basehttp import ThreadedWSGIServer
from django.db import connection
from django.test.testcases import QuietWSGIRequestHandler
from django.utils import timezone

from apps.accounts.models import ApiKey, User
from apps.core.api.scopes import Scope
from apps.listings.models import Listing
from apps.mcp.app import OnePort
from tests.databases import restore
from tests.factories import ListingFactory, UserFactory, api_key

T = TypeVar("T")


@dataclass(frozen=True)
class World:
    """An owner with a key of every scope, one whose key reads only, and a live listing."""

    owner: User
    key: str
    reading_key: str
    listing: Listing

    def committed(self, work: Callable[[], T]) -> T:
        """Do some work outside of the test's own transaction."""
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(_and_close, work).result()


def _and_close(work: Callable[[], T]) -> T:
    try:
        return work()
    finally:
        connection.close()


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """Committed rows for a whole module: the server's threads have connections of their own.

    The tests' own connection is in a transaction that is rolled back, and must not hold locks meanwhile.
    """
    with django_db_blocker.unblock():
        owner: User = UserFactory.create(email="mcp-owner@example.com")
        made = World(
            owner=owner,
            key=api_key(owner),
            reading_key=api_key(owner, [Scope.ACCOUNT_READ]),
            listing=ListingFactory.create(live=True, company__owner=owner, company__name="Tidewater"),
        )
        # So that no request writes the time of its use, which would lock the row.
        ApiKey.objects.update(last_used_at=timezone.now() + timedelta(days=1))
    yield made
    with django_db_blocker.unblock():
        restore()


@pytest.fixture(scope="module")
def base_url(world: World) -> Iterator[str]:
    """Address of a server with the one-port application."""
    application = OnePort(WSGIHandler(), path="/mcp")
    server = ThreadedWSGIServer(("127.0.0.1", 0), QuietWSGIRequestHandler)
    server.set_app(application)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.005})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()
    application.close()
