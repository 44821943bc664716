"""Runs an installed module such that every process it forks ends with it, however it ends.

Granian's workers and Celery's beat are forked by a process that may be killed before it can stop them. Run as a
script by config.up with `python -P`, never imported.

usage: child.py MODULE [ARGUMENT...]
"""

import ctypes
import os
import runpy
import signal
import sys
from pathlib import Path

PR_SET_PDEATHSIG = 1


def bind_forks_to_this_process() -> None:
    """Let the system kill whatever is forked from here on when its parent is gone; a no-op outside Linux."""
    if sys.platform != "linux":
        return
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    parents: list[int] = []

    def note_parent() -> None:
        parents[:] = [os.getpid()]

    def bind() -> None:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parents[0]:
            os._exit(1)  # noqa: SLF001 - the parent was faster; there is nothing to clean up in a fresh fork

    os.register_at_fork(before=note_parent, after_in_child=bind)


def main() -> None:
    # The project's folder, as `python -m` has it; with this file's own, `celery` would be config/celery.py.
    sys.path.insert(0, str(Path.cwd()))
    bind_forks_to_this_process()
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
