"""Whether the installation can do its work: database, broker, migrations, beat."""

import time
from collections.abc import Callable

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from kombu import Connection

_BEAT = "beat-at"
_BROKER_SECONDS = 1
MAX_BEAT_AGE_SECONDS = 120


def record_beat() -> None:
    """Note that the scheduler and a worker are alive."""
    cache.set(_BEAT, int(time.time()), timeout=None)


def readiness() -> dict[str, str]:
    """Each part with `ok` or what is wrong with it; never raises."""
    return {
        "database": _try(_database),
        "broker": _try(_broker),
        "migrations": _try(_migrations),
        "beat": _try(_beat),
    }


def _try(check: Callable[[], None]) -> str:
    try:
        check()
    except Exception as error:
        return f"failed: {type(error).__name__}"
    return "ok"


def _database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _broker() -> None:
    # Without them kombu waits for ever for a server that accepts and stays silent.
    bounds = {"socket_timeout": _BROKER_SECONDS, "socket_connect_timeout": _BROKER_SECONDS}
    with Connection(settings.CELERY_BROKER_URL, transport_options=bounds) as connection:
        connection.ensure_connection(max_retries=0)


def _migrations() -> None:
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise RuntimeError("migrations are pending")


def _beat() -> None:
    last = cache.get(_BEAT)
    if last is None or time.time() - last > MAX_BEAT_AGE_SECONDS:
        raise RuntimeError("the scheduler is silent")
