"""System checks of the installation as a whole."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register  # noqa: A004 - Django's own name
from django.db import Error as DatabaseFailure
from django.db import connection

from apps.core.checks.production import unsafe_settings

# Connections available to non-superusers. The last setting is new in PostgreSQL 16.
_FREE_CONNECTIONS = """
SELECT current_setting('max_connections')::int
     - current_setting('superuser_reserved_connections')::int
     - coalesce(current_setting('reserved_connections', true), '0')::int
"""


@register(Tags.security)
def check_production(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Check that production settings are safe before any command but `check` starts."""
    return [Error(unsafe.line, id=unsafe.id) for unsafe in unsafe_settings()]


@register()
def check_connections(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Warn if threads and processes need more connections than PostgreSQL allows: some requests would get a 503.

    A database that can't be asked is left to `/readyz`, because `check` also runs without one.
    """
    try:
        with connection.temporary_connection() as cursor:
            cursor.execute(_FREE_CONNECTIONS)
            [free] = cursor.fetchone()
    except DatabaseFailure:
        return []
    needed = sum(settings.DATABASE_CONNECTIONS.values())
    if needed <= free:
        return []
    parts = ", ".join(f"{count} for {what}" for what, count in settings.DATABASE_CONNECTIONS.items())
    hint = f"Needed: {parts}. Raise max_connections, or run fewer processes (docs/operations.md, Database connections)."
    return [
        Warning(f"{needed} database connections may be needed; PostgreSQL takes {free}.", hint=hint, id="core.W001")
    ]
