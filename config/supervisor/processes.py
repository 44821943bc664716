"""Child processes of `manage.py up` and of the engines: start, watch, restart, stop.

Each child leads its own session, so that Ctrl-C in a terminal reaches only the supervisor, and leftovers of a killed
child are found by process group. On Linux a child gets a signal when its starter ends, even by SIGKILL. Elsewhere
`end_leftovers` finds it at the next start by a mark in its environment.

A process without a heartbeat for a minute is killed and restarted. The minute is measured by the supervisor on a clock
that pauses while the machine sleeps, never by a file's age.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from signal import Signals
from types import FrameType
from typing import IO, Protocol, Self

MARK = "SLIPWAY_UP"
_LAUNCHER = str(Path(__file__).with_name("launch.py"))
_FIRST_PAUSE, _LONGEST_PAUSE, _STEADY_AFTER = 0.2, 4.0, 20.0
_TICK = 0.1
HUNG_SECONDS = 60.0
# Loading the project takes long on a busy machine or just after booting.
_FIRST_HEARTBEAT_SECONDS = 180.0
_HELD_UP_SECONDS = 10.0
_MAX_LOG_BYTES = 5 * 1024 * 1024
_ERROR_AGE = timedelta(days=7)
# Levels of log lines (apps/core/web/logs.py), and what Celery prints at its end. Other lines are of programs that fail,
# such as tracebacks.
_MINOR = ('"level":"INFO"', '"level":"DEBUG"', "worker: Warm shutdown (MainProcess)")

# Returns another value whenever a program has shown that it is alive.
Heartbeat = Callable[[], object]


class StartError(Exception):
    """A required part can't run. The text says why and what to do."""


class StopRequested(Exception):  # noqa: N818 - no error: somebody asked
    """The stop signal came while waiting."""


@dataclass(frozen=True)
class SystemAccount:
    """A user of the machine, by number."""

    uid: int
    gid: int


@dataclass(frozen=True, kw_only=True)
class Program:
    """What to start and how to stop it.

    `stop_signals` are sent in turn, `stop_seconds` apart, before SIGKILL. `orphan_signal` tells the program that its
    starter died. `log` takes the output, at most 5 MB plus the previous 5 MB. Without it, lines go to `lines`, a file
    with the same limit, or to standard error after the name. `capture` stores standard output in `Child.captured`
    instead.
    """

    name: str
    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: Path | None = None
    stop_signals: tuple[Signals, ...] = (Signals.SIGTERM,)
    orphan_signal: Signals = Signals.SIGTERM
    stop_seconds: float = 10.0
    account: SystemAccount | None = None
    log: Path | None = None
    lines: Path | None = None
    capture: bool = False

    @property
    def said(self) -> str:
        """Return where to read the program's output, for messages."""
        return f"See {self.lines}." if self.lines else "See the output above."


class Process(Protocol):
    """The used part of `subprocess.Popen`."""

    pid: int
    stdout: IO[str] | None
    stderr: IO[str] | None

    def poll(self) -> int | None: ...

    def wait(self, timeout: float) -> int: ...

    def send_signal(self, number: int) -> None: ...


# Starts a program in another way. Returns None if it can't at the moment.
Fork = Callable[[Program], Process | None]


