"""Processes that play websites for a benchmark."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests.faults.processes import talking


@contextmanager
def websites(module: str) -> Iterator[int]:
    """The port of a process that runs a module; it writes its port, and ends with its standard input."""
    with talking([sys.executable, "-m", module]) as (_, _, output):
        yield int(output.readline())
