"""Children are watched, started again, and gone in the end with all they started."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from signal import Signals
from types import SimpleNamespace
from typing import Any

import pytest

from config.supervisor import processes
from config.supervisor.processes import (
    MARK,
    Child,
    Program,
    StartError,
    StopRequested,
    StopSignals,
    Supervisor,
    end_leftovers,
    is_alive,
    rotate,
)
from tests.faults.processes import kill, paused
from tests.waiting import PATIENCE_SECONDS, wait_for

pytestmark = pytest.mark.processes

SLEEPER = "import time; print('up', flush=True); time.sleep(3600)"
STUBBORN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLEEPER}"
PARENT = (
    "import subprocess, sys, time\n"
    "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(3600)'])\n"
    "print(child.pid, flush=True); time.sleep(3600)"
)


def _program(code: str, **more: object) -> Program:
    options: dict[str, Any] = {
        "name": "test",
        "env": os.environ,
        "stop_seconds": 0.3,
        "capture": True,
        **more,
    }
    return Program(argv=[sys.executable, "-c", code], **options)


@pytest.fixture
def signals() -> Iterator[StopSignals]:
    with StopSignals() as signals:
        yield signals


@pytest.fixture
def supervisor(signals: StopSignals) -> Supervisor:
    return Supervisor(signals, say=said.append)


@pytest.fixture(autouse=True)
def _nothing_said() -> None:
    said.clear()


said: list[str] = []


def test_a_child_that_dies_is_started_again(supervisor: Supervisor) -> None:
    child = supervisor.start(_program(PARENT))
    wait_for(lambda: len(child.captured) == 1)
    first, grandchild = child.pid, int(child.captured[0])
    kill(first)

    supervisor.watch(lambda: child.pid != first and child.poll() is None)

    assert supervisor.ends(child) == 1
    assert said == ["test ended (killed by SIGKILL); it is started again."]
    # What the dead one had started is gone, too.
    wait_for(lambda: not is_alive(grandchild))
    supervisor.stop([child])
    assert child.poll() is not None


class Clock:
    """The supervisor's clock, which stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = 0.0

    def pass_seconds(self, supervisor: Supervisor, seconds: int) -> None:
        """Have time pass in steps that are no delay of the supervisor."""
        for _ in range(seconds // 5):
            self.now += 5
            poll(supervisor)


def poll(supervisor: Supervisor, *, times: int = 2) -> None:
    polls = iter([False] * (times - 1) + [True])
    supervisor.watch(lambda: next(polls))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(processes, "time", SimpleNamespace(monotonic=lambda: clock.now, sleep=time.sleep))
    monkeypatch.setattr(processes, "_TICK", 0.01)
    return clock


@pytest.mark.parametrize(("has_begun", "seconds"), [(True, 60), (False, 180)])
def test_one_that_hangs_is_killed_and_started_again(
    has_begun: bool, seconds: int, clock: Clock, supervisor: Supervisor
) -> None:
    heartbeat = "of its predecessor"
    child = supervisor.start(_program(STUBBORN), heartbeat=lambda: heartbeat)
    first = child.pid
    if has_begun:
        heartbeat = "of its own"
        poll(supervisor)
    with paused([first]):
        clock.pass_seconds(supervisor, seconds)
        assert said == []

        clock.pass_seconds(supervisor, 5)
        supervisor.watch(lambda: supervisor.ends(child) == 1)
    clock.pass_seconds(supervisor, 5)

    assert said == [
        f"test has hung for {seconds + 5} seconds; it is killed.",
        "test ended (killed by SIGKILL); it is started again.",
    ]
    assert child.pid != first
    assert not is_alive(first)
    child.stop(seconds=0)


def test_one_that_shows_signs_of_life_is_left_alone(clock: Clock, supervisor: Supervisor) -> None:
    heartbeat = 0
    child = supervisor.start(_program(SLEEPER), heartbeat=lambda: heartbeat)
    # Such as file times of a clock that is set back.
    for heartbeat in (3, 2, 1, 2):  # noqa: B007 - read by the supervisor
        clock.pass_seconds(supervisor, 55)
    assert said == []
    child.stop(seconds=0)


def test_a_supervisor_that_was_held_up_blames_nobody(clock: Clock, supervisor: Supervisor) -> None:
    child = supervisor.start(_program(SLEEPER), heartbeat=lambda: 0)
    clock.now += 3600
    poll(supervisor, times=3)
    assert said == []
    assert child.poll() is None
    child.stop(seconds=0)


def test_the_end_of_a_long_log_is_kept(tmp_path: Path) -> None:
    log, older = tmp_path / "test.log", tmp_path / "test.log.1"
    log.write_bytes(b"old " * 10 + b"new " * 5)
    rotate(log, max_bytes=60)
    assert not older.exists()
    rotate(log, max_bytes=20)
    assert (older.read_bytes(), log.read_bytes()) == (b"new " * 5, b"")
    assert older.stat().st_mode & 0o077 == 0


def test_a_log_is_kept_within_bounds_while_it_is_written(
    supervisor: Supervisor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "_MAX_LOG_BYTES", 20_000)
    log, older, written, more = (tmp_path / name for name in ("test.log", "test.log.1", "written", "more"))
    code = (
        "import pathlib, time\nfor n in range(10_000): print(f'line {n}', flush=True)\n"
        f"pathlib.Path('{written}').touch()\n"
        f"while not pathlib.Path('{more}').exists(): time.sleep(0.01)\n"
        "print('the end', flush=True); time.sleep(3600)"
    )
    child = supervisor.start(_program(code, capture=False, log=log))
    supervisor.watch(lambda: written.exists() and older.exists() and log.stat().st_size <= 20_000)
    # A line that is written while the log is emptied is lost, but not this one.
    more.touch()
    # The writer has the file open all the time.
    supervisor.watch(lambda: log.read_text().endswith("the end\n"))

    assert log.stat().st_size <= 20_000
    assert (log.stat().st_mode | older.stat().st_mode) & 0o077 == 0
    supervisor.stop([child])


def test_errors_of_a_week_stay(
    supervisor: Supervisor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, time_machine: Any
) -> None:
    # At noon, for a night may begin at any moment.
    time_machine.move_to(datetime(2026, 11, 18, 12, tzinfo=UTC))
    today = datetime.now(UTC).date()
    kept, gone = (tmp_path / f"errors-{today - timedelta(days=days)}.log" for days in (7, 8))
    kept.touch()
    gone.touch()
    lines = ['{"level":"INFO","message":"a request"}', '{"level":"ERROR","message":"a fault"}', "Traceback", ""]
    lines.append("worker: Warm shutdown (MainProcess)")
    code = f"for line in {lines!r}: print(line)"
    supervisor.run_once(_program(code, capture=False, lines=tmp_path / "test.log"))
    errors = tmp_path / f"errors-{today}.log"
    assert errors.read_text() == 'test | {"level":"ERROR","message":"a fault"}\ntest | Traceback\n'
    assert errors.stat().st_mode & 0o077 == 0
    assert (kept.exists(), gone.exists()) == (True, False)
    monkeypatch.setattr(processes, "_MAX_LOG_BYTES", 10)
    supervisor.run_once(_program(code, capture=False, lines=tmp_path / "test.log"))
    assert len(errors.read_text().splitlines()) == 2


def test_lines_go_to_a_file_or_to_the_console(
    supervisor: Supervisor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "test.log"
    code = "import sys; print('out'); print('problem', file=sys.stderr)"
    supervisor.run_once(_program(code, capture=False, lines=log))
    assert sorted(log.read_text().split()) == ["out", "problem"]
    assert log.stat().st_mode & 0o077 == 0
    assert capsys.readouterr().err == ""
    supervisor.run_once(_program(code, capture=False))
    assert "test     | out" in capsys.readouterr().err
    with pytest.raises(StartError, match=f"See {log}"):
        supervisor.run_once(_program("import sys; sys.exit(3)", capture=False, lines=log))


def test_a_stop_ends_even_what_will_not_listen(supervisor: Supervisor) -> None:
    child = supervisor.start(_program(STUBBORN))
    wait_for(lambda: child.captured == ["up"])

    supervisor.stop([child])

    assert child.poll() == -signal.SIGKILL


def test_one_that_cannot_start_yet_is_tried_again(supervisor: Supervisor, tmp_path: Path) -> None:
    tries = []

    def prepare() -> None:
        tries.append(1)
        if len(tries) == 2:
            raise StartError("the old one still ends")

    child = Child(_program(PARENT), prepare=prepare)
    child.start()
    supervisor.adopt(child)
    first = child.pid
    kill(first)
    supervisor.watch(lambda: child.pid != first)

    assert len(tries) == 3
    assert "test cannot start yet: the old one still ends" in said
    supervisor.stop([child])


def test_a_stop_signal_ends_the_watch(supervisor: Supervisor) -> None:
    os.kill(os.getpid(), signal.SIGTERM)
    with pytest.raises(StopRequested):
        supervisor.watch(lambda: False)


def test_handlers_are_put_back() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with StopSignals():
        assert signal.getsignal(signal.SIGTERM) != before
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_task_gives_its_output_or_its_failure(supervisor: Supervisor) -> None:
    assert supervisor.run_once(_program("print('one'); print('two')")).captured == ["one", "two"]
    with pytest.raises(StartError, match=r"test failed \(exit status 7\)"):
        supervisor.run_once(_program("raise SystemExit(7)"))


def test_output_is_shown_behind_the_name(capfd: pytest.CaptureFixture[str]) -> None:
    child = Child(_program("import sys; print('to out'); print('to err', file=sys.stderr)", capture=False))
    child.start()
    assert child.wait(PATIENCE_SECONDS)
    child.finish_output()

    assert set(capfd.readouterr().err.splitlines()) == {"test     | to out", "test     | to err"}


def test_output_goes_to_a_private_log(tmp_path: Path) -> None:
    log = tmp_path / "test.log"
    child = Child(_program("print('words')", capture=False, log=log))
    child.start()
    assert child.wait(PATIENCE_SECONDS)

    assert log.read_text() == "words\n"
    assert log.stat().st_mode & 0o077 == 0


def test_signals_that_a_shell_switched_off_are_on_again() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        child = Child(_program(SLEEPER, stop_signals=(Signals.SIGINT,)))
        child.start()
    finally:
        signal.signal(signal.SIGINT, before)
    wait_for(lambda: child.captured == ["up"])
    child.stop(seconds=PATIENCE_SECONDS)

    # Python dies of its KeyboardInterrupt by the signal; ignored, it would have taken SIGKILL.
    assert child.poll() == -signal.SIGINT


def test_leftovers_are_found_by_their_mark() -> None:
    mark = f"test-{os.getpid()}"
    marked = Child(_program(STUBBORN, env={**os.environ, MARK: mark}))
    other = Child(_program(STUBBORN, env={**os.environ, MARK: f"{mark}-other"}))
    marked.start()
    other.start()
    wait_for(lambda: marked.captured == other.captured == ["up"])

    assert end_leftovers(f"{MARK}={mark}") == [marked.pid]
    assert marked.wait(PATIENCE_SECONDS)
    assert marked.poll() == -signal.SIGKILL
    assert other.poll() is None
    other.stop(seconds=0)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process of its parent's end")
def test_what_a_killed_program_had_forked_ends_with_it(tmp_path: Path) -> None:
    (tmp_path / "forking.py").write_text(
        "import os, sys, time\npid = os.fork()\nif pid: print(pid, *sys.argv[1:], flush=True)\ntime.sleep(3600)\n"
    )
    runner = str(Path(processes.__file__).with_name("child.py"))
    program = Program(
        name="test",
        argv=[sys.executable, "-P", runner, "forking", "--word"],
        env=os.environ,
        cwd=tmp_path,
        capture=True,
    )
    child = Child(program)
    child.start()
    wait_for(lambda: len(child.captured) == 1)
    forked, word = child.captured[0].split()
    assert word == "--word"
    assert is_alive(int(forked))

    kill(child.pid)

    wait_for(lambda: not is_alive(int(forked)))
    assert child.wait(PATIENCE_SECONDS)
    child.finish_output()
