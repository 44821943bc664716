"""Read model instances by a queryset that is compiled once, because that takes as long as running it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, models
from django.db.models.query import get_related_populators, prefetch_related_objects

from apps.core.stores.postgresql.statements import Statement, compiled

M = TypeVar("M", bound=models.Model)


class Instances(Generic[M]):
    """The instances of a queryset, with what it selects and annotates. Its conditions may have a `Parameter` each.

    The plan is kept, so it must be the best one for all values. The queryset's own prefetching doesn't count, only the
    relations in `prefetch`.
    """

    def __init__(self, queryset: models.QuerySet[M], *, prefetch: Sequence[str] = ()) -> None:
        self._queryset = queryset
        self._prefetch = prefetch

    def read(self, **values: Any) -> list[M]:
        """Return the instances for values of the parameters. One query, and one for each prefetched relation."""
        build = self._build
        result = [build(row) for row in self._rows(values)]
        prefetch_related_objects(result, *self._prefetch)
        return result

    def first(self, **values: Any) -> M | None:
        """Return the first instance for values of the parameters, or None."""
        return next(iter(self.read(**values)), None)

    def _rows(self, values: dict[str, Any]) -> Any:
        rows = self._statement.run(values)
        return self._compiler.apply_converters(rows, self._converters) if self._converters else rows

    def _build(self, row: Any) -> M:
        first, names, related = self._columns
        result: M = self._queryset.model.from_db(DEFAULT_DB_ALIAS, names, row[first : first + len(names)])
        for each in related:
            each.populate(row, result)
        for name, column in self._compiler.annotation_col_map.items():
            setattr(result, name, row[column])
        return result

    @cached_property
    def _statement(self) -> Statement:
        return replace(compiled(self._queryset, prefix="of_"), prepared=True)

    @cached_property
    def _compiler(self) -> Any:
        compiler: Any = self._queryset.query.get_compiler(DEFAULT_DB_ALIAS)
        # Only now it knows its columns.
        compiler.as_sql()
        return compiler

    @cached_property
    def _converters(self) -> Any:
        return self._compiler.get_converters([column[0] for column in self._compiler.select])

    @cached_property
    def _columns(self) -> tuple[int, list[str], list[Any]]:
        """The place of the model's first column, the names of its fields, and what builds related instances."""
        told, select = self._compiler.klass_info, self._compiler.select
        own = told["select_fields"]
        names = [select[place][0].target.attname for place in own]
        # The stubs are of a later Django.
        related = get_related_populators(told, select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]
        return own[0], names, related
