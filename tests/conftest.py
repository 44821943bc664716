"""Personas and shared objects: owner, other_owner, buyer, anonymous, a site admin.

The fixtures import what they make: one unit test starts in a second because it loads no factories and no API client.
"""

import gc
import os
import re
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings as configured
from django.test import Client, TransactionTestCase
from redis import Redis

from tests import interop
from tests.process_caches import VALKEY_SECONDS

if TYPE_CHECKING:
    from apps.accounts.models import User
    from apps.sites.models import Site
    from tests.api import ApiClient

pytest_plugins = ["tests.installation"]

# jsonschema would have this build 38 parsers, which takes two seconds, for formats that no schema here has.
sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]  # what an import of it finds

# Installations that the tests of several files share. One worker runs all of these.
_SHARED = {"installation", "slipway"}
_DATABASE = {"db", "transactional_db", "django_db_setup", "live_server"}
# Marks of a whole file, of which one is enough to keep it from holding a unit test.
_NO_UNIT_TESTS = re.compile(r"^pytestmark = .*\bmark\.(django_db|db|processes)\b", re.M)
# Fixtures of every test that do something only for one with a mark, with another fixture, or of a kind.
SERVES = {
    "_clean_valkey": "db",
    "_dj_autoclear_mailbox": "db",
    # For django.contrib.sites, which is not installed.
    "_django_clear_site_cache": None,
    "_django_db_marker": "django_db",
    "_django_isolate_apps": "django_isolate_apps",
    "_django_set_urlconf": "urls",
    "_django_setup_unittest": "TestCaseFunction",
    "_live_server_helper": "live_server",
    "_nothing_kept": "db",
    "_root_certificates_read_once": "db",
    "_template_string_if_invalid_marker": "ignore_template_errors",
}


def pytest_configure() -> None:
    """Hash passwords quickly, and give a slow Valkey time: a busy machine is no outage."""
    quick = "django.contrib.auth.hashers.MD5PasswordHasher"
    configured.PASSWORD_HASHERS = [quick, *configured.PASSWORD_HASHERS]
    cache: Any = configured.CACHES["default"]
    cache["OPTIONS"].update(socket_timeout=VALKEY_SECONDS, socket_connect_timeout=VALKEY_SECONDS)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave files of database tests unread in `pytest -m unit`: to import them takes longer than the unit tests."""
    if config.option.markexpr != "unit" or collection_path.suffix != ".py":
        return None
    is_browser = collection_path.parent.name == "browser"
    return is_browser or bool(_NO_UNIT_TESTS.search(collection_path.read_text())) or None


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Spare the garbage collector the modules and tests, which live as long as the run: it went through all again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        # The garbage of tests is mostly in no circles, so that going through it finds little.
        gc.set_threshold(50_000)
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Take away Hypothesis' part of the report: to say nothing, it would load all of Hypothesis."""
    if "hypothesis" not in sys.modules and not session.testsfailed:
        session.config.pluginmanager.unregister(name="hypothesispytest")


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Generator[None]:
    """Mark the tests, and order them so that neither a core is idle nor a worker alone with a slow one at the end.

    Slow tests mostly wait. The groups come first, as each keeps one worker for minutes; the other slow tests are
    spread over the first two thirds of the quick ones.
    """
    for item in items:
        _mark_by_use(item)
        if isinstance(item, pytest.Function):
            _leave_out_fixtures(item)
    yield
    kinds: dict[str, list[pytest.Item]] = {"xdist_group": [], "slow": [], "": []}
    for item in items:
        marks = {mark.name for mark in item.iter_markers()}
        kinds[next((kind for kind in kinds if kind in marks), "")].append(item)
    groups, slow, ordered = kinds.values()
    step = 1 + 2 * len(ordered) // (3 * len(slow) + 1)
    for index, item in enumerate(slow):
        ordered.insert(index * step, item)
    items[:] = groups + ordered


