"""Run pytest, and what failed once more, alone: what passes then is reported as flaky, what fails twice is red.

usage: again.py ARGUMENTS OF PYTEST      (more than three failures are red at once)
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from signal import SIGINT, SIGTERM, signal
from xml.etree import ElementTree as ET  # noqa: S405  # pytest's own report

MOST = 3
LAST_FAILED = Path(".pytest_cache/v/cache/lastfailed")
LAUNCH = str(Path(__file__).parents[1] / "config" / "supervisor" / "launch.py")
# The default refuses the figures that tests note.
REPORT = ["-o", "junit_family=xunit1"]


def main() -> int:
    """Return pytest's exit code: of the first run, or of the second one if few tests failed in the first."""
    LAST_FAILED.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        code = _pytest(*sys.argv[1:], *REPORT, f"--junit-xml={report}")
        failures = _failures(report) if code == 1 else {}
    failed = json.loads(LAST_FAILED.read_text()) if failures else {}
    if not 0 < len(failed) <= MOST:
        return code
    # A worker appends the test's group. Folder by folder: of a folder that comes twice, pytest finds no fixtures.
    names = sorted(re.sub(r"@\w+$", "", name) for name in failed)
    again = _pytest("-n", "0", *names)
    if again == 0:
        for name, traceback in failures.items():
            sys.stdout.write(f"FLAKY {name}\n{traceback}\n")
    return again


def _pytest(*arguments: str) -> int:
    """Run pytest to its end and return its exit code. It ends with this process, also when that is killed."""
    launch = [sys.executable, LAUNCH, str(os.getpid()), str(int(SIGTERM)), "-1", "-1"]
    with subprocess.Popen([*launch, sys.executable, "-m", "pytest", *arguments], start_new_session=True) as pytest:
        before = signal(SIGINT, lambda *_: pytest.send_signal(SIGINT))
        try:
            return pytest.wait()
        finally:
            signal(SIGINT, before)


def _failures(report: Path) -> dict[str, str]:
    """Return the tracebacks of failed tests by name and seconds."""
    root = ET.parse(report).getroot()  # noqa: S314  # pytest's own report
    return {
        f"{case.get('classname')}.{case.get('name')} after {case.get('time')} s": outcome.text or ""
        for case in root.iter("testcase")
        for outcome in [*case.iter("failure"), *case.iter("error")]
    }


if __name__ == "__main__":
    sys.exit(main())
