"""What of an editor's form is to be saved, when others may have changed the listing since it was opened."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from apps.listings.editor.form_state import State, token

EMPTY = token("")


@dataclass(frozen=True, slots=True)
class Merge:
    """Fields to save, and fields that both sides changed to different things."""

    changed: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)


def tokens(state: State) -> dict[str, str]:
    """The marks of a state by field, which the form carries along."""
    return {name: token(entry) for name, entry in state.items()}


def marks_from(raw: str) -> dict[str, str]:
    """The marks that a form carried, as JSON; what is no such thing counts as none."""
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {name: mark for name, mark in found.items() if isinstance(mark, str)}


def merge(*, opened: Mapping[str, str], typed: State, current: State) -> Merge:
    """Compare what was typed with what stands now, by the marks of what the form was `opened` with.

    A field left as it was found is not saved, whatever stands there now. A profile that had no row when the form was
    opened was empty then. A form without marks can change nothing that is there: all of it would be a conflict.
    """
    found = Merge()
    for name, entry in typed.items():
        now = current.get(name, "")
        before = opened.get(name, EMPTY)
        if entry == now or token(entry) == before:
            continue
        (found.changed if token(now) == before else found.conflicts).append(name)
    return found
