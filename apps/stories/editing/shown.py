"""Fields as an editor shows them, and the marks that its form carries."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from apps.listings.editor.form_state import token
from apps.stories.editing.documents import Document, Field
from apps.stories.editing.merging import Conflict, Seen
from apps.stories.plain_text import count_words

Saved = TypeVar("Saved")


@dataclass(frozen=True, slots=True)
class Shown:
    """One field: its text, whether that is saved, and what stands against it.

    `is_kept` is False for what the server does not have: only the page and the browser do. `problem` says why it
    cannot be saved.
    """

    field: Field
    text: str
    seen: Seen
    is_unsaved: bool = False
    is_kept: bool = True
    conflict: Conflict | None = None
    problem: str = ""

    def but(self, **changes: Any) -> "Shown":
        return replace(self, **changes)

    @property
    def name(self) -> str:
        return self.field.name

    @property
    def overruling(self) -> Seen:
        """The marks of a form that has shown the conflict: saving it puts its own text in the other one's place."""
        return _after(self.seen, self.text, self.conflict)

    @property
    def words(self) -> int:
        return count_words(self.text)

    @property
    def characters(self) -> int:
        return len(self.text)


def refused(
    document: Document[Saved],
    *,
    typed: Mapping[str, str],
    opened: Mapping[str, Seen],
    conflicts: Mapping[str, Conflict] | None = None,
    problems: Mapping[str, str] | None = None,
) -> list[Shown]:
    """The fields after a refusal of `save`: as they were typed, each with what stands against it.

    A form that is made of them has shown the conflicts, so saving it again overrules them.
    """
    saved, kept = document.saved(), {row.name: row.text for row in document.working()}
    shown = []
    for name, field in document.fields.items():
        text, seen = field.clean(typed.get(name, "")), opened.get(name, Seen())
        conflict, problem = (conflicts or {}).get(name), (problems or {}).get(name) or field.problem(text)
        is_unsaved = text != saved.get(name, "") and token(text) != seen.saved
        is_kept = not is_unsaved or kept.get(name) == text
        shown.append(Shown(field, text, _after(seen, text, conflict), is_unsaved, is_kept, conflict, problem))
    return shown


def _after(seen: Seen, text: str, conflict: Conflict | None) -> Seen:
    if conflict is None:
        return Seen(seen.saved, token(text))
    if conflict.kind == "saved":
        return Seen(token(conflict.text), token(text))
    return Seen(seen.saved, token(conflict.text))


def has_conflicts(shown: Iterable[Shown]) -> bool:
    return any(field.conflict for field in shown)


def dump_opened(shown: Iterable[Shown]) -> str:
    """The value of the form's hidden field `opened`."""
    return json.dumps({field.name: list(field.seen) for field in shown})


def read_opened(raw: object) -> dict[str, Seen]:
    """The marks that a form carried, as JSON or read already; what is no such thing counts as none."""
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