class Child:
    """A program and its current process, which can be restarted after it ends."""

    def __init__(
        self, program: Program, *, prepare: Callable[[], None] | None = None, fork: Fork | None = None
    ) -> None:
        """Prepare. `prepare` runs before every start, to clean up after a killed process. `fork` is tried first."""
        self.program = program
        self.captured: list[str] = []
        self._prepare = prepare
        self._fork = fork
        self._process: Process | None = None
        self._readers: list[threading.Thread] = []

    @property
    def pid(self) -> int:
        """Return the PID of the current or last process. Raises RuntimeError before the first start."""
        if self._process is None:
            raise RuntimeError(f"{self.program.name} was never started")
        return self._process.pid

    def start(self) -> None:
        """Start the process from the calling thread, whose end sends the parent-death signal."""
        if self._prepare is not None:
            self._prepare()
        if self._fork is not None and (forked := self._fork(self.program)):
            self._process = forked
            self._read_output(forked)
        else:
            self._start()

    def _start(self, *, stdin: int = subprocess.DEVNULL) -> None:
        program, account = self.program, self.program.account
        launcher = [sys.executable, "-I", "-S", _LAUNCHER, str(os.getpid()), str(int(program.orphan_signal))]
        launcher += [str(account.uid), str(account.gid)] if account else ["-1", "-1"]
        with contextlib.ExitStack() as stack:
            output: int | IO[bytes] = subprocess.PIPE
            if program.log is not None:
                program.log.touch(mode=0o600)
                output = stack.enter_context(program.log.open("ab"))
            process = subprocess.Popen(  # noqa: S603 - words chosen by the project, no shell
                [*launcher, *program.argv],
                env=dict(program.env),
                cwd=program.cwd,
                stdin=stdin,
                stdout=output,
                stderr=subprocess.PIPE if program.capture else subprocess.STDOUT,
                text=True,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,
            )
        self._process = process
        self._read_output(process)

    def _read_output(self, process: Process) -> None:
        keep = self.captured.append if self.program.capture else self._show
        pairs = ((process.stdout, keep), (process.stderr, self._show))
        self._readers = [
            threading.Thread(target=_pump, args=(stream, take), daemon=True) for stream, take in pairs if stream
        ]
        for reader in self._readers:
            reader.start()

    def _show(self, line: str) -> None:
        # A closed terminal or pipe must not stop reading, or the child would block on its output.
        with contextlib.suppress(OSError, ValueError):
            if self.program.lines is not None:
                _append(self.program.lines, line)
                if line.strip() and not any(level in line for level in _MINOR):
                    _append_error(self.program.lines.parent, f"{self.program.name} | {line}")
                return
            sys.stderr.write(f"{self.program.name:<8} | {line}\n")
            sys.stderr.flush()

    def rotate_log(self) -> None:
        """Move a log over 5 MB to `NAME.1`, replacing the one there."""
        for log in (self.program.log, self.program.lines):
            if log is not None:
                rotate(log, max_bytes=_MAX_LOG_BYTES)

    def poll(self) -> int | None:
        """Return the exit status, negative for a signal, or None while it runs."""
        return self._process.poll() if self._process else 0

    def wait(self, seconds: float) -> bool:
        """Return whether it ended within this many seconds."""
        if self._process is None:
            return True
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def stop(self, *, seconds: float | None = None) -> None:
        """Stop the process: its stop signals in turn, then SIGKILL for its whole group."""
        if self._process is None:
            return
        for number in self.program.stop_signals:
            if self.poll() is None:
                self._process.send_signal(number)
                self.wait(self.program.stop_seconds if seconds is None else seconds)
        self.kill_group()
        self.wait(self.program.stop_seconds)
        self.finish_output()

    def request_stop(self) -> None:
        """Send the first stop signal without waiting."""
        if self._process is not None and self.poll() is None:
            self._process.send_signal(self.program.stop_signals[0])

    def kill_group(self) -> None:
        """Kill the process and everything it started and left behind."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def finish_output(self) -> None:
        """Wait until the last lines are read, which can come after the end."""
        for reader in self._readers:
            reader.join(10)


def _append(log: Path, line: str) -> None:
    with os.fdopen(os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "a", encoding="utf-8") as stream:
        stream.write(f"{line}\n")


def _append_error(folder: Path, line: str) -> None:
    """Add a line to today's file of warnings and errors, of which there is one for each day of the last week.

    In the other logs, a busy day of requests pushes them out.
    """
    today = datetime.now(UTC).date()
    log = folder / f"errors-{today}.log"
    if not log.exists():
        for old in folder.glob("errors-*.log"):
            if old.name < f"errors-{today - _ERROR_AGE}.log":
                old.unlink(missing_ok=True)
    elif log.stat().st_size > _MAX_LOG_BYTES:
        return
    _append(log, line)


def rotate(log: Path, *, max_bytes: int) -> None:
    """Move the last `max_bytes` of a longer log to `NAME.1` and empty it.

    The file stays the same, because its writers have it open for appending. A line written meanwhile is lost.
    """
    try:
        if log.stat().st_size <= max_bytes:
            return
        older = log.with_name(f"{log.name}.1")
        older.touch(mode=0o600)
        with log.open("rb+") as source, older.open("wb") as target:
            source.seek(-max_bytes, os.SEEK_END)
            shutil.copyfileobj(source, target)
            source.truncate(0)
    except OSError:
        # For example, a full disk. The log grows until the next attempt.
        return


def _pump(stream: IO[str], take: Callable[[str], None]) -> None:
    with stream:
        for line in stream:
            take(line.rstrip("\r\n"))


@dataclass
class _Watch:
    child: Child
    started_at: float = field(default_factory=time.monotonic)
    pause: float = _FIRST_PAUSE
    again_at: float | None = None
    ends: int = 0
    heartbeat: Heartbeat | None = None
    last_heartbeat: object = None
    alive_at: float = field(default_factory=time.monotonic)
    is_beating: bool = False

    def note_start(self) -> None:
        """Start a new process's heartbeat, ignoring its predecessor's."""
        self.started_at = self.alive_at = time.monotonic()
        self.again_at, self.is_beating = None, False
        self.last_heartbeat = self.heartbeat() if self.heartbeat else None

    def silent_seconds(self, now: float) -> float:
        """Return how long the process has shown no sign of life, 0 for one without a heartbeat."""
        if self.heartbeat is None:
            return 0.0
        heartbeat = self.heartbeat()
        if heartbeat != self.last_heartbeat:
            self.last_heartbeat, self.alive_at, self.is_beating = heartbeat, now, True
        return now - self.alive_at


class StopSignals:
    """Count SIGINT, SIGTERM and SIGHUP. A second one asks for an immediate stop."""

    def __init__(self) -> None:
        self.count = 0
        self._before: dict[Signals, signal.Handlers | int | Callable[[int, FrameType | None], object] | None] = {}

    def __enter__(self) -> Self:
        for number in (Signals.SIGINT, Signals.SIGTERM, Signals.SIGHUP):
            self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)

    def _note(self, _number: int, _frame: FrameType | None) -> None:
        self.count += 1

    def check(self) -> None:
        """Raise StopRequested after a signal."""
        if self.count:
            raise StopRequested


class Supervisor:
    """Keep children running: poll them, and restart ended or hung ones after a growing pause."""

    def __init__(self, signals: StopSignals, *, say: Callable[[str], None], hung_seconds: float = HUNG_SECONDS) -> None:
        self._signals = signals
        self._say = say
        self._hung_seconds = hung_seconds
        self._polled_at = time.monotonic()
        self._watches: list[_Watch] = []

    def adopt(self, child: Child, *, heartbeat: Heartbeat | None = None) -> None:
        """Watch a running child."""
        watch = _Watch(child, heartbeat=heartbeat)
        watch.note_start()
        self._watches.append(watch)

    def start(self, program: Program, *, heartbeat: Heartbeat | None = None, fork: Fork | None = None) -> Child:
        """Start a program and watch it. Without a heartbeat for a minute it counts as hung."""
        child = Child(program, fork=fork)
        child.start()
        self.adopt(child, heartbeat=heartbeat)
        return child

    def run_once(self, program: Program, *, fork: Fork | None = None) -> Child:
        """Run a program to its end while watching the others. Raises StopRequested and StartError."""
        child = Child(program, fork=fork)
        child.start()
        try:
            self.watch(lambda: child.poll() is not None)
        finally:
            child.stop(seconds=3)
        if child.poll() != 0:
            raise StartError(f"{program.name} failed ({_how(child.poll())}). {program.said}")
        return child

    def watch(self, done: Callable[[], bool]) -> None:
        """Poll until `done`. Raises StopRequested after a stop signal."""
        while True:
            self._signals.check()
            self._poll()
            if done():
                return
            time.sleep(_TICK)

    def ends(self, child: Child) -> int:
        """Return how often a watched child exited unexpectedly."""
        return sum(watch.ends for watch in self._watches if watch.child is child)

    def _poll(self) -> None:
        now = time.monotonic()
        # After a delay here, such as a sleeping machine, don't judge others' heartbeats.
        was_held_up = now - self._polled_at > _HELD_UP_SECONDS
        self._polled_at = now
        for watch in self._watches:
            if was_held_up:
                watch.alive_at = now
            watch.child.rotate_log()
            if watch.again_at is not None:
                if now >= watch.again_at:
                    self._start_again(watch)
            elif (status := watch.child.poll()) is not None:
                watch.child.kill_group()
                watch.ends += 1
                if now - watch.started_at >= _STEADY_AFTER:
                    watch.pause = _FIRST_PAUSE
                watch.again_at = now + watch.pause
                self._say(f"{watch.child.program.name} ended ({_how(status)}); it is started again.")
                watch.pause = min(watch.pause * 2, _LONGEST_PAUSE)
            else:
                self._end_hung(watch, now)

    def _end_hung(self, watch: _Watch, now: float) -> None:
        silent = watch.silent_seconds(now)
        allowed = self._hung_seconds if watch.is_beating else max(self._hung_seconds, _FIRST_HEARTBEAT_SECONDS)
        if silent > allowed:
            self._say(f"{watch.child.program.name} has hung for {silent:.0f} seconds; it is killed.")
            watch.child.kill_group()
            watch.alive_at = now

    def _start_again(self, watch: _Watch) -> None:
        try:
            watch.child.start()
        except (OSError, StartError) as error:
            self._say(f"{watch.child.program.name} cannot start yet: {error}")
            watch.again_at = time.monotonic() + watch.pause
            watch.pause = min(watch.pause * 2, _LONGEST_PAUSE)
            return
        watch.note_start()

    def stop(self, children: Sequence[Child]) -> None:
        """Stop children in parallel, within the longest of their times. Another signal kills them immediately."""
        seen = self._signals.count
        running = [child for child in children if child.poll() is None]
        for child in running:
            child.request_stop()
        deadline = time.monotonic() + max((child.program.stop_seconds for child in running), default=0)
        while time.monotonic() < deadline and self._signals.count <= max(seen, 1):
            if all(child.poll() is not None for child in running):
                break
            time.sleep(_TICK / 2)
        for child in children:
            child.kill_group()
            child.wait(5)
            child.finish_output()


def _how(status: int | None) -> str:
    if status is not None and status < 0:
        return f"killed by {Signals(-status).name}"
    return f"exit status {status}"


def end_leftovers(entry: str) -> list[int]:
    """End processes of an earlier run whose environment has this entry, `NAME=value`. Returns their PIDs."""
    result: set[int] = set()
    for number in (Signals.SIGTERM, Signals.SIGKILL):
        signaled: set[int] = set()
        if wait_until(partial(_signal_marked, entry, number, signaled), seconds=3, pause=0.1):
            break
        result |= signaled
    return sorted(result | signaled)


def _signal_marked(entry: str, number: Signals, signaled: set[int]) -> bool:
    """Signal those who were not signaled yet, because some start others meanwhile. Returns whether all are gone."""
    left = {pid for pid in _marked(entry) if pid != os.getpid() and is_alive(pid)}
    for pid in left - signaled:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)
    signaled |= left
    return not left


def _marked(entry: str) -> Iterator[int]:
    if Path("/proc/self/environ").exists():
        wanted = entry.encode()
        for path in Path("/proc").glob("[0-9]*/environ"):
            with contextlib.suppress(OSError):
                if wanted in path.read_bytes().split(b"\0"):
                    yield int(path.parent.name)
        return
    listing = subprocess.run(
        ["/bin/ps", "-axwwE", "-o", "pid=,command="],
        capture_output=True,
        text=True,
        check=False,
        errors="replace",
    )
    for line in listing.stdout.splitlines():
        if entry in line.split():
            yield int(line.split()[0])


def is_alive(pid: int) -> bool:
    """Return whether a process with this PID exists and has not exited."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return True


def wait_until(done: Callable[[], bool], *, seconds: float, pause: float = 0.02) -> bool:
    """Poll `done` until it is true or time is up. Returns its last result."""
    deadline = time.monotonic() + seconds
    while not done():
        if time.monotonic() > deadline:
            return False
        time.sleep(pause)
    return True
