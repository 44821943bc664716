"""Read a page of a list in one SQL statement, as dictionaries.

In the API the serializer still declares an item. `Rows` derives from its fields which columns to select and how to show
them; computed fields name their columns once. Tests compare the bytes with what the serializer renders from model
objects.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ImproperlyConfigured
from django.db.models import BigIntegerField, F, Func, Model, QuerySet
from django.db.models.expressions import BaseExpression, RawSQL
from django.db.models.functions import Cast
from rest_framework import serializers

from apps.core.stores.postgresql.statements import Parameter, Statement, compiled, one_of

Item = TypeVar("Item")
ItemSerializer = type[serializers.Serializer[Any]]

# These fields show the column's value unchanged.
_AS_IT_IS = {
    field.to_representation
    for field in (
        serializers.CharField,
        serializers.IntegerField,
        serializers.BooleanField,
        serializers.ChoiceField,
    )
}


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """The items of one page, the number of items on all pages, and whether there is a next page."""

    items: list[Item]
    total: int
    has_next: bool


class Read(Protocol[Item]):
    """Turn a choice of ids into a page, as `Rows.page` does.

    The choice is a statement with one row: `ids`, an array of at most %(rows)s ids from %(start)s on, and `total`.
    """

    def __call__(self, choice: Statement, values: Mapping[str, Any], /, *, page: int, per_page: int) -> Page[Item]: ...


class Made:
    """A field computed in Python from columns."""

    def __init__(self, function: Callable[..., Any], *columns: str | BaseExpression) -> None:
        self.function = function
        self.columns = columns


class FromChoice:
    """A field that the choice returns directly: an array named like the field, parallel to `ids`."""


Source = str | BaseExpression | Made | FromChoice


@dataclass(frozen=True, slots=True)
class _Plan:
    """The statement that selects an item's columns, and how they become its fields.

    `columns` has one per field in order, followed by further ones that `made` reads by number.
    """

    details: Statement
    columns: Sequence[str]
    names: Sequence[str]
    beside: Sequence[str]
    made: Sequence[tuple[str, Callable[..., Any], Sequence[int]]]

    def item(self, values: Sequence[Any]) -> dict[str, Any]:
        """Return an item for the values of `columns`."""
        item = dict(zip(self.names, values, strict=False))
        for name, function, numbers in self.made:
            item[name] = function(*[values[number] for number in numbers])
        return item

    def around(self, choice: Statement) -> Statement:
        """Combine the choice and the items' columns. An empty page has one row, whose place is NULL."""
        arrays = ", ".join(f"found.{name}" for name in ("ids", *self.beside))
        names = ", ".join(("id", *self.beside, "place"))
        columns = ", ".join(self.columns)
        # PostgreSQL would choose the ids again at each place that names them.
        sql = (
            f"WITH found AS MATERIALIZED ({choice.sql})"  # noqa: S608 - names of fields
            f" SELECT chosen.place, found.total, cardinality(found.ids) > %(per_page)s, {columns}"
            f" FROM found LEFT JOIN LATERAL unnest({arrays}) WITH ORDINALITY AS chosen({names})"
            " ON chosen.place <= %(per_page)s"
            f" LEFT JOIN LATERAL ({self.details.sql}) shown ON true ORDER BY chosen.place"
        )
        return replace(choice, sql=sql, constants={**choice.constants, **self.details.constants})


def place_of(page: int, per_page: int) -> dict[str, int]:
    """Return the parameters of a page. It selects one more row than it shows, to know whether a next page exists."""
    return {"start": (page - 1) * per_page, "rows": per_page + 1, "per_page": per_page}


def choose(queryset: QuerySet[Any]) -> Statement:
    """Return the choice of a page of an ordered queryset, counted exactly."""
    ids = compiled(queryset.values("pk"), prefix="chosen_")
    counted = compiled(queryset.order_by().values("pk"), prefix="counted_")
    sql = (
        f"SELECT ARRAY({ids.sql} LIMIT %(rows)s OFFSET %(start)s) AS ids,"  # noqa: S608 - what Django made
        f" (SELECT count(*) FROM ({counted.sql}) counted) AS total"
    )
    return Statement(sql, {**ids.constants, **counted.constants}, prepared=True)


