"""Run an installed module so that every process it forks ends with it.

A supervisor that is killed can't stop the processes forked by Granian or Celery's beat. up.py runs this as a
script with `python -P`. It is never imported.

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
    """Make the system kill later forks of this process when it ends. Does nothing outside Linux."""
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
    # The project's folder, as with `python -m`. With this file's folder, `celery` would be config/celery.py.
    sys.path.insert(0, str(Path.cwd()))
    bind_forks_to_this_process()
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
