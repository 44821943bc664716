"""Compile a queryset to SQL once and run it with different values."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Expression, QuerySet

from apps.core.replica.reading import read_connection

_PLACEHOLDER = re.compile("%[%s]")


class Parameter(Expression):
    """A placeholder in a queryset for a value given when the statement runs."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        return "%s", [self]


@dataclass(frozen=True, slots=True)
class Statement:
    """SQL with named parameters, and the values of those that never change."""

    sql: str
    constants: Mapping[str, Any] = field(default_factory=dict)

    def run(self, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Return all rows."""
        with read_connection().cursor() as cursor:
            cursor.execute(self.sql, {**self.constants, **values})
            rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


def compiled(queryset: QuerySet[Any], *, prefix: str) -> Statement:
    """Compile a queryset. Its literal values become constants, named with the prefix."""
    sql, found = queryset.query.sql_with_params()
    params = iter(found)
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
