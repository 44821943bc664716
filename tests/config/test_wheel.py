"""The wheel has everything: unpacked, it runs in an empty folder without a checkout."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from configparser import ConfigParser
from pathlib import Path
from zipfile import ZipFile

import httpx2
import pytest

from tests.config.support import PROJECT
from tests.leftovers import bare_environment
from tests.running import Running, running
from tests.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.processes

# Every package is installed anew.
INSTALL_SECONDS = 3000


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=PROJECT,
        check=True,
        capture_output=True,
    )
    [result] = folder.glob("slipway-*.whl")
    return result


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    """The folder that the wheel is unpacked into."""
    folder = wheel.parent / "installed"
    with ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture(scope="module")
def started(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("empty")
    # A relative name: what is kept goes below the folder that the command is run in.
    command = ("/bin/bash", "-c", f'exec {sys.executable} -P -m config up "$@"', "up")
    paths = {"PYTHONPATH": os.pathsep.join([str(installed)])}
    with running(folder / "data", private_hosts=[], command=command, cwd=folder, settings=paths) as up:
        yield up


def test_the_wheel_has_the_command(installed: Path) -> None:
    [listed] = installed.glob("slipway-*.dist-info/entry_points.txt")
    entries = ConfigParser()
    entries.read_string(listed.read_text())
    assert dict(entries["console_scripts"]) == {"slipway": "config.command:main"}


def test_pages_and_static_files_come_from_the_wheel(started: Running, installed: Path) -> None:
    page = httpx2.get(started.base_url, timeout=PATIENCE_SECONDS)
    assert page.status_code == 200
    assert str(started.up["demo"]["email"])
    assert httpx2.get(f"{started.base_url}/static/favicon.svg", timeout=PATIENCE_SECONDS).status_code == 200
    assert httpx2.get(f"{started.base_url}/about/design", timeout=PATIENCE_SECONDS).status_code == 404
    commands = [Path(f"/proc/{pid}/cwd").resolve() for pid in started.children("python")]
    assert installed in commands


@pytest.mark.nightly
@pytest.mark.timeout(2 * INSTALL_SECONDS)
def test_pip_installs_it_with_the_newest_packages(
    wheel: Path, tmp_path: Path, measure: Callable[[str, float], None]
) -> None:
    """These may be newer than those of the lock, with which all other tests run."""
    tmp_path.chmod(0o711)
    began = time.monotonic()
    for words in (
        [sys.executable, "-m", "venv", "slipway"],
        ["slipway/bin/pip", "install", "-q", f"{wheel}[local]"],
    ):
        subprocess.run(words, cwd=tmp_path, env=bare_environment(), check=True, capture_output=True)
    measure("seconds to install the wheel", time.monotonic() - began)
    command = (str(tmp_path / "slipway/bin/slipway"), "up")
    with running(tmp_path / "data", private_hosts=[], command=command, cwd=tmp_path) as up:
        assert httpx2.get(f"{up.base_url}/static/favicon.svg", timeout=PATIENCE_SECONDS).status_code == 200
        assert [log.read_text() for log in tmp_path.glob("data/logs/errors-*")] == []