class Rows:
    """The columns and fields of a list's items, derived from their serializer if they have one.

    `computed` defines the fields that are not columns: as another column's name, an expression, `Made` or `FromChoice`.
    Without a serializer, these are all fields.
    """

    def __init__(self, model: type[Model], serializer: ItemSerializer | None = None, **computed: Source) -> None:
        self._model = model
        self._serializer = serializer
        self._computed = computed

    def like(self, serializer: ItemSerializer | None = None, **computed: Source) -> "Rows":
        """Return rows with further fields, and for a serializer that extends this one."""
        return Rows(self._model, serializer, **{**self._computed, **computed})

    def of(self, ids: Sequence[int]) -> list[dict[str, Any]]:
        """Return the items with these ids, in their order, without those that are gone. One statement."""
        return self.page(self._by_id, {"chosen": list(ids)}, page=1, per_page=len(ids)).items

    def page(self, choice: Statement, values: Mapping[str, Any], *, page: int, per_page: int) -> Page[dict[str, Any]]:
        """Return a page (1-based) of a choice, empty past the end. One statement."""
        rows = self._plan.around(choice).with_numbers(**place_of(page, per_page)).run(values)
        _, total, has_next = rows[0][:3]
        item = self._plan.item
        return Page([item(row[3:]) for row in rows if row[0] is not None], total, has_next)

    @cached_property
    def _by_id(self) -> Statement:
        chosen = Cast(Parameter("chosen"), ArrayField(BigIntegerField()))
        rows = self._model._default_manager.filter(pk__in=one_of("chosen", "bigint"))
        return choose(rows.order_by(Func(chosen, F("pk"), function="array_position")))

    @cached_property
    def _plan(self) -> _Plan:
        sources = self._sources()
        read: list[str | BaseExpression] = []
        columns: list[str] = []
        further: list[str] = []
        made: list[tuple[str, Callable[..., Any], Sequence[int]]] = []

        def column(source: str | BaseExpression) -> str:
            read.append(source)
            return f"shown.c{len(read) - 1}"

        for name, source in sources.items():
            if isinstance(source, FromChoice):
                columns.append(f"chosen.{name}")
            elif isinstance(source, Made):
                first, *rest = source.columns
                numbers = range(len(sources) + len(further), len(sources) + len(further) + len(rest))
                made.append((name, source.function, (len(columns), *numbers)))
                columns.append(column(first))
                further += [column(other) for other in rest]
            else:
                columns.append(column(source))
        return _Plan(
            details=self._details(read),
            columns=[*columns, *further],
            names=list(sources),
            beside=[name for name, source in sources.items() if isinstance(source, FromChoice)],
            made=made,
        )

    def _sources(self) -> Mapping[str, Source]:
        if self._serializer is None:
            return self._computed
        return {name: self._source(name, field) for name, field in self._serializer().fields.items()}

    def _source(self, name: str, field: serializers.Field[Any, Any, Any, Any]) -> Source:
        if name in self._computed:
            return self._computed[name]
        if isinstance(field, serializers.BaseSerializer) or field.source == "*":
            raise ImproperlyConfigured(f"{field.parent.__class__.__name__}.{name} is not a column. Define it in Rows.")
        column = "__".join(field.source_attrs)
        if type(field).to_representation in _AS_IT_IS:
            return column
        return Made(lambda value: None if value is None else field.to_representation(value), column)

    def _details(self, columns: Sequence[str | BaseExpression]) -> Statement:
        named = {f"c{index}": F(one) if isinstance(one, str) else one for index, one in enumerate(columns)}
        rows = self._model._default_manager.filter(pk=RawSQL("chosen.id", ()))
        return compiled(rows.order_by().annotate(**named).values_list(*named), prefix="shown_")
