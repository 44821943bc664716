"""End what a run of tests has left behind, once it has ended: also when it was interrupted or killed.

pytest, `.ci/run` and benchmarks start this process. What they start has the folder of the run in its environment.

usage: python -m tests.leftovers STARTER_PID FOLDER
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from config.supervisor.processes import end_leftovers

PROJECT = Path(__file__).resolve().parents[1]
FOLDER = "SLIPWAY_TESTS_FOLDER"


def start_watcher() -> Path:
    """Have all that this process starts from now on end with it. Returns a new folder, which ends with it, too."""
    folder = Path(tempfile.mkdtemp(prefix="slipway-tests-"))
    os.environ[FOLDER] = str(folder)
    none = subprocess.DEVNULL
    command = [sys.executable, "-S", "-m", "tests.leftovers", str(os.getpid()), str(folder)]
    watcher = subprocess.Popen(command, cwd=PROJECT, stdin=none, stdout=none, stderr=none)
    # It outlives this process, which Popen would warn of.
    watcher.returncode = 0
    return folder


def bare_environment() -> dict[str, str]:
    """Return an environment for a process that gets nothing of the test's, but ends with the run."""
    return {name: os.environ[name] for name in ("PATH", "HOME", FOLDER) if name in os.environ}


def main() -> None:
    starter, folder = int(sys.argv[1]), Path(sys.argv[2])
    # Away from the terminal's Ctrl-C, and from who kills the whole group.
    with suppress(PermissionError):
        os.setsid()
    while os.getppid() == starter:
        time.sleep(0.2)
    end_leftovers(f"{FOLDER}={folder}")
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
