"""A page that one person edits: its named entries, and how to read, lock and save them."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from django.db import transaction
from rest_framework.exceptions import ValidationError
from rest_framework.serializers import Serializer

from apps.core.editing.marks import Entry, Seen
from apps.core.editing.merge import EditConflict, StaleFormError, merge

E = TypeVar("E", bound=Entry)
Saved = TypeVar("Saved")


class Document(ABC, Generic[E, Saved]):
    """The entries of one page. `Saved` is what saving returns. With unsaved texts, use TextDocument."""

    @abstractmethod
    def saved(self) -> Mapping[str, E]:
        """Return the saved entries by field, freshly read from the database. An absent one is empty."""

    @abstractmethod
    def lock(self) -> None:
        """Lock what `saved` reads until the transaction ends, in the same order as the service."""

    @abstractmethod
    def write(self, changed: Mapping[str, E]) -> Saved:
        """Save these entries, possibly none, through the service. Raises what that raises."""

    def lock_unsaved(self) -> Mapping[str, str]:
        """Lock and return the unsaved text of each field."""
        return {}

    def forget(self, names: Sequence[str]) -> None:
        """Drop the unsaved text of these fields, because it is saved now."""

    def stale(self, conflicts: Mapping[str, EditConflict]) -> Exception:
        """Return the error to raise when both sides changed a field."""
        return StaleFormError(conflicts)

    @transaction.atomic
    def save(self, *, typed: Mapping[str, E], opened: Mapping[str, Seen]) -> Saved:
        """Save what was typed. Fields that the person left unchanged are not touched.

        Raises StaleFormError with every conflicting change, and what `write` raises. In both cases nothing is saved.
        """
        # Locked until all is written: an assistant's edit waits, or is seen here.
        self.lock()
        unsaved = self.lock_unsaved()
        merged = merge(typed, opened=opened, saved=self.saved(), unsaved=unsaved)
        if merged.conflicts:
            raise self.stale(merged.conflicts)
        written = self.write(merged.changed)
        self.forget(merged.settled)
        return written


def validated(serializer: Serializer[Any], unreadable: Mapping[str, str]) -> dict[str, Any]:
    """Validate a form with an API serializer; raise ValidationError with all problems."""
    if not serializer.is_valid() or unreadable:
        raise ValidationError({**serializer.errors, **{name: [problem] for name, problem in unreadable.items()}})
    values: dict[str, Any] = serializer.validated_data
    return values
