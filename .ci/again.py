"""Run pytest, and what failed once more, alone: what passes then is reported as flaky, what fails twice is red.

usage: again.py ARGUMENTS OF PYTEST      (more than three failures are red at once)
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree as ET  # noqa: S405  # pytest's own report

MOST = 3
LAST_FAILED = Path(".pytest_cache/v/cache/lastfailed")
PYTEST = [sys.executable, "-m", "pytest"]
# The default refuses the figures that tests note.
REPORT = ["-o", "junit_family=xunit1"]


def main() -> int:
    """Return pytest's exit code: of the first run, or of the second one if few tests failed in the first."""
    LAST_FAILED.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        code = subprocess.run([*PYTEST, *sys.argv[1:], *REPORT, f"--junit-xml={report}"], check=False).returncode
        failures = _failures(report) if code == 1 else {}
    failed = json.loads(LAST_FAILED.read_text()) if failures else {}
    if not 0 < len(failed) <= MOST:
        return code
    # A worker appends the test's group.
    names = [re.sub(r"@\w+$", "", name) for name in failed]
    again = subprocess.run([*PYTEST, "-n", "0", *names], check=False).returncode
    if again == 0:
        for name, traceback in failures.items():
            sys.stdout.write(f"FLAKY {name}\n{traceback}\n")
    return again


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
