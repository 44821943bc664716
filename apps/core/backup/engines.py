"""Provide PostgreSQL and Valkey to a command, whether `up` runs or not."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import OperationalError, connection

from apps.core.backup.archive import BackupError
from config.local import Engines
from config.local.places import socket_dir
from config.processes import StartError


@contextmanager
def database_running() -> Iterator[None]:
    """Start the embedded engines while needed, if no PostgreSQL answers at its address."""
    try:
        connection.ensure_connection()
    except OperationalError as error:
        if settings.DATABASES["default"]["HOST"] != str(socket_dir(settings.DATA_DIR)):
            raise BackupError("The database isn't responding. Start it, or correct DATABASE_URL.") from error
        yield from _started()
        return
    yield


def _started() -> Iterator[None]:
    try:
        with Engines(settings.DATA_DIR, redis_url=settings.REDIS_URL):
            yield
            connection.close()
    except StartError as error:
        raise BackupError(str(error)) from error
