"""Production does not start with unsafe settings, whatever is started, and says why in one line each."""

import os
from typing import Any

import pytest

from apps.core.operations.checks.production import unsafe_settings
from tests.config.production import PRODUCTION, in_production

UNSAFE = {
    "DEBUG": "1",
    "ALLOWED_HOSTS": "slipway.example,*",
    "TEST_GATEWAY": "1",
    "PUBLIC_BASE_URL": "http://slipway.example",
    "SECRET_KEY": "django-insecure-" + "0a1B2c3D4e5F6g7H8i9J" * 3,
    "REDIS_URL": "",
    "EMAIL_URL": "",
    "CRAWL_ALLOW_PRIVATE_HOSTS": "127.0.0.1:8001",
    "CRAWL_EXTRA_CA_FILE": "/ca.pem",
}
REFUSAL = """\
Slipway doesn't start with these settings:
  REDIS_URL is not set.
  PUBLIC_BASE_URL uses http: passwords would travel unencrypted. Use https, or set ALLOW_HTTP=1.
  SECRET_KEY is weak. Use 50 or more random characters.
  DEBUG is on: error pages would show code and settings. Unset it.
  ALLOWED_HOSTS allows every host. List the host names of your sites.
  TEST_GATEWAY is on: orders could be paid without money. Unset it.
  EMAIL_URL is not set. Set it to your email server, which sends sign-up codes.
  CRAWL_ALLOW_PRIVATE_HOSTS is for local mode on a loopback host only. Unset it.
  CRAWL_EXTRA_CA_FILE is for local mode on a loopback host only. Unset it.
See docs/operations/settings.md.
"""
# It starts failed workers again, and its own exit status is its own.
_GRANIAN = ("-m", "granian", "--respawn-failed-workers", "--port", "0", "--no-log")
STARTS = {
    "start": ("-m", "config.start"),
    "migrate": ("manage.py", "migrate", "--skip-checks"),
    "web": (*_GRANIAN, "--interface", "rsgi", "config.rsgi:application"),
    "wsgi": (*_GRANIAN, "--interface", "wsgi", "config.wsgi:application"),
    "worker": ("-m", "celery", "--quiet", "-A", "config", "worker", "--pool", "solo"),
    "beat": ("-m", "celery", "--quiet", "-A", "config", "beat"),
}


@pytest.mark.processes
@pytest.mark.parametrize("name", STARTS)
def test_all_reasons_at_once_and_no_traceback(name: str) -> None:
    ended = in_production(*STARTS[name], **UNSAFE)
    said = ended.stdout + ended.stderr
    assert ended.returncode == (1 if name in {"web", "wsgi"} else os.EX_CONFIG)
    assert REFUSAL in said
    assert "Traceback" not in said


@pytest.mark.processes
def test_the_check_names_the_same() -> None:
    checked = in_production("manage.py", "check", "--deploy", **UNSAFE)
    assert checked.returncode == 1
    assert "Traceback" not in checked.stderr
    for line in REFUSAL.splitlines()[1:-1]:
        assert f") {line.strip()}" in checked.stderr


@pytest.fixture
def production(settings: Any) -> Any:
    """The settings of an installation with nothing unsafe about it."""
    settings.LOCAL = settings.DEBUG = settings.TEST_GATEWAY = settings.ALLOW_HTTP = False
    settings.SECRET_KEY_IS_SET = settings.PUBLIC_BASE_URL_IS_SET = True
    settings.SECRET_KEY = PRODUCTION["SECRET_KEY"]
    settings.DATABASE_URL, settings.REDIS_URL = PRODUCTION["DATABASE_URL"], PRODUCTION["REDIS_URL"]
    settings.PUBLIC_BASE_URL, settings.ALLOWED_HOSTS = "https://slipway.example", ["slipway.example"]
    settings.EMAIL_URL = PRODUCTION["EMAIL_URL"]
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    return settings


