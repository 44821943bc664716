"""The entries of an editor's form, and marks that record the values it was opened with."""

import json
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from apps.core.text.digest import short_digest

# A text, several chosen values, or rows of texts such as questions with their answers.
Entry: TypeAlias = str | list[str] | list[list[str]]
State: TypeAlias = dict[str, Entry]


def mark_of(entry: Entry) -> str:
    """Return a short mark of an entry. Equal entries have equal marks."""
    return short_digest(json.dumps(entry))


EMPTY = mark_of("")


class Seen(NamedTuple):
    """The marks of one field when its form was opened: of the saved entry, and of the one shown.

    They differ if the form showed unsaved text.
    """

    saved: str = EMPTY
    shown: str = EMPTY

    @classmethod
    def of(cls, entry: Entry) -> "Seen":
        """Return the marks of a field that shows the saved entry."""
        return cls(mark_of(entry), mark_of(entry))


def marks_of(state: Mapping[str, Entry]) -> dict[str, Seen]:
    """Return the marks of a form that shows the saved entries."""
    return {name: Seen.of(entry) for name, entry in state.items()}


def dump_marks(opened: Mapping[str, Seen]) -> str:
    """Return the value of a form's hidden field `opened`."""
    return json.dumps(opened)


def read_marks(raw: object) -> dict[str, Seen]:
    """Parse the marks of a form, from JSON or already parsed. Anything invalid counts as none."""
    if isinstance(raw, str):
        try:
            raw = json.loads(raw)
        except (ValueError, RecursionError):
            return {}
    if not isinstance(raw, dict):
        return {}
    return {
        name: Seen(*marks)
        for name, marks in raw.items()
        if isinstance(marks, list) and len(marks) == 2 and all(isinstance(mark, str) for mark in marks)
    }
