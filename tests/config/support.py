"""Other processes that hold engines, and a look at what runs."""

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from config.supervisor.processes import is_alive
from tests.faults.processes import Process, talking
from tests.waiting import wait_for

PROJECT = Path(__file__).resolve().parents[2]
# What tests/config/front_app.py sends: so many of these pieces.
LARGE, PIECE = 200, b"x" * 65536

_HOLDER = """
import json, sys
from dataclasses import replace
from pathlib import Path
from config.supervisor import processes
from config.local import Engines

if sys.argv[2] == "unbound":  # as on a system that tells no child of its starter's end
    start = processes.Child.start
    def unbound(self):
        self.program = replace(self.program, orphan_signal=0)
        start(self)
    processes.Child.start = unbound
engines = Engines(Path(sys.argv[1]), durable=sys.argv[2] == "durable")
engines.start()
print(json.dumps([child.pid for child in engines.processes()]), flush=True)
sys.stdin.read()
engines.stop()
"""


@dataclass
class Holder:
    """A process that runs engines; `servers` are their numbers."""

    process: Process
    servers: list[int]

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


def clean_environment() -> dict[str, str]:
    """Without the addresses and settings of the test run itself."""
    dropped = {"DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE", "PUBLIC_BASE_URL", "SLIPWAY_DATA_DIR"}
    return {key: value for key, value in os.environ.items() if key not in dropped}


@contextlib.contextmanager
def holder(data_dir: Path, kind: str = "throwaway") -> Iterator[Holder]:
    """Start engines in another process: `durable`, `throwaway`, or `unbound`, whose servers outlive it."""
    command = [sys.executable, "-c", _HOLDER, str(data_dir), kind]
    with talking(command, env=clean_environment()) as (process, _, output):
        servers: list[int] = json.loads(output.readline())
        yield Holder(process=process, servers=servers)
    wait_for(lambda: not any(is_alive(pid) for pid in servers))


def mentioning(text: str) -> list[int]:
    """Numbers of the live processes whose command line or title has this text."""
    result = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if text.encode() in path.read_bytes() and int(path.parent.name) != os.getpid():
                result.append(int(path.parent.name))
    return result
