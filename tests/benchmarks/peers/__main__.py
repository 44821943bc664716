"""Measure Slipway beside its peers, on the same rows, in one run.

Starts PostgreSQL and Valkey, fills a directory of each size (they stay for the next run), installs the peers into
environments of their own, starts all and measures in rounds that take turns. An interrupted run goes on with --resume.
Load comes from wrk where it is installed.

usage: python -m tests.benchmarks.peers [--rows 20000,200000,1000000] [--rounds 3] [--seconds 2] [--only list,search]
           [--without directus] [--resume] [--write]
"""

import argparse
import re
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from config.local import Engines
from tests.benchmarks.fill import print_line
from tests.benchmarks.peers import machine, report
from tests.benchmarks.peers.directus import Directus
from tests.benchmarks.peers.load import WRK
from tests.benchmarks.peers.marks import Run
from tests.benchmarks.peers.measure import (
    TESTS,
    Plan,
    Result,
    address_times,
    check_answers,
    measure,
    read_journal,
    start,
)
from tests.benchmarks.peers.peer import PROJECT, Peer
from tests.benchmarks.peers.python_peers import PEERS
from tests.benchmarks.peers.slipway import Slipway
from tests.benchmarks.peers.world import prepare
from tests.leftovers import start_watcher

_ALL: tuple[Peer, ...] = (Slipway(), *PEERS, Directus())
_CONNECTIONS = 200


def options_from(words: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", default="20000,200000,1000000")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2.0, help="that each load takes")
    parser.add_argument(
        "--only", default="", help=f"tests, of {', '.join(test.key for test in TESTS)}, addresses, votes"
    )
    parser.add_argument("--without", default="", help="peers to leave out, by name")
    parser.add_argument("--resume", action="store_true", help="keep what an interrupted run has measured")
    parser.add_argument("--write", action="store_true", help="write docs/performance.md")
    parser.add_argument("--data-dir", type=Path, default=PROJECT / ".slipway" / "benchmarks")
    parser.add_argument("--installed", action="store_true", help="only peers that run in this environment")
    return parser.parse_args(words)


def run(options: argparse.Namespace) -> Run:
    """Measure what the options ask for, saying each figure as it comes."""
    cache: Path = options.data_dir.resolve()
    cache.mkdir(parents=True, exist_ok=True)
    journal = cache / "results.jsonl"
    if not options.resume:
        journal.unlink(missing_ok=True)
    done, results = read_journal(journal), list[Result]()
    result = Run(results)
    tests = options.only.split(",") if options.only else [*(test.key for test in TESTS), "addresses", "votes"]
    without = {name.strip().lower() for name in options.without.split(",")}
    peers = [peer for peer in _ALL if peer.name.lower() not in without]
    python = Path(sys.executable) if options.installed else cache / "python" / "bin" / "python"
    if WRK is None:
        print_line("wrk is not installed: threads of this process make the load and take their share of the machine")
    with Engines(cache / "engines", connections=_CONNECTIONS) as engines:
        postmaster = next(child.pid for child in engines.processes() if child.program.name == "postgres")
        plan = Plan(
            tests=tests, rounds=options.rounds, seconds=options.seconds, postmaster=postmaster, done=done,
            journal=journal, say=print_line,
        )  # fmt: skip
        for rows in map(int, options.rows.split(",")):
            world = prepare(engines.addresses, rows=rows, cache=cache, python=python)
            with ExitStack() as stack:
                there = start(peers, world, stack, print_line)
                result.compared.update(check_answers(there, world))
                print_line(f"{len(result.compared)} answers hold the same rows")
                results.extend(measure(there, world, plan))
                result.memory.update({one.peer.name: machine.memory_mb(one.pid) for one in there})
                if "addresses" in tests:
                    result.addresses[rows] = address_times(there[0], world)
    return result


def votes_ratio() -> float:
    """Votes a second beside bare inserts, by tests.benchmarks.votes."""
    command = [sys.executable, "-m", "tests.benchmarks.votes"]
    told = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    result = re.search(r"([\d.]+) of a bare insert", told)
    if result is None:
        raise RuntimeError(told)
    return float(result[1])


def main() -> None:
    start_watcher()
    options = options_from()
    began = time.monotonic()
    result = run(options)
    if not options.only or "votes" in options.only.split(","):
        result = replace(result, votes=votes_ratio())
    command = " ".join(["python -m tests.benchmarks.peers", *(word for word in sys.argv[1:] if word != "--write")])
    print_line(report.markdown(result, command=command))
    if options.write:
        report.write(result, PROJECT / "docs", command=command)
    print_line(f"{(time.monotonic() - began) / 60:.1f} minutes")


if __name__ == "__main__":
    main()
