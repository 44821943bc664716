"""No framework: a WSGI application that asks PostgreSQL and writes JSON."""

import threading
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import parse_qs

import orjson
import psycopg
from psycopg.rows import dict_row

from tests.benchmarks.peers.apps.sql import BY_VOTES, DATABASE_URL, SEARCH

_local = threading.local()


def _connection() -> psycopg.Connection[dict[str, Any]]:
    if not hasattr(_local, "connection"):
        _local.connection = psycopg.connect(DATABASE_URL, autocommit=True, row_factory=dict_row)
    result: psycopg.Connection[dict[str, Any]] = _local.connection
    return result


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Answer any address with a page of listings, those with the word `q` or all."""
    words = parse_qs(environ["QUERY_STRING"]).get("q")
    rows = _connection().execute(SEARCH if words else BY_VOTES, {"q": words[0]} if words else None, prepare=True)
    body = orjson.dumps({"items": rows.fetchall()})
    start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
    return [body]
