"""Lighthouse, with its mobile preset, on the five main public pages of a site with the demo data.

usage: python -m tests.conformance.lighthouse [--reports FOLDER] [--url ADDRESS_OF_A_RUNNING_SITE]

It prints the score of each category, and what keeps a page below 95; then it ends with 1. Speed is measured, so it is
no test of every run: a machine that has other things to do makes every page slower.
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
}
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
LEAST = 95
_FLAGS = "--headless=new --no-sandbox --disable-gpu"


def report(address: str) -> dict[str, Any]:
    """What Lighthouse says of one page, as its JSON has it. Raises CalledProcessError where it cannot say anything."""
    words = (
        address,
        "--output=json",
        "--quiet",
        f"--only-categories={','.join(CATEGORIES)}",
        f"--chrome-flags={_FLAGS}",
    )
    command = npm.installed().command("lighthouse/cli/index.js", *words)
    env = {**os.environ, "CHROME_PATH": chromium()}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=env)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def scores(found: Mapping[str, Any]) -> dict[str, int]:
    """Points of 100 by category."""
    return {name: round((found["categories"][name]["score"] or 0) * 100) for name in CATEGORIES}


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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reports", type=Path, metavar="FOLDER", help="where the whole reports are kept, as JSON")
    parser.add_argument("--url", help="measure this site instead of one that is started for it")
    given = parser.parse_args()
    is_good = True
    with _site(given.url) as base_url:
        for name, path in PAGES.items():
            found = report(base_url + path)
            if given.reports:
                given.reports.mkdir(parents=True, exist_ok=True)
                (given.reports / f"{name.replace(' ', '-')}.json").write_text(json.dumps(found))
            print(f"{name:12}", *(f"{category} {score:3}" for category, score in scores(found).items()))  # noqa: T201 - a program
            for loss in losses(found):
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
