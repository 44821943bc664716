"""`manage.py upgrade_check`: find problems before this release's code takes over."""

import time
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from django.core import checks
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from apps.core.operations.doctor.examinations import Examination, examinations

OLDEST_BACKUP_HOURS = 24
_HOUR = 3600
# A migration waits for these, and gives up.
_LONG_SECONDS = 3
_LONG = """
SELECT count(*) FROM pg_stat_activity
WHERE xact_start < now() - %s * interval '1 second' AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""


def upgrade_parts(*, backups: Path | None) -> Mapping[str, Examination]:
    """Return the examinations before an upgrade. `backups` is the folder of backups, or one backup."""
    known = examinations()
    return {
        "release": _release,
        "backup": partial(_backup, backups),
        "settings": known["settings"],
        "database": known["database"],
        "transactions": _transactions,
        "disk": known["disk"],
    }


def pending_migrations() -> list[str]:
    """Return the migrations that this release will run, in their order."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [str(migration) for migration, _ in plan]


def _release() -> Iterator[checks.CheckMessage]:
    loader = MigrationLoader(connection)
    if newer := sorted(set(loader.applied_migrations) - set(loader.disk_migrations)):
        names = ", ".join(".".join(each) for each in newer)
        hint = "Install that release, or restore a backup of this one into an empty database."
        yield checks.Error(f"A newer release has used this database: it has {names}.", hint=hint)


def _backup(backups: Path | None) -> Iterator[checks.CheckMessage]:
    if backups is None:
        yield checks.Warning("No backup was checked.", hint="Pass your backup folder with --backups.")
        return
    files = [backups] if backups.is_file() else list(backups.glob("*.tar*"))
    newest = max((file.stat().st_mtime for file in files), default=None)
    if newest is None:
        yield checks.Error(f"{backups} has no backup.", hint="Make one: manage.py backup FOLDER.")
    elif (hours := (time.time() - newest) / _HOUR) > OLDEST_BACKUP_HOURS:
        yield checks.Error(f"The newest backup is {hours:.0f} hours old.", hint="Make one: manage.py backup FOLDER.")


def _transactions() -> Iterator[checks.CheckMessage]:
    with connection.cursor() as cursor:
        cursor.execute(_LONG, [_LONG_SECONDS])
        (count,) = cursor.fetchone()
    if count:
        hint = "Wait for them or end them. A migration can't lock a table that one of them uses."
        yield checks.Warning(f"{count} transactions have run for over {_LONG_SECONDS} s.", hint=hint)
