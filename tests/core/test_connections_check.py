"""`manage.py check` compares the connections that may be needed with those that PostgreSQL takes."""

import re
from typing import Any

import pytest
from django.db import OperationalError, connection

from apps.core.operations.checks.connections import check_connections


@pytest.fixture
def free(db: None) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int"
        )
        return int(cursor.fetchone()[0])


def test_as_many_as_there_are_is_fine(free: int, settings: Any) -> None:
    settings.DATABASE_CONNECTIONS = {"web": free - 5, "commands": 5}
    assert check_connections(None) == []


def test_one_more_is_named_with_its_parts(free: int, settings: Any) -> None:
    settings.DATABASE_CONNECTIONS = {"web": free - 4, "commands": 5}
    [warning] = check_connections(None)
    assert warning.id == "core.W001"
    assert re.findall(r"\d+", warning.msg) == [str(free + 1), str(free)]
    assert f"{free - 4} for web, 5 for commands" in str(warning.hint)


def test_without_a_database_there_is_nothing_to_say(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise OperationalError("refused")

    monkeypatch.setattr(connection, "temporary_connection", refuse)
    assert check_connections(None) == []
