"""Replace this process by a program that ends when its starter ends.

processes.py runs this as a script. It is never imported: after fork, these steps are unsafe in a starter with
threads, and a process of another user may be unable to read this interpreter.

usage: launch.py STARTER_PID SIGNAL UID GID PROGRAM [ARGUMENT...]     (UID and GID -1: keep)
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    starter, death_signal, uid, gid = (int(word) for word in sys.argv[1:5])
    command = sys.argv[5:]
    if uid >= 0:
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)
    # Python ignores SIGPIPE, and a shell's `&` ignores SIGINT. The program must inherit neither.
    for number in (signal.SIGPIPE, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    if sys.platform == "linux":
        # After setuid, which clears it.
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, death_signal, 0, 0, 0)
    if os.getppid() != starter:
        sys.exit("its starter has ended")
    os.execv(command[0], command)  # noqa: S606 - a list of words chosen by the project, no shell


if __name__ == "__main__":
    main()
