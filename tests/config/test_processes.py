"""Children are watched, started again, and gone in the end with all they started."""

import dataclasses
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from signal import Signals

import pytest

from config import processes
from config.processes import (
    MARK,
    Child,
    Heartbeat,
    Program,
    StartError,
    StopRequested,
    StopSignals,
    Supervisor,
    end_leftovers,
    is_alive,
    wait_until,
)

pytestmark = pytest.mark.processes

SLEEPER = "import time; print('up', flush=True); time.sleep(60)"
STUBBORN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLEEPER}"
PARENT = (
    "import subprocess, sys, time\n"
    "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
    "print(child.pid, flush=True); time.sleep(60)"
)


def _program(code: str, **more: object) -> Program:
    options: dict[str, object] = {
        "name": "test",
        "env": os.environ,
        "stop_seconds": 0.3,
        "capture": True,
        **more,
    }
    return Program(argv=[sys.executable, "-c", code], **options)  # type: ignore[arg-type]  # a test's shorthand


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
    assert wait_until(lambda: len(child.captured) == 1, seconds=10)
    first, grandchild = child.pid, int(child.captured[0])
    os.kill(first, signal.SIGKILL)

    supervisor.watch(lambda: child.pid != first and child.poll() is None)

    assert supervisor.ends(child) == 1
    assert said == ["test ended (killed by SIGKILL); it is started again."]
    assert wait_until(lambda: not is_alive(grandchild), seconds=5), "what the dead one had started is gone too"
    supervisor.stop([child])
    assert child.poll() is not None


BEATING = "import sys, time\nwhile True: open(sys.argv[-1], 'w').close(); time.sleep(0.05)"


def _beating(path: Path) -> Program:
    program = _program(BEATING)
    return dataclasses.replace(program, argv=[*program.argv, str(path)])


def _changed(path: Path) -> Heartbeat:
    return lambda: path.stat().st_mtime_ns if path.exists() else 0


@pytest.mark.parametrize("number", [signal.SIGSTOP, None])
def test_one_that_hangs_is_killed_and_started_again(
    number: int | None, signals: StopSignals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "_FIRST_HEARTBEAT_SECONDS", 1.0)
    supervisor = Supervisor(signals, say=said.append, hung_seconds=1.0)
    path = tmp_path / "beat"
    # The second never shows a sign of life.
    program = _beating(path) if number else _program(STUBBORN)
    child = supervisor.start(program, heartbeat=_changed(path))
    first = child.pid
    if number:
        supervisor.watch(path.exists)
        os.kill(first, number)
    supervisor.watch(lambda: child.pid != first)

    assert said == [
        "test has hung for 1 seconds; it is killed.",
        "test ended (killed by SIGKILL); it is started again.",
    ]
    assert not is_alive(first)
    supervisor.stop([child])


def test_one_that_shows_signs_of_life_is_left_alone(signals: StopSignals, tmp_path: Path) -> None:
    supervisor = Supervisor(signals, say=said.append, hung_seconds=1.0)
    # Of an earlier run, and from a clock that is wrong.
    (tmp_path / "beat").touch()
    os.utime(tmp_path / "beat", (0, 0))
    child = supervisor.start(_beating(tmp_path / "beat"), heartbeat=_changed(tmp_path / "beat"))
    until = time.monotonic() + 3
    supervisor.watch(lambda: time.monotonic() > until)
    assert said == []
    supervisor.stop([child])


def test_a_supervisor_that_was_held_up_blames_nobody(
    signals: StopSignals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    supervisor = Supervisor(signals, say=said.append)
    child = supervisor.start(_program(SLEEPER), heartbeat=lambda: 0)
    clock = time.monotonic
    monkeypatch.setattr("config.processes.time.monotonic", lambda: clock() + 3600)
    polls = iter([False, False, True])
    supervisor.watch(lambda: next(polls))
    assert said == []
    assert child.poll() is None
    supervisor.stop([child])


def test_a_log_is_kept_within_bounds_while_it_is_written(
    signals: StopSignals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "_MAX_LOG_BYTES", 20_000)
    log, older = tmp_path / "test.log", tmp_path / "test.log.1"
    supervisor = Supervisor(signals, say=said.append)
    code = "for n in range(100_000): print(f'line {n:06}', flush=True)"
    child = supervisor.start(_program(f"{code}\nimport time; time.sleep(60)", capture=False, log=log))
    supervisor.watch(lambda: older.exists() and "line 099999" in log.read_text() + older.read_text())
    supervisor.watch(lambda: log.stat().st_size <= 20_000)

    assert older.stat().st_size == 20_000
    assert (log.stat().st_mode | older.stat().st_mode) & 0o077 == 0
    supervisor.stop([child])


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
    assert wait_until(lambda: child.captured == ["up"], seconds=10)

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
    os.kill(first, signal.SIGKILL)
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
    assert child.wait(10)
    child.finish_output()

    assert set(capfd.readouterr().err.splitlines()) == {"test     | to out", "test     | to err"}


def test_output_goes_to_a_private_log(tmp_path: Path) -> None:
    log = tmp_path / "test.log"
    child = Child(_program("print('words')", capture=False, log=log))
    child.start()
    assert child.wait(10)

    assert log.read_text() == "words\n"
    assert log.stat().st_mode & 0o077 == 0


def test_signals_that_a_shell_switched_off_are_on_again() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        child = Child(_program(SLEEPER, stop_signals=(Signals.SIGINT,)))
        child.start()
    finally:
        signal.signal(signal.SIGINT, before)
    assert wait_until(lambda: child.captured == ["up"], seconds=10)
    child.stop(seconds=10)

    # Python dies of its KeyboardInterrupt by the signal; ignored, it would have taken SIGKILL.
    assert child.poll() == -signal.SIGINT


def test_leftovers_are_found_by_their_mark() -> None:
    mark = f"test-{os.getpid()}"
    marked = Child(_program(STUBBORN, env={**os.environ, MARK: mark}))
    other = Child(_program(STUBBORN, env={**os.environ, MARK: f"{mark}-other"}))
    marked.start()
    other.start()
    assert wait_until(lambda: marked.captured == other.captured == ["up"], seconds=10)

    assert end_leftovers(mark) == [marked.pid]
    assert marked.poll() == -signal.SIGKILL
    assert other.poll() is None
    other.stop(seconds=0)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process of its parent's end")
def test_what_a_killed_program_had_forked_ends_with_it(tmp_path: Path) -> None:
    (tmp_path / "forking.py").write_text(
        "import os, sys, time\npid = os.fork()\nif pid: print(pid, *sys.argv[1:], flush=True)\ntime.sleep(60)\n"
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
    assert wait_until(lambda: len(child.captured) == 1, seconds=10)
    forked, word = child.captured[0].split()
    assert word == "--word"
    assert is_alive(int(forked))

    os.kill(child.pid, signal.SIGKILL)

    assert wait_until(lambda: not is_alive(int(forked)), seconds=10)
    assert child.wait(10)
    child.finish_output()
