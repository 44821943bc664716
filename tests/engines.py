"""Pytest plugin: a PostgreSQL and a Valkey for the run, unless DATABASE_URL and REDIS_URL name others.

They start when the first test that is marked `db` was selected, so that unit tests wait for nothing. PostgreSQL's files
stay for the next run, with the migrated database in them (tests/databases.py). The plugin is named in pyproject.toml's
addopts, because the settings are loaded before any conftest is.
"""

import hashlib
import os
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from config.local import Engines, throwaway_engines
from config.supervisor.processes import StartError
from tests import leftovers

PROJECT = Path(__file__).resolve().parents[1]
_DATABASES_A_WORKER = 3
_START_SECONDS = 600.0
_starters: list["_Starter"] = []


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None]:
    del early_config
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is None:
        _prepare()
    else:
        _take_own_databases(int(worker.removeprefix("gw")) + 1)
    return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """As many as there are cores. Unit tests, one file or one test run in this process: workers would start longer."""
    is_single = len(config.args) == 1 and ".py" in config.args[0]
    return 0 if is_single or config.option.markexpr == "unit" else os.cpu_count() or 1


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Have the engines started once it is known that a test needs them."""
    if not session.config.option.collectonly and any(item.get_closest_marker("db") for item in session.items):
        _ask_for_engines()


def pytest_unconfigure() -> None:
    while _starters:
        _starters.pop().stop()


def _prepare() -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A shell's `&` has this process and all that it starts ignore it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # There the workers of a run ask for the engines, and learn that they are there.
    folder = leftovers.start_watcher()
    (folder / "static").mkdir()
    os.environ["SLIPWAY_DATA_DIR"] = str(folder)
    engines = None
    if not (os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL")):
        engines = _kept_engines() or throwaway_engines()
        os.environ["DATABASE_URL"] = engines.addresses.database_url
        os.environ["REDIS_URL"] = engines.addresses.redis_url
    _starters.append(_Starter(folder, engines))
    os.environ["SLIPWAY_LOCAL"] = "1"
    os.environ["PUBLIC_BASE_URL"] = "http://testserver.localhost"
    # Tests ask more often than a minute allows; those of the limits switch them on.
    os.environ["RATE_LIMIT_PER_KEY"] = os.environ["RATE_LIMIT_PER_ADDRESS"] = "0"
    os.environ.setdefault("SECRET_KEY", "only-for-tests-" + "0123456789" * 5)


def _kept_engines() -> Engines | None:
    """Engines on files that the next run of this checkout finds again; None while another run has them."""
    name = hashlib.sha256(str(PROJECT).encode()).hexdigest()[:8]
    folder = Path(tempfile.gettempdir()) / f"slipway-tests-{os.geteuid()}-{name}"
    # In the temp folder anybody could have made one by that name.
    if folder.is_symlink() or (folder.exists() and folder.stat().st_uid != os.geteuid()):
        return None
    engines = Engines(folder, durable=False)
    try:
        engines.acquire()
    except StartError:
        return None
    return engines


def _take_own_databases(number: int) -> None:
    url = os.environ["REDIS_URL"]
    first = number * _DATABASES_A_WORKER
    os.environ["REDIS_URL"] = f"{url}?db={first}" if url.startswith("unix://") else f"{url.rstrip('/0')}/{first}"


def _ask_for_engines() -> None:
    """Wait until the run's first process has started the engines; raises RuntimeError with its reason if it cannot."""
    folder = Path(os.environ[leftovers.FOLDER])
    (folder / "wanted").touch()
    ends_at = time.monotonic() + _START_SECONDS
    while not (folder / "running").exists():
        if (folder / "failed").exists():
            raise RuntimeError((folder / "failed").read_text())
        if time.monotonic() > ends_at:
            raise RuntimeError("The engines of the tests did not start in time.")
        time.sleep(0.02)


class _Starter:
    """Starts the engines when a process of the run asks for them.

    In a thread that lives as long as the run: engines end with the thread that started them.
    """

    def __init__(self, folder: Path, engines: Engines | None) -> None:
        self._folder = folder
        self._engines = engines
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="engines", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not (self._folder / "wanted").exists():
            if self._is_over.wait(0.02):
                return
        if self._engines is not None:
            try:
                self._start(self._engines)
            except Exception as error:
                (self._folder / "failed").write_text(str(error))
                return
        (self._folder / "running").touch()
        self._is_over.wait()

    def _start(self, engines: Engines) -> None:
        shutil.rmtree(engines.data_dir / "valkey", ignore_errors=True)
        try:
            engines.start()
        except StartError:
            # What a power cut left of files that are never synced.
            shutil.rmtree(engines.data_dir / "postgres", ignore_errors=True)
            engines.start()

    def stop(self) -> None:
        self._is_over.set()
        self._thread.join()
        if self._engines is not None:
            with suppress(psycopg.Error), psycopg.connect(self._engines.addresses.database_url) as connection:
                # It is stopped immediately, and would have to catch up at the next start.
                connection.autocommit = True
                connection.execute("CHECKPOINT")
            self._engines.stop()
