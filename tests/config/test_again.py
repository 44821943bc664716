"""CI runs what failed once more: what passes then is flaky, what fails again or in numbers is red."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.config.support import PROJECT

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


def again(folder: Path, tests: str, *arguments: str) -> tuple[int, str]:
    (folder / "test_sample.py").write_text(tests)
    command = [sys.executable, str(PROJECT / ".ci" / "again.py"), *arguments]
    environment = {"PATH": os.environ["PATH"]}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


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


def test_a_run_that_breaks_off_is_red(tmp_path: Path) -> None:
    assert again(tmp_path, "import nothing_of_that_name", "-n", "0")[0] == 2