def _mark_by_use(item: pytest.Item) -> None:
    """Mark a test `db` or, if it is quick, `unit`. Processes of its own need the engines of the run only as told."""
    names = set(getattr(item, "fixturenames", []))
    if item.nodeid.startswith("tests/browser/"):
        item.add_marker("browser")
        item.add_marker("processes")
    if item.get_closest_marker("processes"):
        shared = set() if item.get_closest_marker("browser") else _SHARED & names
        item.add_marker(pytest.mark.xdist_group(next(iter(shared), item.path.stem)))
    if item.get_closest_marker("browser") or "packages" in names:
        item.add_marker("interop")
    marks = {mark.name for mark in item.iter_markers()}
    if {"processes", "interop"} & marks:
        item.add_marker("slow")
    is_case = issubclass(getattr(item, "cls", None) or object, TransactionTestCase)
    if is_case or "django_db" in marks or _DATABASE & names:
        item.add_marker("db")
    elif not {"db", "slow", "table"} & {mark.name for mark in item.iter_markers()}:
        item.add_marker("unit")


def _leave_out_fixtures(item: pytest.Function) -> None:
    """Spare a test the fixtures that do nothing for it, which took most of the time of a quick one."""
    has = {type(item).__name__, *item.fixturenames, *(mark.name for mark in item.iter_markers())}
    item.fixturenames = [name for name in item.fixturenames if SERVES.get(name, name) in has]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip before a fixture starts anything. A skip in a fixture would have a line in the summary for each test."""
    if item.get_closest_marker("interop"):
        interop.require()


@pytest.fixture(scope="session")
def django_db_createdb() -> bool:
    """Whether an earlier test database is replaced: always, for a copy is there sooner than migrations are compared."""
    return True


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, django_test_environment: None, django_db_blocker: Any
) -> Iterator[None]:
    """Have the test database made as a copy of the migrated one, and brought back to that after commits."""
    from django.db import connection

    from tests.databases import migrated_database, restored_after_commits

    with django_db_blocker.unblock():
        template = migrated_database()
    connection.settings_dict["TEST"] |= {"TEMPLATE": template, "MIGRATE": False}
    with restored_after_commits():
        yield


@pytest.fixture
def measure(record_property: Callable[[str, object], None]) -> Callable[[str, float], None]:
    """Note a figure for the report at the end of the run. Figures are reported, never asserted."""

    def note(name: str, value: float) -> None:
        record_property(f"measured: {name}", f"{value:.1f}")

    return note


def pytest_terminal_summary(terminalreporter: Any) -> None:
    for report in terminalreporter.stats.get("passed", []):
        for name, value in report.user_properties:
            if name.startswith("measured: "):
                terminalreporter.write_line(f"{name}: {value}")


@pytest.fixture
def site(db: None) -> "Site":
    """The default site."""
    from apps.sites.models import Site

    return Site.objects.get(is_default=True)


@pytest.fixture
def owner(db: None) -> "ApiClient":
    return _client("owner@example.com")


@pytest.fixture
def other_owner(db: None) -> "ApiClient":
    return _client("other-owner@example.com")


@pytest.fixture
def buyer(db: None) -> "ApiClient":
    return _client("buyer@example.com")


@pytest.fixture
def anonymous(db: None) -> "ApiClient":
    from tests.api import ApiClient

    return ApiClient()


def _client(email: str) -> "ApiClient":
    from tests.api import ApiClient
    from tests.factories import UserFactory

    return ApiClient(UserFactory.create(email=email))


@pytest.fixture
def member(db: None) -> "User":
    """A site admin with every permission."""
    from tests.factories import UserFactory

    made: User = UserFactory.create(is_staff=True, is_superuser=True, name="Tess Team")
    return made


@pytest.fixture
def team(client: Client, member: "User") -> Client:
    """The member's browser."""
    client.force_login(member)
    return client


@pytest.fixture
def media(settings: Any, tmp_path: Path) -> Path:
    """A storage of the test's own: other tests store pictures at the same time."""
    settings.MEDIA_ROOT = tmp_path / "media"
    return tmp_path / "media"


@pytest.fixture(scope="session")
def _valkeys() -> Iterator[list[Redis]]:
    """Connections to the databases of the cache, of the limits and of the queues."""
    urls = (configured.CACHES["default"]["LOCATION"], configured.REDIS_LIMITS_URL, os.environ["REDIS_URL"])
    opened = [Redis.from_url(str(url)) for url in urls]
    yield opened
    for valkey in opened:
        valkey.close()


@pytest.fixture(autouse=True)
def _clean_valkey(request: pytest.FixtureRequest) -> Iterator[None]:
    """Counters, cached values and waiting tasks of one test do not reach the next."""
    valkeys: list[Redis] = request.getfixturevalue("_valkeys")
    yield
    for valkey in valkeys:
        if valkey.dbsize():
            valkey.flushdb()
