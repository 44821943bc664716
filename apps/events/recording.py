"""Add events to the log, in the transaction of what they tell."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from apps.accounts.actors import Actor
from apps.core.states import moved
from apps.events.actors import present_actor
from apps.events.models import Event
from apps.events.types import TYPES


@dataclass(frozen=True, slots=True)
class Subject:
    """What an event is about: an object, its owner's account, its site, and data that all of its events have."""

    kind: str
    pk: int | str
    account_id: int | None
    site_id: int
    data: Mapping[str, Any] = field(default_factory=dict)


class HasEvents(Protocol):
    """A row whose moves are events."""

    def event_subject(self) -> Subject:
        """Return what its events are about."""


def record(type_: str, subject: Subject, *, by: Actor | None = None, **data: Any) -> Event:
    """Add an event with the subject's data and `data`. The actor is the one of the request unless `by` says it."""
    event = event_of(type_, subject, by=by, **data)
    event.save(force_insert=True)
    return event


def record_all(events: Iterable[Event]) -> None:
    """Add many events, in one statement per thousand."""
    Event.objects.bulk_create(events, batch_size=1000)


def event_of(type_: str, subject: Subject, *, by: Actor | None = None, **data: Any) -> Event:
    """Return an event that is not saved yet. Raises KeyError for an unknown type."""
    actor = by or present_actor()
    return Event(
        type=TYPES[type_].name,
        site_id=subject.site_id,
        account_id=subject.account_id,
        actor_id=actor.user.pk if actor.user else None,
        via=actor.via,
        credential=actor.credential[:255],
        object_type=subject.kind,
        object_id=str(subject.pk),
        data={**subject.data, **data},
    )


def follow_states() -> None:
    """Have every move of a row with states recorded."""
    moved.connect(_record_move, dispatch_uid="apps.events")


def _record_move(row: HasEvents, before: str | None, after: str, **_: Any) -> None:
    subject = row.event_subject()
    record(f"{subject.kind}.{after}", subject, previous_status=before)
