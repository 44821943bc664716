"""Visitors of public pages, and what an answer costs."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

HOST = "testserver.localhost"


def visitor(**headers: str) -> Client:
    """Somebody without a cookie."""
    return Client(headers={"host": HOST, **headers})


@contextmanager
def without_the_database() -> Iterator[None]:
    """No statement is sent in this block."""
    with CaptureQueriesContext(connection) as sent:
        yield
    statements = [query["sql"] for query in sent.captured_queries]
    assert not statements, statements
