"""How long `manage.py up` takes to its first page, and how much memory it takes when nobody asks for anything.

Each run begins with an empty data directory, stops, and starts once more on what is there. Seconds depend on what else
the machine does; the processor time of all processes until the first page hardly does. Memory is PSS: pages that
processes share count once in all.

usage: python -m tests.benchmarks.footprint [--runs 3] [--idle 60] [--json]
"""

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from config.local.places import socket_dir
from tests.running import Running, running

# What a process is called in the table, by a word of its command line; the first that fits.
WORDS = {
    "postgres": "postgres",
    "valkey-server": "valkey",
    "loaded.py": "project",
    "granian": "web",
    "worker@": "worker",
    "crawler@": "crawler",
    "celerybeat": "beat",
    "note_keeper.py": "up.json",
    "manage.py": "supervisor",
}
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Start:
    """One start: seconds until the first page, processor seconds until then, and kilobytes by program when idle."""

    seconds: float
    cpu_seconds: float
    kilobytes: Mapping[str, int]


def measure(data_dir: Path, *, idle: float) -> Start:
    """Start on this directory, look, wait, look again, and stop."""
    with running(data_dir, private_hosts=()) as started:
        cpu = cpu_seconds(started.pid)
        time.sleep(idle)
        return Start(started.first_page_seconds, cpu, memory(started))


def memory(started: Running) -> dict[str, int]:
    """PSS in kilobytes of each program with all its processes."""
    result: Counter[str] = Counter()
    for pid in family(started.pid):
        command = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
        name = next((name for word, name in WORDS.items() if word in command), command[:20])
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
        result[name] += int(rollup.partition("\nPss:")[2].split()[0])
    return dict(result)


def cpu_seconds(pid: int) -> float:
    """Processor time of a process and of all that came of it so far."""
    total = 0
    for member in family(pid):
        fields = Path(f"/proc/{member}/stat").read_text().rpartition(")")[2].split()
        # Its own, and that of children which have ended.
        total += sum(int(ticks) for ticks in fields[11:15])
    return total / _TICKS


def family(pid: int) -> Iterator[int]:
    """A process and all below it."""
    yield pid
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield from family(int(child))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--idle", type=float, default=60, metavar="SECONDS")
    parser.add_argument("--json", action="store_true", help="print the medians as JSON")
    chosen = parser.parse_args()
    starts: dict[str, list[Start]] = {"cold": [], "warm": []}
    for _ in range(chosen.runs):
        folder = Path(tempfile.mkdtemp(prefix="slipway-footprint-"))
        folder.chmod(0o711)
        try:
            for kind, one in starts.items():
                one.append(measure(folder / "data", idle=chosen.idle if kind == "warm" else 0))
        finally:
            shutil.rmtree(socket_dir(folder / "data"), ignore_errors=True)
            shutil.rmtree(folder)
    medians = medians_of(starts)
    sys.stdout.write(json.dumps(medians, indent=2) + "\n" if chosen.json else table(medians))
    return 0


def medians_of(starts: Mapping[str, list[Start]]) -> dict[str, float]:
    """The figures to print, by name."""
    medians: dict[str, float] = {}
    for kind, one in starts.items():
        medians[f"{kind} start, s"] = statistics.median(start.seconds for start in one)
        medians[f"{kind} start, processor s"] = statistics.median(start.cpu_seconds for start in one)
    rows = [start.kilobytes for start in starts["warm"]]
    for name in sorted({name for row in rows for name in row}):
        medians[f"{name}, MB"] = statistics.median(row.get(name, 0) for row in rows) / 1024
    medians["all, MB"] = statistics.median(sum(row.values()) for row in rows) / 1024
    return medians


def table(medians: Mapping[str, float]) -> str:
    return "".join(f"{name:<28}{value:>8.1f}\n" for name, value in medians.items())


if __name__ == "__main__":
    sys.exit(main())
