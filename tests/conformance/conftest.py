"""The packages, the product as `manage.py up` starts it, and the fixture operations beside it on the same engines."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from signal import SIGTERM

import httpx2
import pytest

from config.supervisor.up import free_port
from tests.conformance import npm
from tests.conformance.person import Person
from tests.faults.processes import Process, started
from tests.installation import LIMITS
from tests.leftovers import bare_environment
from tests.running import Running
from tests.waiting import PATIENCE_SECONDS, wait_for


@pytest.fixture(scope="session")
def packages() -> npm.Packages:
    """The npm packages; without them the tests are skipped, and fail in CI."""
    return npm.needed()


@pytest.fixture(scope="session")
def with_fixtures(slipway: Running) -> Iterator[Callable[[str], str]]:
    """Addresses of /mcp with the fixture operations, by the form it is served in: rsgi or wsgi."""
    with ExitStack() as stack:
        started: dict[str, str] = {}

        def address(form: str) -> str:
            if form not in started:
                started[form] = stack.enter_context(_serving(form, slipway.data_dir))
            return started[form]

        yield address


@contextmanager
def _serving(form: str, data_dir: Path) -> Iterator[str]:
    port = free_port("127.0.0.1", 0)
    origin = f"http://127.0.0.1:{port}"
    env = {
        **bare_environment(),
        "DJANGO_SETTINGS_MODULE": "tests.conformance.fixture_app.settings",
        "PUBLIC_BASE_URL": origin,
        "SLIPWAY_DATA_DIR": str(data_dir),
        **LIMITS,
    }
    command = [sys.executable, "-m", "granian", "--interface", form, "--port", str(port), "--http", "1", "--no-ws"]
    command += ["--log-level", "warning", f"config.{form}:application"]
    log = data_dir.parent / f"{form}.log"
    with log.open("w") as output, started(command, stop=SIGTERM, env=env, stdout=output, stderr=output) as server:
        wait_for(lambda: _answers(f"{origin}/mcp", server, log))
        yield f"{origin}/mcp"


def _answers(url: str, server: Process, log: Path) -> bool:
    assert server.poll() is None, log.read_text()[-4000:]
    with suppress(httpx2.TransportError):
        return httpx2.get(url, timeout=PATIENCE_SECONDS).status_code == 405
    return False


@pytest.fixture
def person(slipway: Running) -> Iterator[Person]:
    """The demo owner, not yet signed in."""
    made = Person(slipway)
    yield made
    made.close()
