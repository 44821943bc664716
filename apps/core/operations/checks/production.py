"""Settings that are fine on a developer's machine but unsafe in production, where they stop Slipway from starting."""

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings
from django.core.checks.security.base import (
    SECRET_KEY_INSECURE_PREFIX,
    SECRET_KEY_MIN_LENGTH,
    SECRET_KEY_MIN_UNIQUE_CHARACTERS,
)

_SENDS_NOTHING = (
    "apps.core.email.filebased.",
    *(f"django.core.mail.backends.{kind}." for kind in ("console", "dummy", "filebased", "locmem")),
)


@dataclass(frozen=True, slots=True)
class UnsafeSetting:
    """A setting, and a line that says what is wrong and what to do. `id` is the system check's."""

    id: str
    line: str


def unsafe_settings() -> list[UnsafeSetting]:
    """Return the settings that stop the installation from starting. Fewer apply in local mode."""
    if settings.LOCAL:
        return [] if settings.IS_LOOPBACK else [*_switches(), *_crawler()]
    return [*_addresses(), *_secret_key(), *_switches(), *_email(), *_crawler()]


def refuse_unsafe_settings() -> None:
    """Exit with EX_CONFIG and a line for each unsafe setting. `manage.py check` lists them itself."""
    if sys.argv[1:2] == ["check"]:
        return
    if result := unsafe_settings():
        lines = "\n".join(f"  {unsafe.line}" for unsafe in result)
        message = f"Slipway doesn't start with these settings:\n{lines}\nSee docs/operations/settings.md.\n"
        sys.stderr.write(message)
        sys.exit(os.EX_CONFIG)


def _addresses() -> Iterator[UnsafeSetting]:
    for name in ("DATABASE_URL", "REDIS_URL"):
        if not getattr(settings, name):
            yield UnsafeSetting("core.E001", f"{name} is not set.")
    if not settings.PUBLIC_BASE_URL_IS_SET:
        yield UnsafeSetting("core.E002", "PUBLIC_BASE_URL is not set.")
    elif settings.PUBLIC_BASE_URL.startswith("http://") and not settings.ALLOW_HTTP:
        yield UnsafeSetting(
            "core.E002",
            "PUBLIC_BASE_URL uses http: passwords would travel unencrypted. Use https, or set ALLOW_HTTP=1.",
        )


def _secret_key() -> Iterator[UnsafeSetting]:
    if not settings.SECRET_KEY_IS_SET:
        yield UnsafeSetting("core.E003", "SECRET_KEY is not set.")
        return
    key = settings.SECRET_KEY
    is_random = not key.startswith(SECRET_KEY_INSECURE_PREFIX) and len(set(key)) >= SECRET_KEY_MIN_UNIQUE_CHARACTERS
    if not is_random or len(key) < SECRET_KEY_MIN_LENGTH:
        yield UnsafeSetting("core.E003", f"SECRET_KEY is weak. Use {SECRET_KEY_MIN_LENGTH} or more random characters.")


def _switches() -> Iterator[UnsafeSetting]:
    if settings.DEBUG:
        yield UnsafeSetting("core.E004", "DEBUG is on: error pages would show code and settings. Unset it.")
    if "*" in settings.ALLOWED_HOSTS:
        yield UnsafeSetting("core.E005", "ALLOWED_HOSTS allows every host. List the host names of your sites.")
    if settings.TEST_GATEWAY:
        yield UnsafeSetting("core.E006", "TEST_GATEWAY is on: orders could be paid without money. Unset it.")


def _email() -> Iterator[UnsafeSetting]:
    if settings.EMAIL_BACKEND.startswith(_SENDS_NOTHING):
        yield UnsafeSetting("core.E007", "EMAIL_BACKEND sends no email. Unset it and set EMAIL_URL.")
    elif "smtp" in settings.EMAIL_BACKEND and not settings.EMAIL_URL:
        yield UnsafeSetting(
            "core.E007", "EMAIL_URL is not set. Set it to your email server, which sends sign-up codes."
        )


def _crawler() -> Iterator[UnsafeSetting]:
    for name in ("CRAWL_ALLOW_PRIVATE_HOSTS", "CRAWL_EXTRA_CA_FILE"):
        if getattr(settings, name):
            yield UnsafeSetting("core.E008", f"{name} is for local mode on a loopback host only. Unset it.")
