"""Commits in tests whose transaction never ends."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def committed() -> Iterator[None]:
    """Have happen at the end of the block what happens after a commit."""
    yield
    calls, connection.run_on_commit = connection.run_on_commit, []
    for waiting in calls:
        waiting[1]()
