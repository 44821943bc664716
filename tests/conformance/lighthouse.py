"""Lighthouse, with its mobile preset, on six main public pages of a site with the demo data.

usage: python -m tests.conformance.lighthouse [--runs N] [--pages NAME ...] [--reports FOLDER]
                                              [--url ADDRESS_OF_A_RUNNING_SITE]

It prints the scores of each page's run with the median performance, and what keeps it below 98 or fails for assistants;
then it ends with 1. Speed is measured, so it is no test of every run: a machine that has other things to do makes
every page slower. The benchmark index is how fast the machine was in that run, so compare pages only where it is alike.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.browser.conftest import chromium
from tests.conformance import npm
from tests.running import running

# The search without words: what was found for some is not for indexes, which Lighthouse counts as a fault.
PAGES = {
    "front page": "/",
    "board": "/boards/community-monthly",
    "listing": "/listings/orbitly",
    "search": "/search",
    "story": "/stories/harbor",
    "founders": "/founders",
}
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
# It has no points: each check that applies to a page has to pass.
AGENTS = "agentic-browsing"
LEAST = 98
RUNS = 3
# Now and then Chrome ends without a report.
TRIES = 2
_FLAGS = "--headless=new --no-sandbox --disable-gpu"


class NoReportError(Exception):
    """Lighthouse could not say anything about a page. The text has its reason."""


def report(address: str, *, tries: int = TRIES) -> dict[str, Any]:
    """What Lighthouse says of one page, as its JSON has it. Raises NoReportError where it cannot say anything."""
    words = (
        address,
        "--output=json",
        "--quiet",
        f"--only-categories={','.join((*CATEGORIES, AGENTS))}",
        f"--chrome-flags={_FLAGS}",
    )
    command = npm.installed().command("lighthouse/cli/index.js", *words)
    env = {**os.environ, "CHROME_PATH": chromium()}
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=env)
    if done.returncode:
        if tries > 1:
            return report(address, tries=tries - 1)
        raise NoReportError((done.stderr.strip() or done.stdout.strip())[-500:])
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def median_report(address: str, runs: int) -> dict[str, Any]:
    """The report whose performance is the middle of several, as Lighthouse advises where speed varies."""
    by_performance = sorted((report(address) for _ in range(runs)), key=lambda found: scores(found)["performance"])
    return by_performance[len(by_performance) // 2]


def scores(found: Mapping[str, Any]) -> dict[str, int]:
    """Points of 100 by category."""
    return {name: round((found["categories"][name]["score"] or 0) * 100) for name in CATEGORIES}


def _benchmark(found: Mapping[str, Any]) -> float:
    speed: float = found["environment"]["benchmarkIndex"]
    return speed


def losses(found: Mapping[str, Any]) -> Iterator[str]:
    """What a page lost points by, the costliest first in each category that is below the least."""
    for name, score in scores(found).items():
        if score >= LEAST:
            continue
        weighed = [(one["weight"], found["audits"][one["id"]]) for one in found["categories"][name]["auditRefs"]]
        lost = [(weight * (1 - audit["score"]), audit) for weight, audit in weighed if audit["score"] is not None]
        for loss, audit in sorted(lost, key=lambda one: -one[0]):
            if loss > 0:
                yield f"{name}: {audit['title']} ({audit['id']}) {audit.get('displayValue', '')}"


def failing_for_agents(found: Mapping[str, Any]) -> tuple[list[str], int]:
    """The checks for assistants that a page fails, and how many apply to it."""
    checks = [found["audits"][one["id"]] for one in found["categories"][AGENTS]["auditRefs"]]
    applicable = [check for check in checks if check["score"] is not None]
    return [f"{AGENTS}: {check['title']} ({check['id']})" for check in applicable if check["score"] < 1], len(
        applicable
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reports", type=Path, metavar="FOLDER", help="where the whole reports are kept, as JSON")
    parser.add_argument("--url", help="measure this site instead of one that is started for it")
    parser.add_argument("--runs", type=int, default=RUNS, metavar="N", help="how often each page is measured")
    parser.add_argument("--pages", nargs="+", default=list(PAGES), choices=PAGES, metavar="NAME", help="only these")
    given = parser.parse_args()
    is_good = True
    with _site(given.url) as base_url:
        for name in given.pages:
            try:
                result = median_report(base_url + PAGES[name], given.runs)
            except NoReportError as error:
                is_good = False
                print(f"{name:12} no report: {error}")  # noqa: T201 - a program
                continue
            if given.reports:
                given.reports.mkdir(parents=True, exist_ok=True)
                (given.reports / f"{name.replace(' ', '-')}.json").write_text(json.dumps(result))
            failing, applicable = failing_for_agents(result)
            shown = [f"{category} {score:3}" for category, score in scores(result).items()]
            shown += [f"{AGENTS} {applicable - len(failing)}/{applicable}", f"benchmark {_benchmark(result):.0f}"]
            print(f"{name:12}", *shown, flush=True)  # noqa: T201 - a program
            for loss in (*losses(result), *failing):
                is_good = False
                print(f"  {loss}")  # noqa: T201 - a program
    return 0 if is_good else 1


@contextmanager
def _site(url: str | None) -> Iterator[str]:
    if url:
        yield url.rstrip("/")
        return
    with tempfile.TemporaryDirectory() as folder, running(Path(folder) / "data", private_hosts=()) as site:
        yield site.base_url


if __name__ == "__main__":
    sys.exit(main())