@pytest.mark.parametrize(
    ("changes", "check", "told"),
    [
        ({"SECRET_KEY_IS_SET": False}, "core.E003", "SECRET_KEY is not set"),
        ({"SECRET_KEY": "a1B2c3D4e5"}, "core.E003", "SECRET_KEY is weak"),
        ({"SECRET_KEY": "abcd" * 20}, "core.E003", "SECRET_KEY is weak"),
        ({"PUBLIC_BASE_URL_IS_SET": False}, "core.E002", "PUBLIC_BASE_URL is not set"),
        ({"DATABASE_URL": ""}, "core.E001", "DATABASE_URL is not set"),
        ({"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}, "core.E007", "EMAIL_BACKEND"),
        ({"EMAIL_BACKEND": "apps.core.email.filebased.EmailBackend"}, "core.E007", "EMAIL_BACKEND"),
    ],
)
def test_each_reason_alone(production: Any, changes: dict[str, Any], check: str, told: str) -> None:
    for name, value in changes.items():
        setattr(production, name, value)
    [unsafe] = unsafe_settings()
    assert (unsafe.id, unsafe.line.startswith(told)) == (check, True)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"PUBLIC_BASE_URL": "http://slipway.example", "ALLOW_HTTP": True},
        {"EMAIL_URL": "", "EMAIL_BACKEND": "anymail.backends.postmark.EmailBackend"},
        {"LOCAL": True, "DEBUG": True, "TEST_GATEWAY": True, "SECRET_KEY": "short", "EMAIL_URL": ""},
    ],
    ids=["production", "http on purpose", "another way to send email", "local mode"],
)
def test_what_is_allowed(production: Any, changes: dict[str, Any]) -> None:
    for name, value in changes.items():
        setattr(production, name, value)
    assert unsafe_settings() == []


@pytest.mark.processes
def test_a_forgotten_database_does_not_make_it_local_mode() -> None:
    ended = in_production(
        "manage.py", "migrate", **{**UNSAFE, "PUBLIC_BASE_URL": "https://slipway.example"}, DATABASE_URL=""
    )
    assert ended.returncode == os.EX_CONFIG
    for name in ("DATABASE_URL", "DEBUG", "ALLOWED_HOSTS", "TEST_GATEWAY", "SECRET_KEY"):
        assert f"\n  {name} " in ended.stderr


def test_local_mode_on_a_public_host_refuses_the_switches(production: Any) -> None:
    """`manage.py up` behind a proxy: the engines and the key may be its own, strangers come by all the same."""
    production.LOCAL, production.IS_LOOPBACK = True, False
    production.DATABASE_URL = production.REDIS_URL = production.EMAIL_URL = ""
    assert unsafe_settings() == []
    production.DEBUG = production.TEST_GATEWAY = True
    production.ALLOWED_HOSTS = ["*"]
    production.CRAWL_ALLOW_PRIVATE_HOSTS = frozenset({"127.0.0.1:8001"})
    assert [unsafe.id for unsafe in unsafe_settings()] == ["core.E004", "core.E005", "core.E006", "core.E008"]


@pytest.mark.processes
@pytest.mark.parametrize("name", STARTS)
def test_a_value_that_cannot_be_read_is_told_in_one_line(name: str) -> None:
    ended = in_production(*STARTS[name], DEBUG="maybe")
    assert ended.returncode != 0
    said = ended.stdout + ended.stderr
    assert "  DEBUG must be one of true, false, 1, 0, yes, no, on, off.\n" in said
    assert "Traceback" not in said


@pytest.mark.processes
@pytest.mark.parametrize(
    ("address", "local"),
    [("http://127.0.0.1:8000", True), ("", True), ("https://slipway.example", False), ("http://192.0.2.1", False)],
)
def test_without_a_database_only_a_loopback_address_is_local_mode(address: str, local: bool) -> None:  # noqa: FBT001
    told = in_production(
        "-c", "from config import settings; print(settings.LOCAL)", DATABASE_URL="", PUBLIC_BASE_URL=address
    )
    assert told.stdout == f"{local}\n"
