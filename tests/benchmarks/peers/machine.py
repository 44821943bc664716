"""What processes cost, by /proc: processor time and memory."""

import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK")
_PGRP, _PPID, _TIMES = 2, 1, slice(11, 15)
# A server that takes less of a core than this has nothing left to do.
_IDLE_SHARE = 0.03
_LOOK_SECONDS = 0.4


def cpu_seconds(leaders: Iterable[int]) -> float:
    """Processor time of whole process groups, user and system, with that of their children that have ended."""
    groups = set(leaders)
    return sum(sum(map(int, stat[_TIMES])) for _, stat in _processes() if int(stat[_PGRP]) in groups) / _TICK


def database_seconds(postmaster: int) -> float:
    """Processor time of PostgreSQL's processes, those that have ended among them."""
    return (
        sum(sum(map(int, stat[_TIMES])) for pid, stat in _processes() if postmaster in {pid, int(stat[_PPID])}) / _TICK
    )


def memory_mb(leader: int) -> float:
    """Proportional memory (PSS) of a process group, in MB."""
    rollups = [Path(f"/proc/{pid}/smaps_rollup") for pid, stat in _processes() if int(stat[_PGRP]) == leader]
    lines = [line for rollup in rollups for line in rollup.read_text().splitlines() if line.startswith("Pss:")]
    return sum(int(line.split()[1]) for line in lines) / 1024


def wait_until_idle(leaders: Iterable[int], postmaster: int, *, seconds: float) -> None:
    """Wait until what the last test left behind is done, at most so long."""
    end = time.monotonic() + seconds
    groups = list(leaders)
    while time.monotonic() < end:
        before = cpu_seconds(groups) + database_seconds(postmaster)
        time.sleep(_LOOK_SECONDS)
        if cpu_seconds(groups) + database_seconds(postmaster) - before < _IDLE_SHARE * _LOOK_SECONDS * 2:
            return


def _processes() -> Iterator[tuple[int, list[str]]]:
    """Every process with the fields of its stat after the name."""
    for path in Path("/proc").glob("[0-9]*"):
        try:
            yield int(path.name), (path / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
