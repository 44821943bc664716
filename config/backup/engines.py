"""Provide PostgreSQL and Valkey to a command, whether `up` runs or not."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import OperationalError, connection

from config.backup.archive import BackupError
from config.local import Engines
from config.local.places import socket_dir
from config.local.postgres import has_files, remove_files
from config.supervisor.processes import StartError


@contextmanager
def database_running(*, can_be_new: bool = False) -> Iterator[None]:
    """Start the embedded engines while needed, if no PostgreSQL answers at its address.

    Raises BackupError if there is no database yet, unless it can be new.
    """
    try:
        connection.ensure_connection()
    except OperationalError as error:
        if settings.DATABASES["default"]["HOST"] != str(socket_dir(settings.DATA_DIR)):
            raise BackupError("The database isn't responding. Start it, or correct DATABASE_URL.") from error
        if not can_be_new and not has_files(settings.DATA_DIR):
            raise BackupError(
                f"There is nothing to back up in {settings.DATA_DIR}. "
                "Set SLIPWAY_DATA_DIR or DATABASE_URL to the installation's."
            ) from error
        is_new = not has_files(settings.DATA_DIR)
        try:
            yield from _started()
        except BaseException:
            # On a full disk, PostgreSQL stops for good, and what the restore left can't be undone by SQL.
            if is_new:
                remove_files(settings.DATA_DIR)
            raise
        return
    yield


def _started() -> Iterator[None]:
    try:
        with Engines(settings.DATA_DIR, redis_url=settings.REDIS_URL):
            yield
            connection.close()
    except StartError as error:
        raise BackupError(str(error)) from error
