"""Personas and shared objects: owner, other_owner, buyer, anonymous, a member of the site team."""

from collections.abc import Callable, Iterator
from typing import Any

import hypothesis
import pytest
from django.test import Client, TransactionTestCase
from redis import Redis

from apps.accounts.models import User
from apps.core.api import rate_limits
from apps.core.valkey.circuit_breaker import CircuitBreaker
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import UserFactory

# A busy machine is no defect: tests do not assert durations.
hypothesis.settings.register_profile("slipway", deadline=None)
hypothesis.settings.load_profile("slipway")


_NEEDS_DATABASE = {"db", "transactional_db", "django_db_setup", "live_server"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test `unit` or `db`, unless it starts processes, and keep what the migrations put into the database.

    Tests that empty the database get that back: sites, categories, products, rates.
    """
    for item in items:
        names = getattr(item, "fixturenames", [])
        if not any(item.get_closest_marker(name) for name in ("processes", "db")):
            is_case = issubclass(getattr(item, "cls", None) or object, TransactionTestCase)
            is_db = is_case or bool(item.get_closest_marker("django_db") or _NEEDS_DATABASE & set(names))
            item.add_marker("db" if is_db else "unit")
        marker = item.get_closest_marker("django_db")
        if marker and marker.kwargs.get("transaction"):
            item.add_marker(pytest.mark.django_db(**{**marker.kwargs, "serialized_rollback": True}), append=False)
        elif {"transactional_db", "live_server"} & set(names):
            names.insert(0, "django_db_serialized_rollback")


@pytest.fixture
def measure(record_property: Callable[[str, object], None]) -> Callable[[str, float], None]:
    """Note a figure for the end of the run's report; figures are told, never asserted."""

    def note(name: str, value: float) -> None:
        record_property(f"measured: {name}", f"{value:.1f}")

    return note


def pytest_terminal_summary(terminalreporter: Any) -> None:
    for report in terminalreporter.stats.get("passed", []):
        for name, value in report.user_properties:
            if name.startswith("measured: "):
                terminalreporter.write_line(f"{name}: {value}")


@pytest.fixture
def site(db: None) -> Site:
    """The default site."""
    return Site.objects.get(is_default=True)


@pytest.fixture
def owner(db: None) -> ApiClient:
    return ApiClient(UserFactory.create(email="owner@example.com"))


@pytest.fixture
def other_owner(db: None) -> ApiClient:
    return ApiClient(UserFactory.create(email="other-owner@example.com"))


@pytest.fixture
def buyer(db: None) -> ApiClient:
    return ApiClient(UserFactory.create(email="buyer@example.com"))


@pytest.fixture
def member(db: None) -> User:
    """One of the site team, with every right."""
    made: User = UserFactory.create(is_staff=True, is_superuser=True, name="Tess Team")
    return made


@pytest.fixture
def team(client: Client, member: User) -> Client:
    """The member's browser."""
    client.force_login(member)
    return client


@pytest.fixture
def anonymous(db: None) -> ApiClient:
    return ApiClient()


@pytest.fixture(autouse=True)
def _quick_passwords(settings: Any) -> None:
    """Storing and checking a password takes a tenth of a second, on purpose; in tests that adds up to minutes."""
    quick = "django.contrib.auth.hashers.MD5PasswordHasher"
    settings.PASSWORD_HASHERS = [quick, *(name for name in settings.PASSWORD_HASHERS if name != quick)]


@pytest.fixture(autouse=True)
def _clean_valkey(request: pytest.FixtureRequest, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Counters and cached values of one test do not reach the next, nor does an outage."""
    monkeypatch.setattr(rate_limits, "breaker", CircuitBreaker())
    yield
    if request.node.get_closest_marker("unit"):
        return
    for url in (settings.CACHES["default"]["LOCATION"], settings.REDIS_LIMITS_URL):
        with Redis.from_url(url) as valkey:
            if valkey.dbsize():
                valkey.flushdb()
