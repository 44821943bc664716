"""Fork programs from a process that has loaded the project (see config/supervisor/loaded.py).

Only on Linux, where a process can become the parent of another one's fork. Elsewhere, and until the project is loaded,
programs are started normally.
"""

import contextlib
import ctypes
import json
import os
import select
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from signal import Signals
from typing import IO

from config.supervisor.processes import Child, Process, Program

_SCRIPT = str(Path(__file__).with_name("loaded.py"))
_PR_SET_CHILD_SUBREAPER = 36
# Forking takes some hundredths of a second, or tenths on a busy machine.
_FORK_SECONDS = 10.0
_ROOM = "-" * 2000
READY = b"ready"


class Forked:
    """A process forked for us, with the interface of `subprocess.Popen`."""

    def __init__(self, pid: int, stdout: IO[str] | None, stderr: IO[str] | None) -> None:
        self.pid = pid
        self.stdout, self.stderr = stdout, stderr
        self._status: int | None = None

    def poll(self) -> int | None:
        """Return the exit status, negative for a signal, or None while it runs."""
        if self._status is None:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:
                # Someone else has read the status.
                self._status = os.EX_SOFTWARE
            else:
                if pid:
                    self._status = os.waitstatus_to_exitcode(status)
        return self._status

    def wait(self, timeout: float) -> int:
        """Wait for the end. Raises subprocess.TimeoutExpired."""
        ends_at = time.monotonic() + timeout
        while (status := self.poll()) is None:
            if time.monotonic() > ends_at:
                raise subprocess.TimeoutExpired(str(self.pid), timeout)
            time.sleep(0.01)
        return status

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)


class Forker(Child):
    """The process that has loaded the project and forks programs for this one."""

    def __init__(self, command: Sequence[str], modules: Sequence[str], *, env: Mapping[str, str], cwd: Path) -> None:
        """Prepare. `command` runs a Python script, and `modules` are imported in `cwd`."""
        argv = [*command, _SCRIPT, _ROOM, *modules]
        super().__init__(Program(name="project", argv=argv, env=env, cwd=cwd, orphan_signal=Signals.SIGKILL))
        self._asks: socket.socket | None = None
        self._is_ready = False

    def start(self) -> None:
        """Start loading. `is_ready` says when it is done."""
        if self._asks is not None:
            self._asks.close()
        self._is_ready = False
        self._asks, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._asks.settimeout(_FORK_SECONDS)
        with theirs:
            self._start(stdin=theirs.fileno())

    def is_ready(self) -> bool:
        """Return whether the project is loaded."""
        if not self._is_ready and self._asks is not None and select.select([self._asks], [], [], 0)[0]:
            with contextlib.suppress(OSError):
                self._is_ready = self._asks.recv(len(READY)) == READY
        return self._is_ready and self.poll() is None

    def finish_output(self) -> None:
        """Wait until the last lines are read, and close the socket."""
        super().finish_output()
        if self._asks is not None:
            self._asks.close()
            self._asks = None

    def fork(self, program: Program) -> Process | None:
        """Fork a program of the project. Returns None if it must be started normally."""
        if self._asks is None or not self.is_ready():
            return None
        with contextlib.ExitStack() as stack:
            pipes = [os.pipe() for _ in range(2 if program.capture else 1)]
            for _, end in pipes:
                stack.callback(os.close, end)
            streams = [os.fdopen(begin, encoding="utf-8", errors="replace") for begin, _ in pipes]
            pid = self._ask(self._asks, program, [end for _, end in pipes])
        if pid is None:
            for stream in streams:
                stream.close()
            # A late answer must not be mistaken for the next one's.
            self.kill_group()
            return None
        return Forked(pid, streams[0], streams[1] if program.capture else None)

    def _ask(self, asks: socket.socket, program: Program, outputs: list[int]) -> int | None:
        request = {
            "argv": list(program.argv),
            "env": dict(program.env),
            "cwd": str(program.cwd or Path.cwd()),
            "starter": os.getpid(),
            "signal": int(program.orphan_signal),
        }
        prctl = ctypes.CDLL(None, use_errno=True).prctl
        # Only for this moment: other orphans don't belong to this process.
        prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        try:
            socket.send_fds(asks, [json.dumps(request).encode()], outputs)
            answer = asks.recv(32)
        except OSError:
            return None
        finally:
            prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
        return int(answer) if answer else None


def can_fork() -> bool:
    """Return whether this system lets a process adopt another one's fork."""
    return sys.platform == "linux"
