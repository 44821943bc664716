"""Check whether the installation can work: database, broker, migrations, scheduler."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from celery import current_app
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from kombu import Connection

_BEAT = "beat-at"
_BROKER_SECONDS = 1
# Workers answer between two tasks of their event loop.
_WORKER_SECONDS = 2
MAX_BEAT_AGE_SECONDS = 120
QUEUES = ("celery", "invoices", "crawls", "checks", "webhooks")


def record_beat() -> None:
    """Note that the scheduler and a worker are alive."""
    cache.set(_BEAT, int(time.time()), timeout=None)


def readiness() -> dict[str, str]:
    """Return each part with `ok` or its problem. Never raises."""
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


@contextmanager
def broker() -> Iterator[Connection]:
    """Open a connection to the queues. Raises within a second or two if there is none."""
    # Without these timeouts, kombu waits forever for a server that accepts connections and stays silent.
    bounds = {"socket_timeout": _BROKER_SECONDS, "socket_connect_timeout": _BROKER_SECONDS}
    with Connection(settings.CELERY_BROKER_URL, transport_options=bounds) as connection:
        connection.ensure_connection(max_retries=0)
        yield connection


def _broker() -> None:
    with broker():
        pass


def queue_lengths() -> dict[str, int]:
    """Return how many tasks wait in each queue. Raises like `broker`."""
    with _queue_client() as client:
        return {name: client.llen(name) for name in QUEUES}


def queue_ages() -> dict[str, float]:
    """Return for each queue how many seconds its oldest task has waited, 0 if it is empty. Raises like `broker`."""
    now = time.time()
    with _queue_client() as client:
        # New messages are put at the beginning.
        oldest = {name: client.lindex(name, -1) for name in QUEUES}
    return {name: max(0.0, now - _queued_at(message)) if message else 0.0 for name, message in oldest.items()}


def unserved_queues() -> list[str]:
    """Return the queues from which no running worker takes tasks. Raises like `broker`."""
    with broker() as connected:
        result = current_app.control.inspect(timeout=_WORKER_SECONDS, connection=connected).active_queues() or {}
    served = {queue["name"] for queues in result.values() for queue in queues}
    return [name for name in QUEUES if name not in served]


@contextmanager
def _queue_client() -> Iterator[Any]:
    with broker() as connected:
        channel: Any = connected.default_channel
        yield channel.client


def _queued_at(message: bytes) -> float:
    """Return when a message was queued. Messages of releases that didn't note it count as new."""
    return float(json.loads(message)["headers"].get("queued_at", time.time()))


def _migrations() -> None:
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise RuntimeError("migrations are pending")


def beat_age() -> float | None:
    """Return the seconds since a worker last ran the scheduler's task. None after two minutes without."""
    last = cache.get(_BEAT)
    age = time.time() - last if last is not None else None
    return age if age is not None and age <= MAX_BEAT_AGE_SECONDS else None


def _beat() -> None:
    if beat_age() is None:
        raise RuntimeError("the scheduler is silent")
