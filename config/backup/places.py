"""Where a backup goes: a file, a folder that keeps the newest, or the same in an S3 bucket."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import IO, Any, Protocol

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils import timezone
from django.utils.module_loading import import_string

from config import media
from config.backup.archive import BackupError, piped

_BUCKET = "s3://"
_PREFIX = "slipway-"

Fill = Callable[[IO[bytes]], None]


class Place(Protocol):
    """A folder or a single name. After `write` failed, nothing of the new backup is left."""

    @property
    def is_folder(self) -> bool:
        """Return whether each backup gets a name of its own."""

    def write(self, fill: Fill, *, suffix: str) -> str:
        """Write a backup, and return a line on where it is. In a folder it is named by the time."""

    def keep_newest(self, count: int) -> None:
        """Delete all but the newest backups of a folder."""


def place(address: str) -> Place:
    """Return the place of a path or an address such as `s3://bucket/folder/`."""
    return _Bucket(address) if address.startswith(_BUCKET) else _Disk(Path(address))


@contextmanager
def opened(address: str) -> Iterator[BufferedReader]:
    """Open a backup to read it."""
    if not address.startswith(_BUCKET):
        with Path(address).open("rb") as file:
            yield file
        return
    place = _Bucket(address)
    with place.errors_told():
        yield BufferedReader(place.bucket.Object(place.key).get()["Body"])


def _name(suffix: str) -> str:
    return f"{_PREFIX}{timezone.now():%Y-%m-%d-%H%M%S}{suffix}"


class _Disk:
    def __init__(self, path: Path) -> None:
        self._path = path

    def write(self, fill: Fill, *, suffix: str) -> str:
        path = self._path / _name(suffix) if self.is_folder else self._path
        if path.exists() and not path.is_file():
            raise BackupError(f"{path} is a device or a pipe. Pass - and redirect the output.")
        fresh = path.with_name(f".{path.name}.part")
        try:
            with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                fill(file)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(path)
        finally:
            fresh.unlink(missing_ok=True)
        return f"{path} ({path.stat().st_size / 1e6:.1f} MB)"

    @property
    def is_folder(self) -> bool:
        return self._path.is_dir()

    def keep_newest(self, count: int) -> None:
        for old in sorted(self._path.glob(f"{_PREFIX}*.tar*"))[:-count]:
            old.unlink()


class _Bucket:
    """An object or, if the address ends with a slash, a folder of a bucket, opened as `S3_…` says."""

    def __init__(self, address: str) -> None:
        name, _, self.key = address.removeprefix(_BUCKET).partition("/")
        if not name:
            raise BackupError("Name a bucket, such as s3://bucket/folder/.")
        self._address = address
        entry = media.storage(
            bucket=name,
            endpoint_url=settings.S3_ENDPOINT_URL,
            region=settings.S3_REGION,
            access_key=settings.S3_ACCESS_KEY_ID,
            secret_key=settings.S3_SECRET_ACCESS_KEY,
        )
        try:
            self.bucket: Any = import_string(entry["BACKEND"])(**entry["OPTIONS"]).bucket
        except (ImportError, ImproperlyConfigured) as error:
            raise BackupError("Buckets need the extra s3 (docs/operations/running.md#extras).") from error

    def write(self, fill: Fill, *, suffix: str) -> str:
        key = f"{self.key}{_name(suffix)}" if self.is_folder else self.key
        with self.errors_told(), piped(lambda source: self.bucket.upload_fileobj(source, key)) as target:
            fill(target)
        return f"{_BUCKET}{self.bucket.name}/{key}"

    def keep_newest(self, count: int) -> None:
        if not self.is_folder:
            return
        with self.errors_told():
            result = sorted(self.bucket.objects.filter(Prefix=f"{self.key}{_PREFIX}"), key=lambda each: each.key)
            for old in result[:-count]:
                old.delete()

    @property
    def is_folder(self) -> bool:
        return not self.key or self.key.endswith("/")

    @contextmanager
    def errors_told(self) -> Iterator[None]:
        from boto3.exceptions import Boto3Error  # comes with the extra s3 alone
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            yield
        except (Boto3Error, BotoCoreError, ClientError) as error:
            raise BackupError(f"{self._address} doesn't take or give it: {error}") from error
