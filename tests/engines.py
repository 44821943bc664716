"""Pytest plugin: a throwaway PostgreSQL and Valkey for the run, unless DATABASE_URL and REDIS_URL name others.

It is named in pyproject.toml's addopts, because the settings are loaded before any conftest is.
"""

import os
import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from config.local import Engines, throwaway_engines

_DATABASES_A_WORKER = 3
_engines: list[Engines] = []
_folders: list[Path] = []


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None]:
    del early_config
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is None:
        _start()
    else:
        _take_own_databases(int(worker.removeprefix("gw")) + 1)
    return (yield)


def pytest_unconfigure() -> None:
    while _engines:
        _engines.pop().stop()
    while _folders:
        shutil.rmtree(_folders.pop(), ignore_errors=True)


def _start() -> None:
    if not (os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL")):
        engines = throwaway_engines()
        addresses = engines.start()
        _engines.append(engines)
        os.environ["DATABASE_URL"] = addresses.database_url
        os.environ["REDIS_URL"] = addresses.redis_url
    os.environ["SLIPWAY_LOCAL"] = "1"
    os.environ["PUBLIC_BASE_URL"] = "http://testserver.localhost"
    # Tests ask more often than a minute allows; those of the limits switch them on.
    os.environ["RATE_LIMIT_PER_KEY"] = os.environ["RATE_LIMIT_PER_ADDRESS"] = "0"
    os.environ.setdefault("SECRET_KEY", "only-for-tests-" + "0123456789" * 5)
    data_dir = Path(tempfile.mkdtemp(prefix="slipway-tests-"))
    (data_dir / "static").mkdir()
    os.environ["SLIPWAY_DATA_DIR"] = str(data_dir)
    _folders.append(data_dir)


def _take_own_databases(number: int) -> None:
    url = os.environ["REDIS_URL"]
    first = number * _DATABASES_A_WORKER
    os.environ["REDIS_URL"] = f"{url}?db={first}" if url.startswith("unix://") else f"{url.rstrip('/0')}/{first}"
