"""What a backup contains, and how it is restored to an empty installation."""

import hmac
import logging
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from io import BufferedReader
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.cache import cache
from django.core.files.base import File
from django.core.files.storage import Storage, default_storage
from django.core.management import call_command
from django.db import DatabaseError
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from config.backup import database
from config.backup.archive import (
    AGE_HEADERS,
    FULL,
    BackupError,
    Writer,
    decrypted,
    encrypting,
    identity_in,
    unpack,
    writing,
)
from config.local import write_private

logger = logging.getLogger(__name__)

_DUMP = "database.dump"
_KEY = "secret_key"
_UPLOADS = "uploads/"
# Two files of PostgreSQL's log.
_LEAST_FREE_BYTES = 2 * 16 * 2**20
# PostgreSQL recovers from a full disk within seconds.
_TRIES = 10


def make_backup(target: IO[bytes], *, recipients: Sequence[str], passphrase: str) -> None:
    """Write an archive while the site runs. It contains everything acknowledged before the call."""
    with encrypting(target, recipients, passphrase=passphrase) as plain, writing(plain) as archive:
        # Before the database, so that files it names are in the archive even if an owner replaces them meanwhile.
        _add_uploads(archive)
        facts = _add_database(archive)
        _add_uploads(archive)
        if _key_file().exists():
            _add_file(archive, _KEY, _key_file())
        archive.finish(made_at=timezone.now(), key=_fingerprint(settings.SECRET_KEY), **facts)


def restore_backup(source: BufferedReader, *, identities: str, passphrase: str) -> dict[str, Any]:
    """Fill the empty installation from an archive, and return its manifest.

    The archive is first unpacked and checked next to the data directory. On BackupError, nothing was restored.
    """
    settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=settings.DATA_DIR, prefix=".restore-") as name:
        folder = Path(name)
        manifest = unpacked(source, folder / "content", identities=identities, passphrase=passphrase)
        _refuse_what_does_not_fit(manifest, folder / "content")
        fill(folder / "content", manifest)
    call_command("migrate", "--no-input", verbosity=0)
    cache.clear()
    return manifest


def unpacked(source: BufferedReader, folder: Path, *, identities: str, passphrase: str = "") -> dict[str, Any]:
    """Decrypt an archive if it is encrypted, unpack it into a new folder, and return its manifest."""
    folder.mkdir()
    is_encrypted = source.peek(max(map(len, AGE_HEADERS))).startswith(AGE_HEADERS)
    if not is_encrypted:
        return unpack(source, folder)
    if not identities and not passphrase:
        raise BackupError("This backup is encrypted. Pass --identity with its key, or --passphrase-file.")
    identities = identities or identity_in(source, passphrase)
    plain = folder.with_name("plain.tar")
    with plain.open("w+b") as file:
        decrypted(source, file, identities=identities)
        file.seek(0)
        manifest = unpack(file, folder)
    plain.unlink()
    return manifest


def _refuse_what_does_not_fit(manifest: dict[str, Any], folder: Path) -> None:
    if database.tables() or any(_uploads(default_storage)):
        raise BackupError("This installation has data. Restore into an empty data directory or database.")
    known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    if newer := sorted(set(manifest["migrations"]) - known):
        raise BackupError(f"A newer Slipway made this backup (it has {newer[-1]}). Install that version first.")
    keys = map(_fingerprint, [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS])
    if not (folder / _KEY).exists() and manifest["key"] not in keys:
        raise BackupError(
            "SECRET_KEY differs from the backup's, so second factors can't be decrypted. "
            "Set the backup's key, or add it to SECRET_KEY_FALLBACKS."
        )


def fill(folder: Path, manifest: dict[str, Any]) -> None:
    """Fill the installation from an unpacked archive, or leave it empty."""
    saved: list[str] = []
    try:
        for path in sorted((folder / _UPLOADS).rglob("*")):
            if path.is_file():
                # Before it is there: a full disk leaves a part.
                saved.append(path.relative_to(folder / _UPLOADS).as_posix())
                with path.open("rb") as file:
                    default_storage.save(saved[-1], File(file))
        database.restore(folder / _DUMP)
        result = database.contents()
        if different := [name for name, content in manifest["tables"].items() if result.get(name) != content]:
            raise BackupError(f"These tables would differ from the backup: {', '.join(different)}.")
    except BaseException as error:
        # PostgreSQL stops when it has no space for its log, and its clients only hear that it is gone.
        is_full = shutil.disk_usage(settings.DATA_DIR).free < _LEAST_FREE_BYTES
        _undo(saved)
        if is_full and isinstance(error, DatabaseError | BackupError):
            raise BackupError(FULL) from error
        if isinstance(error, DatabaseError):
            raise BackupError(f"The database failed: {error}") from error
        raise
    if (folder / _KEY).exists():
        write_private(_key_file(), (folder / _KEY).read_text())


def _undo(saved: list[str]) -> None:
    """Remove what a failed restore left. The uploads come first: PostgreSQL may need their space to start again."""
    for name in saved:
        with suppress(OSError):
            default_storage.delete(name)
    for _ in range(_TRIES):
        try:
            database.empty()
        except DatabaseError:
            time.sleep(1)
        else:
            return
    logger.error("the database could not be emptied: delete it if the next restore finds data")


def _add_database(archive: Writer) -> dict[str, Any]:
    if "django_migrations" not in database.tables():
        raise BackupError(
            "There is nothing to back up here. Set SLIPWAY_DATA_DIR or DATABASE_URL to the installation's."
        )
    with tempfile.TemporaryDirectory() as folder, database.one_state() as snapshot:
        dump = Path(folder) / _DUMP
        database.dump(dump, snapshot=snapshot)
        _add_file(archive, _DUMP, dump)
        return {"tables": database.contents(), "migrations": database.applied_migrations()}


def _add_file(archive: Writer, name: str, path: Path) -> None:
    with path.open("rb") as file:
        archive.add(name, file, size=path.stat().st_size)


def _add_uploads(archive: Writer) -> None:
    """Add the uploads that are not in the archive yet."""
    for name in _uploads(default_storage):
        if _UPLOADS + name in archive:
            continue
        # Replacing a photo deletes the old one.
        with suppress(FileNotFoundError), default_storage.open(name) as file:
            archive.add(_UPLOADS + name, file, size=file.size)


def _uploads(storage: Storage, folder: str = "") -> Iterator[str]:
    try:
        folders, files = storage.listdir(folder)
    except FileNotFoundError:
        return
    yield from (f"{folder}{name}" for name in sorted(files))
    for name in sorted(set(folders) - {settings.EXPORTS_FOLDER}):
        yield from _uploads(storage, f"{folder}{name}/")


def _key_file() -> Path:
    """Return where local mode keeps its secret key. Elsewhere the operator keeps it."""
    return Path(settings.DATA_DIR) / _KEY


def _fingerprint(key: str) -> str:
    return hmac.new(key.encode(), b"backup", "sha256").hexdigest()[:16]
