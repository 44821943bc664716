"""Which errors are an outage, and the retry time that a client gets."""

from collections.abc import Callable

import psycopg
import pytest
from django.db import DatabaseError, OperationalError
from redis import RedisError

from apps.core.request.outages import BUSY_SECONDS, OUTAGE_SECONDS, outage_behind


def _raised(raise_it: Callable[[], None]) -> Exception:
    try:
        raise_it()
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


def _by_django(sqlstate: str) -> Exception:
    def fail() -> None:
        try:
            raise psycopg.errors.lookup(sqlstate)("…")
        except psycopg.Error as error:
            raise DatabaseError("…") from error

    return _raised(fail)


@pytest.mark.parametrize(
    ("sqlstate", "seconds"),
    [
        ("08006", OUTAGE_SECONDS),  # connection failure
        ("53100", OUTAGE_SECONDS),  # disk full
        ("53200", OUTAGE_SECONDS),  # out of memory
        ("53300", OUTAGE_SECONDS),  # too many connections
        ("53400", OUTAGE_SECONDS),  # configuration limit exceeded
        ("57P01", OUTAGE_SECONDS),  # admin shutdown
        ("57P03", OUTAGE_SECONDS),  # cannot connect now
        ("58030", OUTAGE_SECONDS),  # I/O error
        ("25006", OUTAGE_SECONDS),  # read-only
        ("40001", BUSY_SECONDS),  # serialization failure
        ("40P01", BUSY_SECONDS),  # deadlock
        ("55P03", BUSY_SECONDS),  # lock timeout
        ("57014", BUSY_SECONDS),  # statement timeout
    ],
)
def test_what_the_server_reports(sqlstate: str, seconds: int) -> None:
    outage = outage_behind(_by_django(sqlstate))
    assert outage is not None
    assert (outage.server, outage.retry_after) == ("PostgreSQL", seconds)


@pytest.mark.parametrize("sqlstate", ["23505", "22001", "42703", "42501", "P0001", "XX000"])
def test_defects_and_bad_data_are_none(sqlstate: str) -> None:
    assert outage_behind(_by_django(sqlstate)) is None


def test_no_connection_has_no_sqlstate() -> None:
    outage = outage_behind(_raised(lambda: psycopg.connect("postgresql://127.0.0.1:1/x").close()))
    assert outage is not None
    assert outage.server == "PostgreSQL"


def test_valkey_is_named() -> None:
    outage = outage_behind(RedisError())
    assert outage is not None
    assert (outage.server, outage.retry_after) == ("Valkey", OUTAGE_SECONDS)


def test_what_broke_while_an_outage_was_handled_is_one_too() -> None:
    def fail() -> None:
        try:
            raise psycopg.OperationalError("the connection is closed")
        except psycopg.Error:
            raise KeyError("site")  # noqa: B904 - as code does that knows nothing of the outage

    assert outage_behind(_raised(fail)) is not None


def test_what_was_dealt_with_is_none() -> None:
    def fail() -> None:
        try:
            raise psycopg.OperationalError("the connection is closed")
        except psycopg.Error:
            raise KeyError("site") from None

    assert outage_behind(_raised(fail)) is None
    assert outage_behind(ValueError()) is None
    assert outage_behind(OperationalError()) is None
