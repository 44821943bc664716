"""What `.ci/run` needs beyond the README's test command: the packages of requirements-interop.lock."""

import os
import tomllib
from importlib import metadata
from pathlib import Path
from typing import NoReturn

import pytest
from packaging.requirements import Requirement

INSTALL = ".venv/bin/pip install -q --no-deps -r requirements-interop.lock"
_PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"


def require() -> None:
    """Skip the test if a package of the extra `interop` is missing. With CI set, fail it."""
    extra = tomllib.loads(_PROJECT.read_text())["project"]["optional-dependencies"]["interop"]
    missing = [name for name in (Requirement(line).name for line in extra) if not _is_installed(name)]
    if missing:
        unavailable(f"run {INSTALL}, which has {', '.join(missing)}")


def unavailable(message: str) -> NoReturn:
    """Skip the test, as this machine lacks what it needs. With CI set, fail it."""
    if "CI" in os.environ:
        pytest.fail(message)
    pytest.skip(message)


def _is_installed(name: str) -> bool:
    try:
        metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return False
    return True
