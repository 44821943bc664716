"""The admin dashboard: work that needs attention, and weekly figures.

Every app registers its own in `admin/metrics.py`, which its admin package imports. They are shown in the order of
INSTALLED_APPS. Each need is also a filter of its list, so that number and list come from one query.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Literal, Protocol, TypeAlias

from django.contrib.auth import get_permission_codename
from django.db.models import Count, Model, QuerySet
from django.db.models.expressions import BaseExpression, Combinable
from django.db.models.functions import TruncWeek

from apps.core.text.weeks import Week

Urgency: TypeAlias = Literal["now", "soon", "some day"]


class Person(Protocol):
    """The admin user who is signed in."""

    def has_perm(self, perm: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class Need:
    """Rows of a model that need attention from site admins.

    `key` is unique for its model and part of the list's URL. `rows` selects those rows. `hint` says in a sentence
    what to do.
    """

    key: str
    title: str
    hint: str
    model: type[Model]
    rows: Callable[[Any], QuerySet[Any]]
    urgency: Urgency = "soon"

    def count(self) -> int:
        return self.rows(self.model._default_manager.all()).count()


@dataclass(frozen=True, slots=True)
class Figure:
    """A weekly number. `weekly` returns it by ISO week from a first week on, without weeks that have none."""

    title: str
    hint: str
    model: type[Model]
    weekly: Callable[[Week], Mapping[str, int]]
    is_money: bool = False


def by_week(
    rows: QuerySet[Any], moment: str, *, first: Week, measure: BaseExpression | Combinable | None = None
) -> dict[str, int]:
    """Count the rows of each ISO week from `first` on, by one of their dates or times, or aggregate `measure`."""
    is_time = rows.model._meta.get_field(moment).get_internal_type() == "DateTimeField"
    week = TruncWeek(moment, tzinfo=UTC) if is_time else TruncWeek(moment)
    since = first.starts_at if is_time else first.starts_at.date()
    weeks = rows.filter(**{f"{moment}__gte": since}).order_by().annotate(week=week).values_list("week")
    result = weeks.annotate(number=Count("pk") if measure is None else measure)
    return {_name(start): number or 0 for start, number in result}


_needs: list[Need] = []
_figures: list[Figure] = []


def register_needs(*needs: Need) -> None:
    """Show work that needs attention on the dashboard, and as a filter of its list."""
    _needs.extend(needs)


def register_figures(*figures: Figure) -> None:
    """Show weekly numbers on the dashboard."""
    _figures.extend(figures)


def needs() -> Sequence[Need]:
    return tuple(_needs)


def figures() -> Sequence[Figure]:
    return tuple(_figures)


def needs_of(model: type[Model]) -> list[Need]:
    """Return the needs of one model."""
    return [need for need in needs() if need.model is model]


def may_see(person: Person, model: type[Model]) -> bool:
    """Return whether a user may view the rows of a model in the admin."""
    options = model._meta
    names = (get_permission_codename(action, options) for action in ("view", "change"))
    return any(person.has_perm(f"{options.app_label}.{name}") for name in names)


def _name(start: date | datetime) -> str:
    moment = start if isinstance(start, datetime) else datetime(start.year, start.month, start.day, tzinfo=UTC)
    return str(Week.of(moment))
