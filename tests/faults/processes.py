"""Start processes, and find, kill and pause those that they started, such as those behind `manage.py up`."""

import os
import random
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from signal import SIGCONT, SIGKILL, SIGSTOP, Signals
from typing import IO, Any, TypeAlias

from tests.leftovers import PROJECT
from tests.waiting import PATIENCE_SECONDS

Process: TypeAlias = "subprocess.Popen[str]"

# The programs of a site, each with a word of its command line.
WORDS = {"web": "granian", "worker": "worker@", "crawler": "crawler@", "beat": "celerybeat"}


@contextmanager
def started(command: Sequence[str], *, stop: Signals | None = SIGKILL, **options: Any) -> Iterator[Process]:
    """Run a command in the project's folder until the end of this block.

    `stop` is the signal that ends it, None the end of its standard input. Raises TimeoutExpired if it goes on.
    """
    with subprocess.Popen(command, **{"cwd": PROJECT, "text": True, **options}) as process:
        try:
            yield process
        finally:
            if stop:
                process.send_signal(stop)
            elif process.stdin:
                process.stdin.close()
            try:
                process.wait(PATIENCE_SECONDS)
            finally:
                process.kill()


@contextmanager
def talking(command: Sequence[str], **options: Any) -> Iterator[tuple[Process, IO[str], IO[str]]]:
    """Run a command that ends with its standard input. Yields the process, what it reads, and what it writes."""
    with started(command, stop=None, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options) as process:
        assert process.stdin
        assert process.stdout
        yield process, process.stdin, process.stdout


def children(pid: int, word: str = "") -> list[int]:
    """Return the live processes that a process forked and whose command lines have this word."""
    return [child for child, (parent, command) in _live().items() if parent == pid and word in command]


def descendants(pid: int) -> dict[int, str]:
    """Return the command lines of all live processes that descend from a process, by number."""
    live = _live()
    result: dict[int, str] = {}
    parents = {pid}
    while parents:
        forked = {child: command for child, (parent, command) in live.items() if parent in parents}
        result |= forked
        parents = set(forked)
    return result


def kill(*pids: int) -> None:
    """Kill processes, some of which may have ended."""
    _send(pids, SIGKILL)


def kill_some(pid: int, chance: random.Random) -> bool:
    """Kill a process, or one that it forked. Returns whether it was such a one."""
    forked = children(pid)
    is_forked = bool(forked) and chance.random() < 0.4
    kill(chance.choice(forked) if is_forked else pid)
    return is_forked


@contextmanager
def paused(pids: Iterable[int]) -> Iterator[None]:
    """Stop processes in this block, and continue those that are still there afterwards."""
    stopped = list(pids)
    _send(stopped, SIGSTOP)
    try:
        yield
    finally:
        _send(stopped, SIGCONT)


def _send(pids: Iterable[int], number: int) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def _live() -> dict[int, tuple[int, str]]:
    """Return parent and command line of each process that has not ended, by number."""
    processes = {}
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            state, parent = (path / "stat").read_text().rpartition(")")[2].split()[:2]
            if state != "Z":
                processes[int(path.name)] = (int(parent), command)
    return processes
