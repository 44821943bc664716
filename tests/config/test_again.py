"""CI runs what failed once more: what passes then is flaky, what fails again or in numbers is red."""

import signal
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from config.supervisor.processes import is_alive
from tests.config.support import PROJECT
from tests.faults.processes import Process, started
from tests.leftovers import bare_environment
from tests.waiting import wait_for

pytestmark = pytest.mark.processes

FAILS_ONCE = """
import pathlib
import pytest

@pytest.mark.parametrize("case", range({cases}))
@pytest.mark.filterwarnings("error")
def test_a_rule(case, record_property):
    ran_before = pathlib.Path(f"ran-{{case}}")
    if not ran_before.exists():
        ran_before.touch()
        raise AssertionError("the first time")
"""

WAITS = """
import os
import pathlib
import time
import pytest

@pytest.fixture
def installation():
    yield
    time.sleep(1)
    pathlib.Path("torn-down").touch()

def test_a_rule(installation):
    pathlib.Path("begun.new").write_text(str(os.getpid()))
    pathlib.Path("begun.new").rename("begun")
    time.sleep(600)
"""


def again(folder: Path, tests: str, *arguments: str) -> tuple[int, str]:
    with run_of(folder, tests, *arguments) as process:
        output, _ = process.communicate()
    return process.returncode, output


def run_of(folder: Path, tests: str, *arguments: str) -> AbstractContextManager[Process]:
    (folder / "test_sample.py").write_text(tests)
    command = [sys.executable, str(PROJECT / ".ci" / "again.py"), *arguments]
    return started(command, cwd=folder, env=bare_environment(), stdout=subprocess.PIPE)


@pytest.mark.parametrize("workers", ["0", "1"])
def test_what_passes_alone_is_reported_as_flaky(tmp_path: Path, workers: str) -> None:
    code, output = again(tmp_path, FAILS_ONCE.format(cases=2), "-n", workers)
    assert code == 0
    assert output.count("FLAKY test_sample.test_a_rule") == 2
    assert "AssertionError: the first time" in output.partition("FLAKY")[2]


def test_what_fails_twice_is_red(tmp_path: Path) -> None:
    code, output = again(tmp_path, "def test_a_rule(): assert False\ndef test_another(): pass", "-n", "0")
    assert code == 1
    assert "FLAKY" not in output


def test_many_failures_are_red(tmp_path: Path) -> None:
    assert again(tmp_path, FAILS_ONCE.format(cases=4), "-n", "0")[0] == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_run_ends(tmp_path: Path, number: int) -> None:
    """What a test has started is stopped first, if it is no kill."""
    with run_of(tmp_path, WAITS, "-n", "0") as process:
        wait_for((tmp_path / "begun").exists)
        process.send_signal(number)
        process.communicate()
    runner = int((tmp_path / "begun").read_text())
    wait_for(lambda: not is_alive(runner))
    assert process.returncode == (2 if number == signal.SIGINT else -number)
    assert (tmp_path / "torn-down").exists() == (number == signal.SIGINT)


def test_a_run_that_breaks_off_is_red(tmp_path: Path) -> None:
    assert again(tmp_path, "import nothing_of_that_name", "-n", "0")[0] == 2
