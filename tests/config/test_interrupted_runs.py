"""Nothing that a run of tests started outlives it, however the run is interrupted."""

import ctypes
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from signal import Signals

import pytest

from config.supervisor.processes import wait_until
from tests.config.support import clean_environment
from tests.faults.processes import descendants, kill, started
from tests.waiting import wait_for

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.processes,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a process adopt orphans"),
]

_PR_SET_CHILD_SUBREAPER = 36
_MIDDLE_SECONDS = 900
_GONE_SECONDS = 180
_PYTEST = [sys.executable, "-m", "pytest"]
_AGAIN = [sys.executable, ".ci/again.py"]
# How a run is started, and words of the command line of a process that is there in its middle.
RUNS = {
    "database": ([*_PYTEST, "-n", "2", "tests/launches"], "_gw1 "),
    "installation": ([*_AGAIN, "-n", "0", "tests/test_slow_clients.py"], "celerybeat"),
    "browser": ([*_PYTEST, "-n", "0", "tests/browser/test_search.py"], "--type=renderer"),
    "conformance": ([*_PYTEST, "-n", "0", "tests/conformance/test_server.py"], "conformance/dist/index.js"),
}


@pytest.fixture(scope="module")
def temp() -> Iterator[Path]:
    """The temporary folder of the runs. The files of their engines stay there from run to run."""
    with tempfile.TemporaryDirectory(prefix="slipway-runs-") as folder:
        # PostgreSQL's user cannot enter pytest's own folders.
        Path(folder).chmod(0o711)
        yield Path(folder)


@pytest.fixture
def left() -> Iterator[Callable[[], dict[int, str]]]:
    """The command lines of what descends from this process and was not there before, by number.

    Orphans become children of this process, which ends them after the test.
    """
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    before = set(descendants(os.getpid()))
    prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def new() -> dict[int, str]:
        return {pid: command for pid, command in descendants(os.getpid()).items() if pid not in before}

    try:
        yield new
    finally:
        while remaining := new():
            kill(*remaining)
            time.sleep(0.1)
        prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


@pytest.mark.parametrize("number", [Signals.SIGINT, Signals.SIGKILL])
@pytest.mark.parametrize("kind", RUNS)
def test_nothing_is_left_of_a_run(
    kind: str,
    number: Signals,
    left: Callable[[], dict[int, str]],
    temp: Path,
    measure: Callable[[str, float], None],
) -> None:
    command, word = RUNS[kind]
    environment = {name: value for name, value in clean_environment().items() if not name.startswith("PYTEST")}
    environment["TMPDIR"] = str(temp)
    before = _folders(temp)
    log = temp / "run.log"

    def is_in_the_middle() -> bool:
        assert run.poll() is None, log.read_text()
        return any(word in each for each in left().values())

    with log.open("w") as output, started(command, env=environment, stdout=output, stderr=output) as run:
        wait_for(is_in_the_middle, seconds=_MIDDLE_SECONDS, pause=0.2)
        count = len(left())
        began = time.monotonic()
        run.send_signal(number)
        is_gone = wait_until(lambda: run.poll() is not None and not left(), seconds=_GONE_SECONDS, pause=0.1)
        took = time.monotonic() - began

    assert is_gone, left()
    assert _folders(temp) == before
    measure(f"seconds from {number.name} to the end of {count} processes, {kind}", took)


def _folders(temp: Path) -> set[Path]:
    """Folders of runs."""
    return set(temp.glob("slipway-tests-????????"))
