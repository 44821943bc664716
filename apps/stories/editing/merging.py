"""What becomes of a text that was typed, when others may have changed the same field since the form was opened."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal, NamedTuple

from apps.listings.editor.form_state import token
from apps.listings.editor.merging import EMPTY


class Seen(NamedTuple):
    """The marks of what a form was opened with in one field: the text that was saved, and the one that was shown."""

    saved: str = EMPTY
    shown: str = EMPTY


class Conflict(NamedTuple):
    """What stands against a text: one that was `saved` meanwhile, or `typed` in another window and not saved."""

    kind: Literal["saved", "typed"]
    text: str


class Fate(StrEnum):
    SAME = "same"  # it is saved already
    LEFT = "left"  # as it was found
    CHANGED = "changed"
    SAVED_MEANWHILE = "saved_meanwhile"
    TYPED_MEANWHILE = "typed_meanwhile"


class Overtaken(Exception):  # noqa: N818 - named for what happened
    """Fields that were changed on both sides, with what stands against each. Nothing was saved."""

    def __init__(self, conflicts: Mapping[str, Conflict]) -> None:
        super().__init__(", ".join(conflicts))
        self.conflicts = dict(conflicts)


def judge(*, typed: str, seen: Seen, saved: str, working: str | None) -> Fate:
    """Compare what was typed with what is saved and what is kept unsaved now, by the marks of what the form showed.

    A text that was shown unsaved counts as typed: whoever saves the form means it. A form without marks can change
    nothing that is there.
    """
    mark = token(typed)
    if typed == saved:
        return Fate.SAME
    if mark == seen.shown == seen.saved:
        return Fate.LEFT
    if working is not None and not is_known(working, typed=typed, seen=seen):
        return Fate.TYPED_MEANWHILE
    return Fate.CHANGED if token(saved) == seen.saved else Fate.SAVED_MEANWHILE


def is_known(working: str, *, typed: str, seen: Seen) -> bool:
    """Whether an unsaved text is the one that the form showed, or the one that was typed now."""
    return token(working) in {seen.shown, token(typed)}
