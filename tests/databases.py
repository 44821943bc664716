"""The test database: a copy of one that was migrated once, and what brings it back to that after a test's commits.

The migrated database stays in the server from run to run. Another state of the migrations makes another one.
"""

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unittest.mock import patch

from django.apps import apps
from django.db import connection, transaction
from django.test import TransactionTestCase

PROJECT = Path(__file__).resolve().parents[1]
_PREFIX = "slipway_migrated_"
_LOCK = 8_291_746_003
_IMPORT = re.compile(r"^\s*(?:from|import) (apps[\w.]*)", re.MULTILINE)

# What the migrations put into each table, in a schema of its own.
_KEEP = """
DO $$
DECLARE
    item record;
    is_filled boolean;
BEGIN
    CREATE SCHEMA kept;
    FOR item IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM public.%1$I)', item.tablename) INTO is_filled;
        IF is_filled THEN
            EXECUTE format('CREATE TABLE kept.%1$I AS TABLE public.%1$I', item.tablename);
        END IF;
    END LOOP;
END $$
"""
# As a replica, so that neither foreign keys nor the triggers that protect rows get in the way.
_RESTORE = """
DO $$
DECLARE
    item record;
    is_filled boolean;
BEGIN
    SET LOCAL session_replication_role = replica;
    FOR item IN
        SELECT tablename, to_regclass(format('kept.%I', tablename)) AS kept,
            (
                SELECT string_agg(format('%I', attname), ', ' ORDER BY attnum) FROM pg_attribute
                WHERE attrelid = format('public.%I', tablename)::regclass
                    AND attnum > 0 AND attgenerated = '' AND NOT attisdropped
            ) AS columns
        FROM pg_tables WHERE schemaname = 'public'
    LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM public.%I)', item.tablename) INTO is_filled;
        IF is_filled THEN
            EXECUTE format('DELETE FROM public.%I', item.tablename);
        END IF;
        IF item.kept IS NOT NULL THEN
            EXECUTE format('INSERT INTO public.%1$I (%2$s) SELECT %2$s FROM kept.%1$I', item.tablename, item.columns);
        END IF;
    END LOOP;
END $$
"""


def migrated_database() -> str:
    """Name of the migrated database, to be copied; it is made when this state of the migrations has none."""
    name = f"{_PREFIX}{_state()}"
    with connection._nodb_cursor() as cursor:
        # Held until this connection closes: one process migrates, the others wait for it.
        cursor.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
        cursor.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [_PREFIX])
        result = {row[0] for row in cursor.fetchall()}
        if name not in result:
            for old in result:
                cursor.execute(f"DROP DATABASE IF EXISTS {connection.ops.quote_name(old)}")
            _migrate(f"{name}_new")
            cursor.execute(f"ALTER DATABASE {name}_new RENAME TO {name}")
    return name


def restore() -> None:
    """Bring every table back to what the migrations put there; sequences go on."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_RESTORE)


@contextmanager
def restored_after_commits() -> Iterator[None]:
    """Let tests that commit end with `restore` in place of Django's flush, which takes half a second."""
    with patch.object(TransactionTestCase, "_fixture_teardown", lambda _: restore()):
        yield


@contextmanager
def rolled_back(blocker: Any) -> Iterator[None]:
    """Let rows that take long to make be made once for many tests, whose own transactions are within this one.

    `blocker` is the fixture `django_db_blocker`. Hand out copies: tests change their rows.
    """
    with blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


def _migrate(name: str) -> None:
    """Make a database with all migrations applied."""
    settings = connection.settings_dict
    before, test_name = settings["NAME"], settings["TEST"]["NAME"]
    settings["TEST"]["NAME"] = name
    try:
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
        with connection.cursor() as cursor:
            cursor.execute(_KEEP)
    finally:
        connection.close()
        settings["NAME"], settings["TEST"]["NAME"] = before, test_name


def _state() -> str:
    """Digest of all migrations and of what they import from our apps, with the files beside it."""
    files = {path for app in apps.get_app_configs() for path in Path(app.path).glob("migrations/*.py")}
    for path in list(files):
        for module in _IMPORT.findall(path.read_text()):
            spec = find_spec(module)
            assert spec is not None
            assert spec.origin is not None
            files |= {beside for beside in Path(spec.origin).parent.iterdir() if beside.is_file()}
    files |= {PROJECT / "requirements.lock", Path(__file__)}
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(str(path).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
