"""Detect changes to public rows, so that no service has to invalidate cached pages.

Models of public rows extend `PublicRow`, whose `generations` names what a saved or deleted row invalidates. Statements
without a row, such as `QuerySet.update` and our own SQL, invalidate the `bulk_generations` of their table: everything,
unless the model or a block of `generations.only` narrows it.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from typing import Any, ClassVar

from django.apps import apps
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

from apps.core.stores.valkey import generations

_WRITES = re.compile(r'\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+(?:ONLY\s+)?"?(\w+)"?', re.IGNORECASE)
_MOST_STATEMENTS = 512


class PublicRow(models.Model):
    """A row that public pages or reads show."""

    bulk_generations: ClassVar[tuple[str, ...]] = (generations.EVERYTHING,)

    class Meta:
        abstract = True

    def generations(self) -> Iterable[str]:
        """Return the generations that this row invalidates."""
        return self.bulk_generations

    def save_base(self, *args: Any, **kwargs: Any) -> None:
        with generations.only(self.generations):
            super().save_base(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        # Afterwards the row has no key.
        names = tuple(self.generations())
        with generations.only(lambda: names):
            return super().delete(*args, **kwargs)


def watch_statements() -> None:
    """Make every connection of this process detect statements that change public rows."""
    connection_created.connect(_watch, dispatch_uid="apps.core.stores.valkey.watch")


def _watch(connection: BaseDatabaseWrapper, **_: Any) -> None:
    if _notice not in connection.execute_wrappers:
        connection.execute_wrappers.insert(0, _notice)


def _notice(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Mapping[str, Any]) -> Any:
    result = execute(sql, params, many, context)
    if not sql.startswith("SELECT") and not generations.is_told() and (names := _changed_by(sql)):
        generations.touch(*names)
    return result


@lru_cache(_MOST_STATEMENTS)
def _changed_by(sql: str) -> frozenset[str]:
    """Return the generations of the tables that a statement changes."""
    tables = _tables()
    return frozenset(name for table in _WRITES.findall(sql) for name in tables.get(table, ()))


@cache
def _tables() -> dict[str, tuple[str, ...]]:
    result = {}
    for model in apps.get_models():
        if issubclass(model, PublicRow):
            meta = model._meta
            result[meta.db_table] = model.bulk_generations
            result |= {field.m2m_db_table(): model.bulk_generations for field in meta.local_many_to_many}
    return result
