"""What a run of tests starts ends with it."""

import ast
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from config.supervisor.processes import is_alive
from tests.config.support import mentioning
from tests.faults.processes import started
from tests.leftovers import PROJECT, bare_environment
from tests.waiting import wait_for

_MARKED = {"os.environ", "bare_environment()"}
# It starts a process in another session that ignores what a terminal or a supervisor would send to it.
_RUN = """
import subprocess, sys, time
from tests import leftovers

folder = leftovers.start_watcher()
deaf = "import signal, time; [signal.signal(number, signal.SIG_IGN) for number in (1, 2, 15)]"
command = [sys.executable, "-c", f"{deaf}; print(flush=True); time.sleep(600)"]
child = subprocess.Popen(command, env=leftovers.bare_environment(), start_new_session=True, stdout=subprocess.PIPE)
child.stdout.readline()
print(folder, child.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.processes
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_run_leaves_nothing(number: int) -> None:
    command = [sys.executable, "-c", _RUN]
    with started(command, stop=None, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as run:
        assert run.stdout
        folder, pid = run.stdout.readline().split()
        assert Path(folder).is_dir()
        assert is_alive(int(pid))
        run.send_signal(number)
    wait_for(lambda: not is_alive(int(pid)))
    wait_for(lambda: not Path(folder).exists())


@pytest.mark.processes
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_ci_leaves_nothing(tmp_path: Path, number: int) -> None:
    packages = [f"{name}/__init__.py" for name in ("config", "config/supervisor", "tests")]
    for name in (*packages, ".ci/run", "config/supervisor/processes.py", "tests/leftovers.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(PROJECT / name, tmp_path / name)
    seconds = [f"600.{os.getpid()}{number}{part}" for part in (1, 2)]
    # As a shell starts it, what runs in the background ignores SIGINT.
    install = "mkdir -p .venv/bin; ln -s /bin/true .venv/bin/pip"
    command = f"{install} && setsid sleep {seconds[0]} & exec sleep {seconds[1]}"
    (tmp_path / "README.md").write_text(f"<!-- test -->\n```sh\n{command}\n```\n")
    # Every package is there.
    (tmp_path / "dpkg").symlink_to("/bin/true")
    path = os.pathsep.join([str(tmp_path), str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**bare_environment(), "PATH": path, "TMPDIR": str(tmp_path)}
    with started([".ci/run", "fast"], stop=None, cwd=tmp_path, env=environment, start_new_session=True) as run:
        wait_for(lambda: all(mentioning(f"sleep\0{part}") for part in seconds))
        assert list(tmp_path.glob("slipway-tests-*"))
        if number == signal.SIGINT:
            os.killpg(run.pid, number)
        else:
            run.send_signal(number)
    wait_for(lambda: not any(mentioning(f"sleep\0{part}") for part in seconds))
    wait_for(lambda: not list(tmp_path.glob("slipway-tests-*")))


def test_environments_that_tests_make_up_name_the_run() -> None:
    """A process without the run's folder in its environment would not be found after the run."""
    texts = {path: path.read_text() for path in (PROJECT / "tests").rglob("*.py")}
    made_up = [
        f"{path.relative_to(PROJECT)}:{node.lineno}"
        for path, text in texts.items()
        if '"PATH":' in text
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Dict) and "PATH" in map(_value, node.keys) and not _MARKED & _spread(node)
    ]
    assert made_up == []
    assert {"PATH", "SLIPWAY_TESTS_FOLDER"} <= bare_environment().keys()


def _spread(node: ast.Dict) -> set[str]:
    return {ast.unparse(value) for key, value in zip(node.keys, node.values, strict=True) if key is None}


def _value(node: ast.expr | None) -> object:
    return node.value if isinstance(node, ast.Constant) else None
