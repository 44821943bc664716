"""Data directories for engines of a test's own."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.local.places import socket_dir


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """One that PostgreSQL's user can reach; pytest's own folders are closed to others."""
    folder = Path(tempfile.mkdtemp(prefix="slipway-test-"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(socket_dir(folder), ignore_errors=True)
    shutil.rmtree(folder)
