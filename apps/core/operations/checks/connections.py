"""System checks of the installation as a whole."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register  # noqa: A004 - Django's own name
from django.db import Error as DatabaseFailure
from django.db import connection
from django.db.backends.utils import CursorWrapper

from apps.core.operations.checks.production import unsafe_settings

# Connections available to non-superusers. The last setting is new in PostgreSQL 16.
_CONNECTION_LIMIT = """
SELECT current_setting('max_connections')::int
     - current_setting('superuser_reserved_connections')::int
     - coalesce(current_setting('reserved_connections', true), '0')::int
"""


@register(Tags.security)
def check_production(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Check that production settings are safe before any command but `check` starts."""
    return [Error(unsafe.line, id=unsafe.id) for unsafe in unsafe_settings()]


@register(Tags.security, deploy=True)
def check_https(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Warn if browsers may use http. Django's own warnings name settings that follow from the environment's."""
    if not settings.SECURE_HSTS_SECONDS:
        hint = "Set PUBLIC_BASE_URL to an https address, which also turns on secure cookies and HSTS."
        return [Warning("Passwords and sessions may travel unencrypted.", hint=hint, id="core.W002")]
    if not settings.SECURE_HSTS_INCLUDE_SUBDOMAINS:
        hint = "If all of them use https, set HSTS_WHOLE_DOMAIN."
        return [Warning("HSTS doesn't cover subdomains.", hint=hint, id="core.W003")]
    return []


def connection_limit(cursor: CursorWrapper) -> int:
    """Return how many connections PostgreSQL accepts from accounts that are no superusers."""
    cursor.execute(_CONNECTION_LIMIT)
    [limit] = cursor.fetchone()
    return int(limit)


@register()
def check_connections(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Warn if threads and processes need more connections than PostgreSQL allows: some requests would get a 503.

    A database that can't be asked is left to `/readyz`, because `check` also runs without one.
    """
    try:
        with connection.temporary_connection() as cursor:
            free = connection_limit(cursor)
    except DatabaseFailure:
        return []
    needed = sum(settings.DATABASE_CONNECTIONS.values())
    if needed <= free:
        return []
    parts = ", ".join(f"{count} for {what}" for what, count in settings.DATABASE_CONNECTIONS.items())
    hint = f"Needed: {parts}. Raise max_connections, or run fewer processes (docs/operations/performance.md)."
    return [
        Warning(
            f"{needed} database connections may be needed, but PostgreSQL accepts {free}.", hint=hint, id="core.W001"
        )
    ]
