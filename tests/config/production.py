"""Programs of the project under settings of production, with nothing of the test run's own in their environment."""

import subprocess
import sys

from tests.config.support import PROJECT
from tests.leftovers import bare_environment

PRODUCTION = {
    "DATABASE_URL": "postgresql://slipway@127.0.0.1:9/slipway",
    "REDIS_URL": "redis://127.0.0.1:9/0",
    "SECRET_KEY": "kN3-" + "0a1B2c3D4e5F6g7H8i9J" * 3,
    "PUBLIC_BASE_URL": "https://slipway.example",
    "HSTS_WHOLE_DOMAIN": "1",
    "EMAIL_URL": "smtp+starttls://slipway:secret@mail.example:587",
}


def in_production(*command: str, **changes: str) -> "subprocess.CompletedProcess[str]":
    """Run a Python program to its end; an empty value takes a setting away."""
    return subprocess.run(  # noqa: S603 - words of the tests, no shell
        [sys.executable, *command],
        cwd=PROJECT,
        env=bare_environment() | PRODUCTION | changes,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def deploy_check(**changes: str) -> "subprocess.CompletedProcess[str]":
    return in_production("manage.py", "check", "--deploy", "--fail-level", "WARNING", **changes)
