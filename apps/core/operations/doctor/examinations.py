"""`manage.py doctor`: parts of the running installation, each with its problems and how to fix them.

An app adds its own in `doctor.py` with `@examines`. They are found by name, so that this module knows no app.
"""

import logging
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core import checks
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.mail import get_connection, send_mail
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from django.utils.module_loading import autodiscover_modules
from redis import Redis

from apps.core.models import OutgoingEmail
from apps.core.operations.checks.health import beat_age, queue_ages, queue_lengths, unserved_queues

logger = logging.getLogger(__name__)

OLDEST_POSTGRESQL = 150000
LONGEST_TRANSACTION_SECONDS = 600
LEAST_FREE_SHARE = 0.1
LEAST_FREE_BYTES = 10**9
MOST_WAITING = 1_000
OLDEST_TASK = timedelta(minutes=15)
MOST_CLOCK_SECONDS = 5.0
OLDEST_EMAIL = timedelta(hours=1)
# The scheduler sends its first task when it starts, and workers take half a minute on a slow machine.
BEAT_SECONDS = 40.0

Examination = Callable[[], Iterator[checks.CheckMessage]]
_examinations: dict[str, Examination] = {}
# What to do if a part doesn't respond at all.
_hints = {
    "database": "Start PostgreSQL, or correct DATABASE_URL.",
    **dict.fromkeys(("Valkey", "queues", "beat", "workers"), "Start Valkey, or correct REDIS_URL."),
    "email": "Correct EMAIL_URL, or let this machine connect to the email server.",
    "uploads": "Let Slipway write into the data directory, or correct S3_BUCKET and its settings.",
}

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


