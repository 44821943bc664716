"""What one person edits on one page: named entries, how they are read, locked and saved."""

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
    """The entries of one page; `Saved` is what saving returns. Texts that are kept unsaved make it a TextDocument."""

    @abstractmethod
    def saved(self) -> Mapping[str, E]:
        """The saved entries by field, read from the database each time; an absent one is empty."""

    @abstractmethod
    def lock(self) -> None:
        """Lock what `saved` reads until the transaction ends, in the order in which its service locks."""

    @abstractmethod
    def write(self, changed: Mapping[str, E]) -> Saved:
        """Save these entries, possibly none, by the service; raises what that raises."""

    def lock_unsaved(self) -> Mapping[str, str]:
        """What is typed and kept unsaved, by field, locked as well."""
        return {}

    def forget(self, names: Sequence[str]) -> None:
        """Drop what is kept unsaved in these fields, since it is saved."""

    def stale(self, conflicts: Mapping[str, EditConflict]) -> Exception:
        """What is raised when fields were changed on both sides."""
        return StaleFormError(conflicts)

    @transaction.atomic
    def save(self, *, typed: Mapping[str, E], opened: Mapping[str, Seen]) -> Saved:
        """Save what was typed; fields that were left as they were found are not touched.

        Raises StaleFormError with everything that others changed meanwhile, and what `write` raises. Nothing is saved
        then.
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
    """What the API takes of a form; raises ValidationError with every problem at once, also of what cannot be read."""
    if not serializer.is_valid() or unreadable:
        raise ValidationError({**serializer.errors, **{name: [problem] for name, problem in unreadable.items()}})
    values: dict[str, Any] = serializer.validated_data
    return values
