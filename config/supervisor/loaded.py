"""Load the project once and fork its programs, which share memory and start immediately.

forking.py runs this as a script with `python -P`. It is never imported. Standard input is a socket for requests and
process IDs. A program becomes a child of the process that asked, as if started by it.

usage: loaded.py ROOM MODULE...     (ROOM: spaces reserved for the programs' command lines)
"""

import contextlib
import ctypes
import gc
import json
import os
import runpy
import socket
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

PR_SET_PDEATHSIG = 1
READY = b"ready"
_MOST_BYTES = 2**20
_ADOPTED_WITHIN = 5.0


def main() -> None:
    sys.path.insert(0, str(Path.cwd()))
    # Loaded objects stay. Collecting garbage among them takes a fifth of the time, and would later copy their memory.
    gc.disable()
    for name in sys.argv[2:]:
        import_module(name)
    gc.freeze()
    with socket.socket(fileno=os.dup(0)) as asks:
        asks.send(READY)
        words = _wait_to_be_forked(asks)
    gc.enable()
    sys.argv = words
    runpy.run_path(words[0], run_name="__main__")


def _wait_to_be_forked(asks: socket.socket) -> list[str]:
    """Fork on request. Returns in each fork, with its program's command line."""
    while True:
        message, outputs, *_ = socket.recv_fds(asks, _MOST_BYTES, 2)
        if not message:
            sys.exit()
        between = os.fork()
        if between == 0:
            # The intermediate parent exits immediately, so that the asking process adopts the program.
            if os.fork():
                os._exit(0)
            return _become(json.loads(message), outputs, asks)
        os.waitpid(between, 0)
        for output in outputs:
            os.close(output)


def _become(request: dict[str, Any], outputs: list[int], asks: socket.socket) -> list[str]:
    """Take on the requested program's appearance. Returns its command line from the script on."""
    os.setsid()
    _wait_for(request["starter"])
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, request["signal"], 0, 0, 0)
    if os.getppid() != request["starter"]:
        sys.exit("its starter has ended")
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - a descriptor is all that is wanted
        os.dup2(nothing.fileno(), 0)
    for number, output in zip((1, 2), (outputs[0], outputs[-1]), strict=True):
        os.dup2(output, number)
    for output in set(outputs):
        os.close(output)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    words: list[str] = request["argv"]
    _show(words)
    asks.send(str(os.getpid()).encode())
    return words[next(number for number, word in enumerate(words) if word.endswith(".py")) :]


def _wait_for(starter: int) -> None:
    ends_at = time.monotonic() + _ADOPTED_WITHIN
    while os.getppid() != starter and time.monotonic() < ends_at:
        time.sleep(0.001)


def _show(words: list[str]) -> None:
    """Show a command line in the process list in place of this script's."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        start, end = (int(word) for word in Path("/proc/self/stat").read_text().rpartition(")")[2].split()[45:47])
        room = end - start
        line = "\0".join(words).encode()[: room - 1]
        ctypes.memmove(start, line.ljust(room, b"\0"), room)


if __name__ == "__main__":
    main()
