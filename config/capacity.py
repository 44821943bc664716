"""How many web processes a machine is good for."""

import os
from contextlib import suppress
from pathlib import Path

# One process answers on one core, and the database and the worker want some of it too.
MOST_PROCESSES = 4
# What a web process, its connections and its share of everything else may take without any swapping.
_BYTES_A_PROCESS = 2**30
_CGROUP_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


def web_processes() -> int:
    """One for each core that this process may use, as far as memory goes."""
    return max(1, min(_cores(), memory() // _BYTES_A_PROCESS, MOST_PROCESSES))


def _cores() -> int:
    # Not on every system.
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def memory() -> int:
    """Bytes of the machine, or of the container where that has fewer."""
    found = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    for path in _CGROUP_LIMITS:
        # Unlimited is `max` there.
        with suppress(OSError, ValueError):
            found = min(found, int(path.read_text()))
    return found
