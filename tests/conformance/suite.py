"""Running `@modelcontextprotocol/conformance`, and reading what it found out."""

import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.conformance.npm import Packages
from tests.faults.processes import Process, started
from tests.leftovers import bare_environment
from tests.waiting import PATIENCE_SECONDS

SCRIPT = "@modelcontextprotocol/conformance/dist/index.js"
EXPECTED = Path(__file__).with_name("expected")
# The oldest version has no scenarios of its own, only those of the next one, which can be forced on it.
OLDEST = "2025-03-26"
VERSIONS = ("2025-06-18", "2025-11-25", "2026-07-28")
_FOLDER = re.compile(r"(?:authorization-)?server-(.+)-\d{4}-\d\d-\d\dT[\dTZ-]+")
_ENTRY = re.compile(r"  - (\S+) +# (\S.+)")


@dataclass(frozen=True)
class Check:
    """One thing that was looked at. `status` is SUCCESS, FAILURE, WARNING, SKIPPED or INFO."""

    scenario: str
    name: str
    status: str
    message: str

    @property
    def is_failed(self) -> bool:
        return self.status in {"FAILURE", "WARNING"}

    @property
    def key(self) -> str:
        """How a list of expected failures names this one check."""
        return f"{self.scenario}:{self.name}"


@dataclass(frozen=True)
class Report:
    """A finished run: the exit code, everything that was printed, and every check of every scenario."""

    code: int
    output: str
    checks: list[Check]

    @property
    def failed(self) -> list[Check]:
        return [check for check in self.checks if check.is_failed]

    @property
    def passed(self) -> list[Check]:
        return [check for check in self.checks if check.status == "SUCCESS"]

    @property
    def scenarios(self) -> set[str]:
        return {check.scenario for check in self.checks}


def run_suite(packages: Packages, folder: Path, *words: str) -> Report:
    """Run the suite with these arguments; its results land in `folder`, which must not be used twice."""
    command = packages.command(SCRIPT, *words, "--output-dir", str(folder))
    done = subprocess.run(
        command,
        env=environment(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    return Report(done.returncode, done.stdout, read_checks(folder))


@contextmanager
def talking(command: Sequence[str], home: Path, *, stderr: int | None = None) -> Iterator[Process]:
    """A started package that waits for somebody; it does not wait on when the test fails."""
    with started(command, stop=None, env=environment(home), stdout=subprocess.PIPE, stderr=stderr) as process:
        yield process


def environment(home: Path) -> dict[str, str]:
    """What a package gets to see: a home folder of its own, and nothing of the test's settings."""
    return {**bare_environment(), "HOME": str(home), "NO_COLOR": "1", "MCP_INSPECTOR_SECRET_STORE": "memory"}


def read_checks(folder: Path) -> list[Check]:
    """Every check below the folder."""
    checks = []
    for path in sorted(folder.glob("*/checks.json")):
        named = _FOLDER.fullmatch(path.parent.name)
        assert named, path
        result: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
        checks += [Check(named[1], one["id"], one["status"], one.get("errorMessage") or "") for one in result]
    return checks


def expected_failures(version: str) -> dict[str, str]:
    """What is known not to apply, and why: the reason stands behind each entry, on its line."""
    text = _list_of(version).read_text(encoding="utf-8")
    entries = dict(_ENTRY.findall(text))
    listed: Sequence[str] = yaml.safe_load(text)["server"]
    assert list(entries) == listed, f"an entry of {version} is there twice or says no reason"
    return entries


def expecting(version: str) -> list[str]:
    """The arguments that run one version and excuse what does not apply to it."""
    return ["--suite", "all", "--spec-version", version, "--expected-failures", str(_list_of(version))]


def _list_of(version: str) -> Path:
    return EXPECTED / f"{version}.yaml"
