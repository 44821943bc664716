"""A database and a Valkey of a benchmark's own, migrated and empty, with Django set up on them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from config.local import throwaway_engines
from tests.leftovers import start_watcher


@contextmanager
def empty_database(**settings: str) -> Iterator[None]:
    """Start both, set the environment variables of `settings` beside theirs, and end both afterwards."""
    start_watcher()
    engines = throwaway_engines()
    addresses = engines.start()
    try:
        os.environ |= {
            "DATABASE_URL": addresses.database_url,
            "REDIS_URL": addresses.redis_url,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "SECRET_KEY": "only-for-benchmarks-" + "0123456789" * 4,
            "SLIPWAY_LOCAL": "1",
            **settings,
        }
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        yield
    finally:
        engines.stop()
