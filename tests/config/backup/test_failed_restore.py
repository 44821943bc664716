"""A restore that fails on the way leaves nothing behind, whatever failed."""

import errno
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from django.core.files.storage import default_storage
from django.db import OperationalError

from config.backup import contents, database, engines
from config.backup.archive import BackupError, reason_of

FULL_DISK = reason_of(OSError(errno.ENOSPC, ""))


class Stopped:
    """A PostgreSQL that stopped, as it does on a full disk."""

    def __init__(self, failures: int) -> None:
        self.failures = failures

    def restore(self, source: Path) -> None:
        raise OperationalError("server closed the connection unexpectedly")

    def empty(self) -> None:
        self.failures -= 1
        if self.failures >= 0:
            raise OperationalError("the database system is in recovery mode")


@pytest.fixture
def unpacked(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    for name in ("a.webp", "b.webp"):
        path = tmp_path / "unpacked" / "uploads" / "photos" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"a photo")
    return tmp_path / "unpacked"


def files(settings: Any) -> list[Path]:
    return [path for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()]


@pytest.mark.parametrize("failures", [0, 3, 100])
def test_a_database_that_stops(unpacked: Path, settings: Any, monkeypatch: pytest.MonkeyPatch, failures: int) -> None:
    stopped = Stopped(failures)
    monkeypatch.setattr(contents, "database", stopped)
    with pytest.raises(BackupError, match="server closed"):
        contents.fill(unpacked, {"tables": {}})
    assert not files(settings)
    assert stopped.failures == max(failures - 10, -1)


@pytest.mark.parametrize("was_there", [True, False])
def test_only_a_database_that_the_restore_made_is_removed(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch, was_there: bool
) -> None:
    settings.DATA_DIR = tmp_path
    outside = tmp_path / "outside" / "postgres"
    outside.mkdir(parents=True)
    note = tmp_path / "postgres.path"

    def started() -> Iterator[None]:
        note.write_text(f"{outside}\n")
        yield

    if was_there:
        note.write_text(f"{outside}\n")
    monkeypatch.setattr(engines, "connection", Mock(ensure_connection=Mock(side_effect=OperationalError)))
    monkeypatch.setattr(engines, "socket_dir", lambda _: settings.DATABASES["default"]["HOST"])
    monkeypatch.setattr(engines, "_started", started)
    with pytest.raises(BackupError), engines.database_running(can_be_new=True):
        raise BackupError("The backup is damaged.")
    assert (note.exists(), outside.exists()) == (was_there, was_there)


def test_the_secret_key_is_for_its_owner_alone(
    unpacked: Path, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contents, "database", Mock(contents=dict))
    settings.DATA_DIR = tmp_path
    (unpacked / "secret_key").write_text("the key")
    contents.fill(unpacked, {"tables": {}})
    assert (tmp_path / "secret_key").read_text() == "the key"
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        OSError(errno.EDQUOT, "Disk quota exceeded"),
        BackupError('pg_restore failed: ERROR:  could not extend file "base/5": No space left on device'),
    ],
)
def test_a_full_disk_has_one_name(error: Any) -> None:
    assert reason_of(error) == FULL_DISK
    assert "disk is full" in FULL_DISK


def test_a_limit_of_file_sizes_is_named() -> None:
    assert "ulimit -f" in reason_of(OSError(errno.EFBIG, "File too large"))


def test_what_the_system_refuses_is_told_in_a_sentence(tmp_path: Path) -> None:
    def told(path: Path, kind: type[OSError], code: int) -> str:
        return reason_of(kind(code, os.strerror(code), str(path)))

    there, missing = tmp_path / "there.tar", tmp_path / "missing"
    assert told(missing, FileNotFoundError, errno.ENOENT) == f"{missing} doesn't exist."
    assert told(missing / ".a.tar.part", FileNotFoundError, errno.ENOENT) == f"{missing} doesn't exist."
    assert told(tmp_path, IsADirectoryError, errno.EISDIR) == f"{tmp_path} is a folder. Name a file."
    assert told(there, PermissionError, errno.EACCES) == f"No permission to use {there}."
    assert told(tmp_path / ".a.tar.part", PermissionError, errno.EACCES) == f"No permission to use {tmp_path}."
    assert told(there, OSError, errno.EIO) == f"{there}: Input/output error."


def test_a_database_that_stops_on_a_full_disk(
    unpacked: Path, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(contents, "database", Stopped(0))
    monkeypatch.setattr(contents, "_LEAST_FREE_BYTES", 10**18)
    with pytest.raises(BackupError) as failed:
        contents.fill(unpacked, {"tables": {}})
    assert reason_of(failed.value) == FULL_DISK


def test_another_reason_is_told_by_its_first_line() -> None:
    told = "pg_restore: while PROCESSING TOC:\npg_restore: error: no such role\nDETAIL: none\nCommand was: SELECT 1"
    assert database._reason(told) == "pg_restore: error: no such role"


def test_a_disk_that_is_full_in_the_middle_of_an_upload(
    unpacked: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contents, "database", Stopped(0))

    def save(name: str, content: Any) -> str:
        path = Path(settings.MEDIA_ROOT) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"a ph")
        if name.endswith("b.webp"):
            raise OSError(28, "No space left on device")
        return name

    monkeypatch.setattr(default_storage, "save", save, raising=False)
    with pytest.raises(OSError, match="No space left"):
        contents.fill(unpacked, {"tables": {}})
    assert not files(settings)


def test_a_backup_of_an_earlier_key_needs_it_among_the_fallbacks(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    monkeypatch.setattr(database, "tables", dict)
    manifest = {"key": contents._fingerprint(settings.SECRET_KEY), "migrations": [], "tables": {}}
    settings.SECRET_KEY, earlier = "another key " * 5, settings.SECRET_KEY
    with pytest.raises(BackupError, match="SECRET_KEY differs"):
        contents._refuse_what_does_not_fit(manifest, tmp_path)
    settings.SECRET_KEY_FALLBACKS = [earlier]
    contents._refuse_what_does_not_fit(manifest, tmp_path)
