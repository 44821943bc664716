"""Before and during an upgrade: what is checked, and that a migration doesn't hold up the running release."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.core.management.commands.migrate import Command as DjangoMigrate
from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader

from apps.core.management.commands import migrate

pytestmark = pytest.mark.django_db

# What squawk says of SQL that stops a running release. Types and names follow Django; `migrate` sets the timeouts.
NOT_OURS = (
    "prefer-text-field,prefer-bigint-over-int,prefer-bigint-over-smallint,prefer-identity,prefer-robust-stmts,"
    "transaction-nesting,require-lock-timeout,require-statement-timeout"
)


def squawk(sql: str, *, is_atomic: bool = True) -> list[str]:
    """The names of the rules that some SQL breaks, in a transaction or outside of one."""
    command = [str(Path(sys.executable).with_name("squawk")), "--reporter", "json"]
    command += ["--assume-in-transaction"] * is_atomic
    done = subprocess.run([*command, "-e", NOT_OURS], input=sql, capture_output=True, text=True, check=False)
    return [one["rule_name"] for one in json.loads(done.stdout)]


def later_migrations() -> list[tuple[str, str]]:
    """Ours, without those that create an app's first tables."""
    result = MigrationLoader(None).disk_migrations.items()
    return sorted(key for key, one in result if type(one).__module__.startswith("apps.") and not one.initial)


# Of an index that is built concurrently, Django writes the SQL only outside of a transaction.
@pytest.mark.django_db(transaction=True)
@pytest.mark.interop
def test_migrations_let_the_previous_release_serve() -> None:
    migrations = MigrationLoader(None).disk_migrations
    for app, name in later_migrations():
        sql = io.StringIO()
        call_command("sqlmigrate", app, name, stdout=sql, no_color=True)
        assert squawk(sql.getvalue(), is_atomic=migrations[app, name].atomic) == [], f"{app}.{name}"


@pytest.mark.interop
@pytest.mark.parametrize(
    "sql",
    [
        "ALTER TABLE orders_order ALTER COLUMN note TYPE varchar(10);",
        "ALTER TABLE orders_order ADD COLUMN kind varchar(10) NOT NULL;",
        "ALTER TABLE orders_order DROP COLUMN note;",
        "ALTER TABLE orders_order RENAME COLUMN note TO text;",
        "ALTER TABLE orders_order RENAME TO purchase;",
        "CREATE INDEX slow ON orders_order (note);",
        "ALTER TABLE orders_order ADD CONSTRAINT positive CHECK (total > 0);",
    ],
)
def test_sql_that_would_stop_it_is_found(sql: str) -> None:
    assert squawk(sql)


def checked(*words: str) -> list[dict[str, str]]:
    out = io.StringIO()
    try:
        call_command("upgrade_check", "--json", *words, stdout=out)
    except CommandError:
        assert "error" in {finding["level"] for finding in json.loads(out.getvalue())}
    return [finding for finding in json.loads(out.getvalue()) if finding["part"] in {"release", "backup"}]


@pytest.fixture
def backups(tmp_path: Path) -> Path:
    (tmp_path / "slipway-2026-01-01-000000.tar").write_bytes(b"a backup")
    return tmp_path


def test_a_sound_installation_has_no_finding(backups: Path) -> None:
    assert checked("--backups", str(backups)) == []


def test_the_pending_migrations_are_listed(backups: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'newsletter'")
    call_command("upgrade_check", "--backups", str(backups))
    assert "newsletter.0001_initial" in capsys.readouterr().out


def test_a_database_of_a_newer_release(backups: Path) -> None:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('core', '0999_later', now())")
    [finding] = checked("--backups", str(backups))
    assert (finding["part"], finding["level"]) == ("release", "error")
    assert "core.0999_later" in finding["problem"]


@pytest.mark.parametrize(("case", "level"), [("none named", "warning"), ("empty", "error"), ("old", "error")])
def test_backups(case: str, level: str, backups: Path) -> None:
    [file] = backups.iterdir()
    if case == "empty":
        file.unlink()
    elif case == "old":
        os.utime(file, (0, 0))
    [finding] = checked(*([] if case == "none named" else ["--backups", str(backups)]))
    assert (finding["part"], finding["level"]) == ("backup", level)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_migrate_waits_for_a_held_table_without_holding_up_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate, "LOCK_SECONDS", 0.1)
    monkeypatch.setattr(migrate, "PAUSE_SECONDS", 0.1)
    held, release, tried = Event(), Event(), []
    original = DjangoMigrate.handle

    def locks(command: Any, *args: Any, **options: Any) -> None:
        tried.append(1)
        if len(tried) == 2:
            release.set()
            holder.join()
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("LOCK TABLE core_outgoingemail IN ACCESS EXCLUSIVE MODE")
        original(command, *args, **options)

    def hold() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("LOCK TABLE core_outgoingemail IN ACCESS SHARE MODE")
            held.set()
            release.wait(60)
        connection.close()

    monkeypatch.setattr(DjangoMigrate, "handle", locks)
    holder = Thread(target=hold)
    holder.start()
    assert held.wait(60)
    call_command("migrate", verbosity=0)
    holder.join()
    assert len(tried) == 2
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        assert cursor.fetchone() == ("0",)
