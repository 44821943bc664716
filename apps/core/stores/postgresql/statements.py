"""Compile a queryset to SQL once and run it with different values."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

from django.db import OperationalError
from django.db.models import Expression, Func, QuerySet
from psycopg.errors import QueryCanceled

from apps.core.stores.replica.reading import read_connection

if TYPE_CHECKING:
    from apps.core.stores.postgresql.base import DatabaseWrapper

_PLACEHOLDER = re.compile("%[%s]")


# For the rows that the word index finds. In PostgreSQL's default of 4 MB, those of a common word among a million
# listings are kept as whole pages, whose rows are all read and compared again.
_WORK_MEMORY = "16MB"


class TooSlowError(Exception):
    """A statement was stopped at its time limit."""


class Parameter(Expression):
    """A placeholder in a queryset for a value given when the statement runs."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        return "%s", [self]


def one_of(name: str, kind: str) -> Func:
    """Return the right side of an `__in` condition: a parameter for a list of a PostgreSQL type."""
    return Func(Parameter(name), template="(SELECT unnest(%(expressions)s::%(kind)s[]))", kind=kind)


@dataclass(frozen=True, slots=True)
class Statement:
    """SQL with named parameters, the values of the constant ones, and an optional time limit.

    A `prepared` statement is planned once on a connection. Use it where the best plan is the same for all values. It
    can't have a time limit.
    """

    sql: str
    constants: Mapping[str, Any] = field(default_factory=dict)
    milliseconds: int | None = None
    prepared: bool = False

    def run(self, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Return all rows. Raises TooSlowError past the time limit."""
        values = {**self.constants, **values}
        if self.prepared:
            return _fetch_prepared(self.sql, values)
        return fetch_all(self.sql, values, milliseconds=self.milliseconds)

    def with_numbers(self, **numbers: int) -> "Statement":
        """Write numbers into the SQL. Without a fixed LIMIT, a prepared plan would have to suit any number of rows."""
        sql = self.sql
        for name, number in numbers.items():
            sql = sql.replace(f"%({name})s", str(int(number)))
        return replace(self, sql=sql)


def _fetch_prepared(sql: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    with cast("DatabaseWrapper", read_connection()).prepared_cursor() as cursor:
        cursor.execute(sql, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def fetch_all(sql: str, values: Any, *, milliseconds: int | None = None) -> list[tuple[Any, ...]]:
    """Return all rows of a read. Raises TooSlowError past the limit. Inside a transaction there is no limit."""
    connection = read_connection()
    limit = None if connection.in_atomic_block else milliseconds
    # Sent in one message, these form a transaction of their own and cost one round trip.
    first = f"SET LOCAL statement_timeout = {limit}; SET LOCAL work_mem = '{_WORK_MEMORY}'; " if limit else ""
    with connection.cursor() as cursor:
        try:
            cursor.execute(first + sql, values)
        except OperationalError as error:
            if limit and isinstance(error.__cause__, QueryCanceled):
                raise TooSlowError from error
            raise
        if limit:
            cursor.nextset()
            cursor.nextset()
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def compiled(queryset: QuerySet[Any], *, prefix: str) -> Statement:
    """Compile a queryset. Its literal values become constants, named with the prefix."""
    sql, result = queryset.query.sql_with_params()
    params = iter(result)
    constants: dict[str, Any] = {}

    def named(placeholder: re.Match[str]) -> str:
        if placeholder[0] == "%%":
            return "%%"
        value = next(params)
        if isinstance(value, Parameter):
            return f"%({value.name})s"
        name = f"{prefix}{len(constants)}"
        constants[name] = value
        return f"%({name})s"

    return Statement(_PLACEHOLDER.sub(named, sql), constants)
