"""Programs that are forked from a loaded project are as good as started: children, signals, output, environment."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.supervisor.forking import Forker, can_fork
from config.supervisor.processes import MARK, Child, Program, is_alive
from tests.config.support import PROJECT
from tests.faults.processes import started
from tests.waiting import PATIENCE_SECONDS, wait_for

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(not can_fork(), reason="only Linux lets a process adopt another one's fork"),
]

# What crawls, invoices, models and buckets need, and nothing else does.
SELDOM_USED = {"boto3", "extruct", "htmldate", "numpy", "openai", "py3langid", "trafilatura", "weasyprint"}
_PROGRAM = """
import heavy, os, sys, time
print(heavy.made_by, os.getppid(), os.environ["WORD"], os.getcwd(), *sys.argv[1:], flush=True)
print("to standard error", file=sys.stderr, flush=True)
if "wait" in sys.argv:
    time.sleep(3600)
sys.exit(3)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "heavy.py").write_text("import os\nmade_by = os.getpid()\n")
    (tmp_path / "program.py").write_text(_PROGRAM)
    return tmp_path


@pytest.fixture
def forker(folder: Path) -> Iterator[Forker]:
    made = Forker([sys.executable, "-P"], ["heavy"], env={**os.environ, MARK: "forking"}, cwd=folder)
    made.start()
    wait_for(made.is_ready)
    yield made
    made.stop()


def _program(folder: Path, *words: str) -> Program:
    argv = [sys.executable, str(folder / "program.py"), *words]
    env = {**os.environ, "WORD": "said", "PYTHONPATH": str(folder)}
    return Program(name="test", argv=argv, env=env, cwd=folder, capture=True, stop_seconds=5)


def test_a_program_shares_what_was_loaded_and_is_our_child(
    folder: Path, forker: Forker, capfd: pytest.CaptureFixture[str]
) -> None:
    child = Child(_program(folder, "a b"), fork=forker.fork)
    child.start()
    assert child.wait(PATIENCE_SECONDS)
    child.finish_output()
    assert child.captured == [f"{forker.pid} {os.getpid()} said {folder} a b"]
    assert child.poll() == 3
    assert capfd.readouterr().err == "test     | to standard error\n"


def test_it_is_told_apart_and_stopped(folder: Path, forker: Forker) -> None:
    child = Child(_program(folder, "wait"), fork=forker.fork)
    child.start()
    wait_for(lambda: len(child.captured) == 1)
    command = Path(f"/proc/{child.pid}/cmdline").read_text().rstrip("\0").split("\0")
    assert command == child.program.argv
    assert os.getpgid(child.pid) == child.pid
    assert f"{MARK}=forking" in Path(f"/proc/{child.pid}/environ").read_text().split("\0")
    child.stop()
    assert child.poll() == -signal.SIGTERM
    assert forker.is_ready()


def test_without_the_loaded_project_it_is_started_as_any_other(folder: Path, forker: Forker) -> None:
    running = Child(_program(folder, "wait"), fork=forker.fork)
    running.start()
    wait_for(lambda: len(running.captured) == 1)
    forker.kill_group()
    assert forker.wait(PATIENCE_SECONDS)
    child = Child(_program(folder), fork=forker.fork)
    child.start()
    assert child.wait(PATIENCE_SECONDS)
    child.finish_output()
    assert child.captured[0].split()[0] == str(child.pid)
    assert running.poll() is None, "what it had forked before goes on"
    running.stop()


def test_it_ends_with_its_starter_however_that_ends(folder: Path) -> None:
    code = f"""
import sys, time
from pathlib import Path
from config.supervisor.forking import Forker
from config.supervisor.processes import Child
from tests.config import test_forking
forker = Forker([sys.executable, "-P"], ["heavy"], env=dict(test_forking.os.environ), cwd=Path({str(folder)!r}))
forker.start()
while not forker.is_ready(): time.sleep(0.01)
child = Child(test_forking._program(Path({str(folder)!r}), "wait"), fork=forker.fork)
child.start()
while not child.captured: time.sleep(0.01)
print(forker.pid, child.pid, flush=True)
time.sleep(3600)
"""
    command = [sys.executable, "-c", code]
    with started(command, stdout=subprocess.PIPE) as starter:
        assert starter.stdout is not None
        pids = [int(word) for word in starter.stdout.readline().split()]
        assert len(pids) == 2
    wait_for(lambda: not any(is_alive(pid) for pid in pids))


def _loaded_by(code: str) -> set[str]:
    env = {**os.environ, "SLIPWAY_LOCAL": "1", "PUBLIC_BASE_URL": "http://testserver.localhost"}
    look = f"import sys\n{code}\nprint(*sys.modules)"
    told = subprocess.run(
        [sys.executable, "-c", look], cwd=PROJECT, env=env, capture_output=True, text=True, check=True
    )
    return set(told.stdout.split())


def test_the_supervisor_loads_no_application() -> None:
    code = "import config.command, config.management.commands.up\nconfig.command.read_settings()"
    loaded = _loaded_by(code)
    assert not loaded & {"celery", "psycopg", "django.db.models", "rest_framework", "config.urls"}
    assert not [name for name in loaded if name.endswith(".models")]


def test_the_loaded_project_can_be_forked() -> None:
    """It has one thread and no connection; what few tasks need is loaded by the process that runs them."""
    code = """
import config.supervisor.preload, threading
from django.db import connection
assert threading.active_count() == 1 and connection.connection is None"""
    loaded = _loaded_by(code)
    assert not loaded & SELDOM_USED
    assert loaded >= {"config.urls", "apps.drafts.tasks", "granian.server", "celery.apps.worker"}
