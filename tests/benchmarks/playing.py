"""Processes that play websites for a benchmark."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROJECT = Path(__file__).parents[2]


@contextmanager
def websites(module: str) -> Iterator[int]:
    """The port of a process that runs a module; it writes its port, and ends with its standard input."""
    command = [sys.executable, "-m", module]
    with subprocess.Popen(command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        try:
            yield int(server.stdout.readline())
        finally:
            server.stdin.close()
