"""Workers killed while they crawl: a short run of tests.drafts.crawl.kills, whose long one is started by hand."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
ENGINES = {"DATABASE_URL", "REDIS_URL"}


@pytest.mark.nightly
@pytest.mark.processes
def test_what_is_killed_ends_once_all_the_same() -> None:
    command = [sys.executable, "-m", "tests.drafts.crawl.kills", "--crawls", "16", "--seed", "3", "--kills", "6"]
    environment = {name: value for name, value in os.environ.items() if name not in ENGINES}
    run = subprocess.run(
        [*command, "--recover", "2"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr[-4000:]
    assert "a worker" in run.stdout or "one process" in run.stdout, "nothing was killed"
