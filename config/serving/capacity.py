"""How many web processes a machine can run."""

import os
from contextlib import suppress
from pathlib import Path

# A process answers on one core, and the database and worker need cores, too.
MOST_PROCESSES = 4
# Memory per web process with its connections and its share of everything else, without swapping.
_BYTES_A_PROCESS = 2**30
_CGROUP_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


def web_processes() -> int:
    """Return one process per usable core, as far as memory allows."""
    return max(1, min(_cores(), memory() // _BYTES_A_PROCESS, MOST_PROCESSES))


def _cores() -> int:
    # Not on every system.
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def memory() -> int:
    """Return the bytes of memory of the machine, or of its container if less."""
    result = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    for path in _CGROUP_LIMITS:
        # `max` means unlimited.
        with suppress(OSError, ValueError):
            result = min(result, int(path.read_text()))
    return result
