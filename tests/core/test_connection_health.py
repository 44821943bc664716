"""Before a request uses a connection, one that the server has closed is replaced, without a round trip."""

from typing import Any

import psycopg
import pytest
from django.db import connections
from django.test.utils import CaptureQueriesContext

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_connection_that_the_server_ended_is_not_used() -> None:
    connection: Any = connections.create_connection("default")
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            [pid] = cursor.fetchone()
        assert connection.is_usable()
        with psycopg.connect(connection.connection.info.dsn, password=connection.connection.info.password) as other:
            other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
        assert not connection.is_usable()
        connection.health_check_enabled, connection.health_check_done = True, False
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            assert cursor.fetchone() != (pid,)
    finally:
        connection.close()


def test_a_good_connection_is_asked_nothing() -> None:
    connection: Any = connections["default"]
    connection.ensure_connection()
    with CaptureQueriesContext(connection) as captured:
        before = connection.connection.info.backend_pid
        connection.health_check_enabled, connection.health_check_done = True, False
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    assert (len(captured), connection.connection.info.backend_pid) == (1, before)
