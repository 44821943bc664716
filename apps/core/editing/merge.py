"""Merge an editor's form with changes made to the same fields since it was opened.

For each field it compares what the form was opened with, what was typed, and what is saved now. If texts are kept
unsaved, it also compares what another window of the same person has kept.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, Generic, Literal, NamedTuple, TypeVar

from apps.core.editing.marks import Entry, Seen, mark_of

E = TypeVar("E", bound=Entry)


class EditConflict(NamedTuple):
    """A conflict with a typed entry: another value was `saved`, or `typed` in another window."""

    name: str
    kind: Literal["saved", "typed"]
    entry: Entry

    @property
    def text(self) -> str:
        """The entry as people read it."""
        if isinstance(self.entry, str):
            return self.entry
        return "\n".join(row if isinstance(row, str) else " — ".join(row) for row in self.entry)


class StaleFormError(Exception):
    """Fields were changed on both sides since the form was opened. Nothing was saved."""

    status: ClassVar[int] = 409

    def __init__(self, conflicts: Mapping[str, EditConflict]) -> None:
        super().__init__(", ".join(conflicts))
        self.conflicts = dict(conflicts)


class MergeOutcome(StrEnum):
    """The outcome of merging one field."""

    SAME = "same"  # it is saved already
    LEFT = "left"  # as it was found
    CHANGED = "changed"
    SAVED_MEANWHILE = "saved_meanwhile"
    TYPED_MEANWHILE = "typed_meanwhile"


def outcome_of(typed: Entry, *, seen: Seen, saved: Entry, unsaved: str | None = None) -> MergeOutcome:
    """Compare the typed text with the saved and unsaved ones, by the marks of what the form showed.

    Unsaved text that the form showed counts as typed, because saving the form confirms it. A form without marks can't
    overwrite anything.
    """
    if typed == saved:
        return MergeOutcome.SAME
    if mark_of(typed) == seen.shown == seen.saved:
        return MergeOutcome.LEFT
    if unsaved is not None and not is_known(unsaved, typed=typed, seen=seen):
        return MergeOutcome.TYPED_MEANWHILE
    return MergeOutcome.CHANGED if mark_of(saved) == seen.saved else MergeOutcome.SAVED_MEANWHILE


def is_known(unsaved: str, *, typed: Entry, seen: Seen) -> bool:
    """Return whether an unsaved text is the one that the form showed, or the one just typed."""
    return mark_of(unsaved) in {seen.shown, mark_of(typed)}


@dataclass(frozen=True, slots=True)
class Merge(Generic[E]):
    """The result of a merge: entries to save, conflicts, and fields whose unsaved text can be deleted."""

    changed: dict[str, E] = field(default_factory=dict)
    conflicts: dict[str, EditConflict] = field(default_factory=dict)
    settled: list[str] = field(default_factory=list)


def merge(
    typed: Mapping[str, E], *, opened: Mapping[str, Seen], saved: Mapping[str, E], unsaved: Mapping[str, str]
) -> Merge[E]:
    """Merge a whole form. A field that is absent from `opened`, `saved` or the form counts as empty."""
    result: Merge[E] = Merge()
    for name, entry in typed.items():
        seen, now, draft = opened.get(name, Seen()), saved.get(name, ""), unsaved.get(name)
        outcome = outcome_of(entry, seen=seen, saved=now, unsaved=draft)
        if outcome == MergeOutcome.SAVED_MEANWHILE:
            result.conflicts[name] = EditConflict(name, "saved", now)
        elif outcome == MergeOutcome.TYPED_MEANWHILE:
            result.conflicts[name] = EditConflict(name, "typed", draft or "")
        elif outcome == MergeOutcome.CHANGED:
            result.changed[name] = entry
        if (
            draft is not None
            and outcome in {MergeOutcome.SAME, MergeOutcome.CHANGED}
            and is_known(draft, typed=entry, seen=seen)
        ):
            result.settled.append(name)
    return result
