"""Fail on known vulnerabilities of what running needs; say so where the advisory service can't be reached."""

import json
import subprocess
import sys

AUDIT = ["-m", "pip_audit", "-r", "requirements.lock", "--disable-pip", "--no-deps", "--format", "json"]
UNREACHABLE = ("ConnectionError", "ServiceError", "timed out")


def main() -> str | None:
    """Return what is wrong, or None."""
    audit = subprocess.run([sys.executable, *AUDIT], capture_output=True, text=True, check=False)
    if not audit.stdout:
        if any(sign in audit.stderr for sign in UNREACHABLE):
            return _skip("the advisory service can't be reached")
        return audit.stderr
    audited = [package for package in json.loads(audit.stdout)["dependencies"] if "vulns" in package]
    found = [f"{each['name']} {each['version']}: {one['id']}" for each in audited for one in each["vulns"]]
    if not audited:
        return _skip("the advisory service knows none of the packages")
    return "\n".join(["Known vulnerabilities", *found]) if found else None


def _skip(reason: str) -> None:
    sys.stdout.write(f"pip-audit skipped: {reason}\n")


if __name__ == "__main__":
    sys.exit(main())
