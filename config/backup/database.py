"""The database of a backup: dumped and restored with PostgreSQL's own programs, compared table by table."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection, transaction

from config.backup.archive import FULL, BackupError
from config.local.binaries import postgres_bin
from config.supervisor.processes import StartError

_TABLES = """
SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1
"""
# The sum does not depend on the order of rows, and covers ledgers and invoices byte by byte.
_CONTENT = "SELECT count(*), coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text FROM {} t"


@contextmanager
def one_state() -> Iterator[str]:
    """Open a consistent snapshot of the database, and yield its name for `dump`."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        [name] = cursor.fetchone()
        yield name


def dump(target: Path, *, snapshot: str) -> None:
    """Write a snapshot to a file in pg_dump's custom format."""
    _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}", f"--file={target}")


def restore(source: Path) -> None:
    """Fill the empty database in one transaction."""
    _run("pg_restore", "--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error", str(source))


def empty() -> None:
    """Remove what a failed restore left behind. Connects again, because PostgreSQL may have stopped."""
    connection.close()
    with connection.cursor() as cursor:
        cursor.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")


def tables() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(_TABLES)
        return [name for (name,) in cursor.fetchall()]


def contents() -> dict[str, list[object]]:
    """Return the number of rows and a checksum of every table."""
    result: dict[str, list[object]] = {}
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL TimeZone = 'UTC'")
        cursor.execute("SET LOCAL statement_timeout = 0")
        for name in tables():
            cursor.execute(_CONTENT.format(connection.ops.quote_name(name)))
            result[name] = list(cursor.fetchone())
    return result


def applied_migrations() -> list[str]:
    """Return the applied migrations as app.name."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT app || '.' || name FROM django_migrations ORDER BY 1")
        return [name for (name,) in cursor.fetchall()]


def _run(program: str, *words: str) -> None:
    known = connection.get_connection_params()
    variables = {"PGHOST": "host", "PGPORT": "port", "PGUSER": "user", "PGPASSWORD": "password", "PGDATABASE": "dbname"}
    given = {name: str(known[key]) for name, key in variables.items() if known.get(key)}
    words = (*words, f"--dbname={given['PGDATABASE']}")
    done = subprocess.run(  # noqa: S603 - a program of PostgreSQL, without a shell
        [_program(program), *words], env={**os.environ, **given}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BackupError(f"{program} failed: {_reason(done.stderr)}")


def _program(name: str) -> str:
    """Return the path of the embedded PostgreSQL's program, or else the machine's."""
    try:
        return str(postgres_bin() / name)
    except StartError:
        if result := shutil.which(name):
            return result
    raise BackupError(f"{name} is not installed: install PostgreSQL's client programs, or set PG_BIN.")


def _reason(text: str) -> str:
    """Return the first error. Its details and the command follow it."""
    lines = [line for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if FULL in line] or [line for line in lines if "error:" in line.lower()] or lines
    return errors[0] if errors else "no reason given."
