"""`manage.py doctor`: parts of the running installation, each with its problems and how to fix them.

An app adds its own in `doctor.py` with `@examines`. They are found by name, so that this module knows no app.
"""

import logging
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core import checks
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.mail import get_connection
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from django.utils.module_loading import autodiscover_modules
from redis import Redis

from apps.core.checks.health import QUEUES, beat_age, broker
from apps.core.models import OutgoingEmail

logger = logging.getLogger(__name__)

OLDEST_POSTGRESQL = 150000
LONGEST_TRANSACTION_SECONDS = 600
LEAST_FREE_SHARE = 0.1
LEAST_FREE_BYTES = 10**9
MOST_WAITING = 1_000
MOST_CLOCK_SECONDS = 5.0
OLDEST_EMAIL = timedelta(hours=1)

Examination = Callable[[], Iterator[checks.CheckMessage]]
_examinations: dict[str, Examination] = {}

_STATE = """
SELECT current_setting('server_version_num')::int, extract(epoch FROM clock_timestamp()),
       (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),
       current_setting('max_connections')::int,
       (SELECT count(*) FROM pg_stat_activity
        WHERE xact_start < now() - %s * interval '1 second'
         AND pid <> pg_backend_pid() AND backend_type = 'client backend')
"""
_BROKEN_INDEXES = """
SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE NOT i.indisvalid ORDER BY 1
"""


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem of a part. `level` is `error` or `warning`."""

    part: str
    level: str
    problem: str
    hint: str


def examines(part: str) -> Callable[[Examination], Examination]:
    """Register an examination of a part. It yields problems, each with a hint on how to fix it."""

    def add(examination: Examination) -> Examination:
        _examinations[part] = examination
        return examination

    return add


def examine() -> Iterator[tuple[str, list[Finding]]]:
    """Return every part with its findings. If examining one fails, that is a finding."""
    autodiscover_modules("doctor")
    for part, examination in _examinations.items():
        try:
            yield part, [_finding(part, message) for message in examination()]
        except Exception as error:
            logger.info("examination failed", exc_info=True, extra={"part": part})
            reason = " ".join(str(error).split())[:200] or type(error).__name__
            yield part, [Finding(part, "error", f"It doesn't answer: {reason}", "Start it, or correct its settings.")]


def _finding(part: str, message: checks.CheckMessage) -> Finding:
    level = "error" if message.level >= checks.ERROR else "warning"
    return Finding(part, level, str(message.msg), str(message.hint or "See docs/operations.md."))


@examines("settings")
def _settings() -> Iterator[checks.CheckMessage]:
    yield from checks.run_checks(include_deployment_checks=not settings.LOCAL)


@examines("database")
def _database() -> Iterator[checks.CheckMessage]:
    with connection.cursor() as cursor:
        cursor.execute(_STATE, [LONGEST_TRANSACTION_SECONDS])
        version, clock, used, most, long_running = cursor.fetchone()
        here = time.time()
        cursor.execute(_BROKEN_INDEXES)
        broken = [name for (name,) in cursor.fetchall()]
    if version < OLDEST_POSTGRESQL:
        yield checks.Error(f"PostgreSQL {version // 10000} is too old.", hint="Upgrade to PostgreSQL 15 or later.")
    if used > 0.8 * most:
        yield checks.Warning(
            f"{used} of {most} connections are in use.", hint="Raise max_connections, or run fewer processes."
        )
    if long_running:
        hint = "Find them in pg_stat_activity and end them: they keep old rows from being removed."
        yield checks.Warning(f"{long_running} transactions have run for over 10 minutes.", hint=hint)
    if broken:
        yield checks.Error(
            f"Broken indexes: {', '.join(broken)}.", hint="Rebuild each: REINDEX INDEX CONCURRENTLY name."
        )
    if abs(float(clock) - here) > MOST_CLOCK_SECONDS:
        skew = abs(float(clock) - here)
        yield checks.Error(f"This clock and PostgreSQL's differ by {skew:.0f} s.", hint="Synchronize both with NTP.")


@examines("migrations")
def _migrations() -> Iterator[checks.CheckMessage]:
    executor = MigrationExecutor(connection)
    if waiting := executor.migration_plan(executor.loader.graph.leaf_nodes()):
        yield checks.Error(f"{len(waiting)} migrations are pending.", hint="Run manage.py migrate.")


@examines("Valkey")
def _valkey() -> Iterator[checks.CheckMessage]:
    url = str(settings.CACHES["default"]["LOCATION"])
    memory: Any = Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2).info("memory")
    most, used = int(memory.get("maxmemory", 0)), int(memory["used_memory"])
    if most and used > 0.9 * most:
        yield checks.Warning(f"Valkey uses {used / most:.0%} of its memory.", hint="Raise maxmemory.")
    policy = memory.get("maxmemory_policy", "noeviction")
    if most and policy.startswith("allkeys"):
        hint = "Set maxmemory-policy to volatile-lru: tasks that wait must not be evicted."
        yield checks.Error(f"Valkey may drop tasks ({policy}).", hint=hint)


@examines("queues")
def _queues() -> Iterator[checks.CheckMessage]:
    with broker() as connected:
        channel: Any = connected.default_channel
        counts = {name: int(channel.client.llen(name)) for name in QUEUES}
    for name, count in counts.items():
        if count > MOST_WAITING:
            yield checks.Warning(
                f"{count} tasks wait in {name}.", hint="See that its workers run, or start more of them."
            )


@examines("beat")
def _beat() -> Iterator[checks.CheckMessage]:
    age = beat_age()
    if age is None:
        yield checks.Error(
            "The scheduler or its worker is silent.", hint="Start beat and a worker for the queue celery."
        )


@examines("email")
def _email() -> Iterator[checks.CheckMessage]:
    late = OutgoingEmail.objects.unleased().filter(send_at__lt=timezone.now() - OLDEST_EMAIL).count()
    if late:
        yield checks.Warning(
            f"{late} emails have waited for over an hour.", hint="See their last error under Emails in the admin."
        )
    server = get_connection()
    server.open()
    server.close()


@examines("uploads")
def _uploads() -> Iterator[checks.CheckMessage]:
    name = default_storage.save("doctor.txt", ContentFile(b"written by doctor"))
    try:
        with default_storage.open(name) as file:
            if file.read() != b"written by doctor":
                yield checks.Error("What is stored is not what is read back.", hint="Check the storage of uploads.")
    finally:
        default_storage.delete(name)


@examines("disk")
def _disk() -> Iterator[checks.CheckMessage]:
    space = shutil.disk_usage(settings.DATA_DIR)
    if space.free < LEAST_FREE_BYTES or space.free < LEAST_FREE_SHARE * space.total:
        problem = f"{space.free / 1e9:.1f} GB of {space.total / 1e9:.0f} GB are free in {settings.DATA_DIR}."
        yield checks.Warning(problem, hint="Free some space, or move the data directory to a larger disk.")