_CONSTRAINTS = "SELECT relname FROM pg_class WHERE relkind IN ('i', 'I') UNION SELECT conname FROM pg_constraint"
# Without those of some rows only, and with the columns in their order.
_INDEXES = """
SELECT t.relname, x.indisunique,
       ARRAY(SELECT a.attname::text FROM unnest(x.indkey) WITH ORDINALITY AS k (number, place)
             JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number ORDER BY k.place)
FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid
WHERE x.indpred IS NULL
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


def examinations() -> dict[str, Examination]:
    """Return the examination of every part."""
    autodiscover_modules("doctor")
    return dict(_examinations)


def examine(parts: Mapping[str, Examination] | None = None) -> Iterator[tuple[str, list[Finding]]]:
    """Return every part, or the given ones, with its findings. If examining one fails, that is a finding."""
    for part, examination in (examinations() if parts is None else parts).items():
        try:
            yield part, [_finding(part, message) for message in examination()]
        except Exception as error:
            logger.debug("examination failed", exc_info=True, extra={"part": part})
            yield part, [_failure(part, error)]


def _failure(part: str, error: Exception) -> Finding:
    if isinstance(error, OperationalError) and part != "database":
        return Finding(part, "error", "Not examined, because the database isn't responding.", "Start it first.")
    reason = " ".join(str(error).split())[:200] or type(error).__name__
    hint = _hints.get(part, "Start it, or correct its settings.")
    return Finding(part, "error", f"Not responding: {reason.rstrip('.?!')}.", hint)


def _finding(part: str, message: checks.CheckMessage) -> Finding:
    level = "error" if message.level >= checks.ERROR else "warning"
    return Finding(part, level, str(message.msg), str(message.hint or "See docs/operations."))


@examines("settings")
def _settings() -> Iterator[checks.CheckMessage]:
    result = checks.run_checks(include_deployment_checks=not settings.LOCAL)
    yield from (message for message in result if not message.is_silenced())


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
        hint = "Find them in pg_stat_activity and end them. They prevent cleanup of old rows."
        yield checks.Warning(f"{long_running} transactions have run for over 10 minutes.", hint=hint)
    if broken:
        yield checks.Error(
            f"Broken indexes: {', '.join(broken)}.", hint="Rebuild each: REINDEX INDEX CONCURRENTLY name."
        )
    if abs(float(clock) - here) > MOST_CLOCK_SECONDS:
        skew = abs(float(clock) - here)
        yield checks.Error(f"This clock and PostgreSQL's differ by {skew:.0f} s.", hint="Synchronize both with NTP.")


@examines("indexes")
def _indexes() -> Iterator[checks.CheckMessage]:
    """Compare with the models: somebody may have dropped one by hand, and a restore may have stopped before the end."""
    with connection.cursor() as cursor:
        cursor.execute(_CONSTRAINTS)
        names = {name for (name,) in cursor.fetchall()}
        cursor.execute(_INDEXES)
        indexes = [(table, tuple(columns), is_unique) for table, is_unique, columns in cursor.fetchall()]
    unique = {(table, columns) for table, columns, is_unique in indexes if is_unique}
    first = {(table, columns[:1]) for table, columns, _ in indexes}
    missing = set()
    for model in apps.get_models(include_auto_created=True):
        meta = model._meta
        if meta.proxy or not meta.managed:
            continue
        missing |= {one.name for one in (*meta.indexes, *meta.constraints)} - names
        for field in meta.local_concrete_fields:
            here = (meta.db_table, (field.column,))
            if (field.unique and here not in unique) or (getattr(field, "db_index", False) and here not in first):
                missing.add(f"{meta.db_table}({field.column})")
    if missing:
        hint = "Restore a backup, or run the SQL that `manage.py sqlmigrate` prints."
        yield checks.Error(f"Missing indexes or constraints: {', '.join(sorted(missing))}.", hint=hint)


@examines("migrations")
def _migrations() -> Iterator[checks.CheckMessage]:
    executor = MigrationExecutor(connection)
    if waiting := executor.migration_plan(executor.loader.graph.leaf_nodes()):
        yield checks.Error(f"Pending migrations: {len(waiting)}.", hint="Run manage.py migrate.")


@examines("Valkey")
def _valkey() -> Iterator[checks.CheckMessage]:
    url = str(settings.CACHES["default"]["LOCATION"])
    memory: Any = Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2).info("memory")
    most, used = int(memory.get("maxmemory", 0)), int(memory["used_memory"])
    if most and used > 0.9 * most:
        yield checks.Warning(f"Valkey uses {used / most:.0%} of its memory.", hint="Raise maxmemory.")
    policy = memory.get("maxmemory_policy", "noeviction")
    if most and policy.startswith("allkeys"):
        hint = "Set maxmemory-policy to volatile-lru, so waiting tasks aren't evicted."
        yield checks.Error(f"Valkey may drop tasks ({policy}).", hint=hint)


@examines("queues")
def _queues() -> Iterator[checks.CheckMessage]:
    hint = "Check that its workers are running, or start more."
    for name, count in queue_lengths().items():
        if count > MOST_WAITING:
            yield checks.Warning(f"{count} tasks wait in {name}.", hint=hint)
    for name, age in queue_ages().items():
        if age > OLDEST_TASK.total_seconds():
            yield checks.Warning(f"A task in {name} has been waiting for {age / 60:.0f} minutes.", hint=hint)


@examines("beat")
def _beat() -> Iterator[checks.CheckMessage]:
    """Wait a little for what has just been started."""
    ends_at = time.monotonic() + BEAT_SECONDS
    while beat_age() is None:
        if time.monotonic() >= ends_at:
            hint = "Start beat and a worker for the queue celery."
            yield checks.Error("The scheduler or its worker isn't running.", hint=hint)
            return
        time.sleep(0.2)


@examines("workers")
def _workers() -> Iterator[checks.CheckMessage]:
    """Wait a little for those that have just been started or are busy."""
    ends_at = time.monotonic() + BEAT_SECONDS
    while missing := unserved_queues():
        if time.monotonic() >= ends_at:
            hint = "Start the worker or crawler of these queues, or see its log."
            yield checks.Error(f"No worker takes tasks from: {', '.join(missing)}.", hint=hint)
            return


@examines("email")
def _email() -> Iterator[checks.CheckMessage]:
    late = OutgoingEmail.objects.unleased().filter(send_at__lt=timezone.now() - OLDEST_EMAIL).count()
    if late:
        yield checks.Warning(
            f"{late} emails have waited for over an hour.", hint="See the last error under Emails in the admin."
        )
    server = get_connection()
    server.open()
    server.close()


def send_test_email(address: str) -> Iterator[checks.CheckMessage]:
    """Send a test email, and yield what went wrong."""
    try:
        send_mail("Slipway's test email", "If you read this, emails arrive.", None, [address])
    except OSError as error:  # All of smtplib's errors are.
        yield checks.Error(f"Not sent: {error}", hint="Check EMAIL_URL and the email server.")


@examines("uploads")
def _uploads() -> Iterator[checks.CheckMessage]:
    name = default_storage.save("doctor.txt", ContentFile(b"written by doctor"))
    try:
        with default_storage.open(name) as file:
            if file.read() != b"written by doctor":
                yield checks.Error("The stored file differs when read back.", hint="Check the upload storage.")
    finally:
        default_storage.delete(name)


@examines("disk")
def _disk() -> Iterator[checks.CheckMessage]:
    space = shutil.disk_usage(settings.DATA_DIR)
    if space.free < LEAST_FREE_BYTES or space.free < LEAST_FREE_SHARE * space.total:
        problem = f"{space.free / 1e9:.1f} GB of {space.total / 1e9:.0f} GB are free in {settings.DATA_DIR}."
        yield checks.Warning(problem, hint="Free some space, or move the data directory to a larger disk.")
