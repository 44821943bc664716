"""Django's `migrate`, without blocking the running release for long."""

import time
from typing import Any

from django.core.management.commands import migrate
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.utils import OperationalError
from psycopg.errors import LockNotAvailable

LOCK_SECONDS = 3
ATTEMPTS = 20
PAUSE_SECONDS = 3


class Command(migrate.Command):
    """Gives up waiting for a table after some seconds, because later queries wait behind it, and tries again.

    Completed migrations stay. The interrupted one is rolled back.
    """

    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options.get("database") or DEFAULT_DB_ALIAS]
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, false)", [f"{LOCK_SECONDS}s"])
        try:
            for left in reversed(range(ATTEMPTS)):
                try:
                    super().handle(*args, **options)
                except OperationalError as error:
                    if not left or not isinstance(error.__cause__, LockNotAvailable):
                        raise
                    self.stderr.write(f"Another transaction has locked a table. Trying again in {PAUSE_SECONDS} s.")
                    time.sleep(PAUSE_SECONDS)
                else:
                    return
        finally:
            with connection.cursor() as cursor:
                cursor.execute("SELECT set_config('lock_timeout', '0', false)")
