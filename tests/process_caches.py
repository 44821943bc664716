"""A plugin of pytest: what caches hold does not reach the next test."""

import os
import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from typing import Any

import pytest

# For an answer of Valkey, which a busy machine may keep waiting.
VALKEY_SECONDS = 60


class Forgetful(dict[Any, Any]):
    """Keep nothing: the first request of a test makes as many queries as the next ones, so tests can compare them."""

    def __setitem__(self, key: Any, value: Any) -> None:
        """Leave it out."""


def forget_everything() -> None:
    """Empty all caches, as if time had passed: those of this process, and that in Valkey for all processes."""
    from django.core.cache import caches

    from apps.core.stores.valkey import generations
    from apps.listings.search import queries
    from apps.sites import middleware
    from apps.webhooks.delivery import queueing

    for store in caches.all():
        store.clear()
    for cached in (
        generations._generation_cache,
        middleware._site_cache,
        queries._count_cache,
        queries._top_cache,
        queueing._looks,
    ):
        cached.clear()


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    from apps.core.api import rate_limits
    from apps.core.stores.valkey import counters, generations
    from apps.core.stores.valkey.circuit_breaker import CircuitBreaker
    from apps.sites import middleware

    for module in (counters, generations):
        monkeypatch.setattr(module, "_TIMEOUT_SECONDS", VALKEY_SECONDS)
    monkeypatch.setattr(rate_limits, "breaker", CircuitBreaker())
    monkeypatch.setattr(generations, "breaker", CircuitBreaker(log_as=generations.LOG_AS))
    monkeypatch.setattr(middleware, "_site_cache", Forgetful())
    forget_everything()


@pytest.fixture(scope="session", autouse=True)
def _root_certificates_read_once() -> None:
    """Share one context between the clients of tests that verify as the environment says: each read 20 ms of files."""
    import httpcore2

    read = httpcore2.default_ssl_context

    @cache
    def shared(*_environment: str | None) -> Any:
        return read(_trust_env=True)

    def context(*, _trust_env: bool = True) -> Any:
        return shared(*map(os.environ.get, ("SSL_CERT_FILE", "SSL_CERT_DIR"))) if _trust_env else read(_trust_env=False)

    httpcore2.default_ssl_context = context


@pytest.fixture
def valkey_out(db: None) -> Callable[[str], AbstractContextManager[str]]:
    """While entered with `refuses` or `is silent`, Valkey does that at the address given: it is silent after .1 s."""
    from django.conf import settings as installed
    from django.test import override_settings

    from apps.core.stores.valkey import counters, generations

    @contextmanager
    def out(kind: str) -> Iterator[str]:
        with pytest.MonkeyPatch.context() as patch, socket.socket() as server:
            for module in (counters, generations):
                patch.setattr(module, "_TIMEOUT_SECONDS", 0.1)
            server.bind(("127.0.0.1", 0))
            if kind == "is silent":
                server.listen(64)
            url = f"redis://127.0.0.1:{server.getsockname()[1]}/0"
            cache: Any = installed.CACHES["default"]
            options = {**cache["OPTIONS"], "socket_timeout": 0.1, "socket_connect_timeout": 0.1}
            caches = {**installed.CACHES, "default": {**cache, "LOCATION": url, "OPTIONS": options}}
            with override_settings(CACHES=caches, REDIS_LIMITS_URL=url, CELERY_BROKER_URL=url):
                reconnect()
                yield url
        reconnect()

    return out


def reconnect() -> None:
    """Have the next request connect to Valkey anew, as after a change of the address in the settings."""
    from apps.core.stores.valkey import counters, generations

    for connected in (counters.valkey, counters.script, generations.cache_client, generations.cache_script):
        connected.cache_clear()
