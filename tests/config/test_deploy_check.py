"""Production settings pass Django's own deployment checks and the authorization server's."""

import os
import subprocess
import sys

import pytest
from django.conf import settings

PRODUCTION = {
    "DATABASE_URL": "postgresql://slipway@127.0.0.1/slipway",
    "REDIS_URL": "redis://127.0.0.1:6379/0",
    "SECRET_KEY": "kN3-" + "0a1B2c3D4e5F6g7H8i9J" * 3,
    "PUBLIC_BASE_URL": "https://slipway.example",
    "HSTS_WHOLE_DOMAIN": "1",
}


def deploy_check(**changes: str) -> "subprocess.CompletedProcess[str]":
    inherited = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG", "VIRTUAL_ENV"}}
    return subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=settings.BASE_DIR,
        env=inherited | PRODUCTION | changes,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_production_settings_pass_without_a_warning() -> None:
    checked = deploy_check()
    assert checked.returncode == 0, checked.stderr
    assert "no issues (1 silenced)" in checked.stderr + checked.stdout


@pytest.mark.parametrize(
    ("changes", "warning"),
    [
        ({"HSTS_WHOLE_DOMAIN": "0"}, "security.W005"),
        ({"PUBLIC_BASE_URL": "http://slipway.example"}, "security.W008"),
        ({"SECRET_KEY": "short"}, "security.W009"),
        ({"DEBUG": "1"}, "security.W018"),
    ],
)
def test_the_check_can_fail(changes: dict[str, str], warning: str) -> None:
    checked = deploy_check(**changes)
    assert checked.returncode == 1
    assert warning in checked.stderr


def test_only_http_for_loopback_is_silenced() -> None:
    assert settings.SILENCED_SYSTEM_CHECKS == ["oauth2_provider.W008"]
