"""Without Valkey pages are made for each request, and nobody waits for it twice."""

import logging
from collections.abc import Iterator
from typing import NoReturn

import pytest
from django.conf import settings as installed
from django.test import override_settings
from redis import RedisError

from apps.core.stores.valkey import generations
from apps.core.stores.valkey.circuit_breaker import CircuitBreaker
from apps.sites.models import Site
from tests.core.public_cache.commits import committed
from tests.core.public_cache.visitors import visitor, without_the_database
from tests.factories import ListingFactory
from tests.process_caches import reconnect

pytestmark = pytest.mark.db


@pytest.fixture
def outage(site: Site) -> Iterator[None]:
    caches = {**installed.CACHES, "default": {**installed.CACHES["default"], "LOCATION": "redis://127.0.0.1:1/0"}}
    with override_settings(CACHES=caches):
        reconnect()
        yield
    reconnect()


def test_pages_are_made_for_each_request(outage: None, site: Site, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="apps.core.stores.valkey.circuit_breaker"):
        first = visitor().get("/")
        with committed():
            ListingFactory.create(site=site, live=True)
        second = visitor().get("/")
    assert (first.status_code, second.status_code) == (200, 200)
    assert first["ETag"] != second["ETag"]
    assert visitor(**{"if-none-match": second["ETag"]}).get("/").status_code == 304
    assert generations.recent("sites") is None
    told = [record.message for record in caplog.records if record.name == "apps.core.stores.valkey.circuit_breaker"]
    assert told.count("public answers are not cached: Valkey does not answer") == 1


def test_afterwards_they_are_kept_again(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generations, "breaker", CircuitBreaker(pause_seconds=0))
    with monkeypatch.context() as patch:
        reconnect()
        patch.setattr(generations, "cache_client", _refuse)
        visitor().get("/categories")
    visitor().get("/categories")
    with without_the_database():
        visitor().get("/categories")


def _refuse() -> NoReturn:
    raise RedisError
