"""Compute readable differences of text, lists and mappings."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any, Literal, TypeAlias, TypedDict

Kind: TypeAlias = Literal["same", "added", "removed", "gap"]
# How many words of context a change keeps in a long text.
CONTEXT = 12
# With less in common, the two texts are easier to read one after the other.
LEAST_IN_COMMON = 0.35
ONE_LINE = 90
# Comparing takes time by the square of the words. Above this number in both texts, sentences are compared.
MOST_WORDS = 4000
# Words with the spaces after them. Scripts without spaces are compared by character.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\s\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+\s*|\s+")
_SENTENCE = re.compile(r"[^\n.!?\u3002\uff01\uff1f]*[\n.!?\u3002\uff01\uff1f]+\s*|[^\n.!?\u3002\uff01\uff1f]+")


# The label of a list's entry, such as a question, and its text.
Entry: TypeAlias = tuple[str, str]


class Change(TypedDict):
    """One field of a version, with JSON values."""

    field: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text that was kept, added or removed. A gap replaces text that is left out.

    `image` is the path of a picture that the text names, or empty.
    """

    kind: Kind
    text: str = ""
    image: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One text, or one entry of a list, with what happened to it."""

    pieces: list[Piece]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """A changed field: `rows` in reading order, and how many entries of a list are unchanged."""

    label: str
    rows: list[Row] = field(default_factory=list)
    unchanged: int = 0
    is_list: bool = False


def plain(value: Any) -> str:
    """Return a JSON value as text."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case str() | int() | float():
            return str(value)
    return json.dumps(value, ensure_ascii=False, indent=2)


def _entry(value: Any) -> Entry:
    return "", plain(value)


def changes_between(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """Return the fields in which two snapshots differ, in order. A field that is missing in one is None there."""
    return [
        Change(field=name, before=before.get(name), after=after.get(name))
        for name in {**before, **after}
        if before.get(name) != after.get(name)
    ]


def difference(
    label: str,
    before: Any,
    after: Any,
    *,
    text: Callable[[Any], str] = plain,
    entry: Callable[[Any], Entry] = _entry,
    part_label: Callable[[str], str] = str,
) -> Difference:
    """Return the change of one field, whose values are JSON.

    `text` renders a value, `entry` an entry of a list, and `part_label` names a key of a mapping.
    """
    if isinstance(before or after, Mapping):
        return Difference(label, _by_key(before or {}, after or {}, part_label), is_list=True)
    if isinstance(before or after, list):
        old, new = ([entry(value) for value in values or []] for values in (before, after))
        rows, unchanged = _by_entry(old, new)
        return Difference(label, rows, unchanged, is_list=True)
    return Difference(label, [Row(pieces(text(before), text(after)))])


def pieces(before: str, after: str) -> list[Piece]:
    """Compare two texts as runs of kept, removed and added words. Long kept runs are left out."""
    if not before or not after or before == after:
        whole: list[tuple[Kind, str]] = (
            [("same", before)] if before == after else [("removed", before), ("added", after)]
        )
        return [Piece(kind, text) for kind, text in whole if text]
    old, new = _WORD.findall(before), _WORD.findall(after)
    if len(old) + len(new) > MOST_WORDS:
        return _by_sentence(_SENTENCE.findall(before), _SENTENCE.findall(after))
    matcher = SequenceMatcher(None, old, new)
    if matcher.ratio() < LEAST_IN_COMMON:
        between = [Piece("same", "\n")] if len(before) + len(after) > ONE_LINE else []
        return [Piece("removed", before), *between, Piece("added", after)]
    result: list[Piece] = []
    for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if tag == "equal":
            result += _shortened(old[old_from:old_to], is_first=old_from == 0, is_last=old_to == len(old))
        else:
            result += _replaced("".join(old[old_from:old_to]), "".join(new[new_from:new_to]))
    return result


def _by_sentence(old: list[str], new: list[str]) -> list[Piece]:
    if len(old) + len(new) > MOST_WORDS:
        return _replaced("".join(old), "".join(new))
    result: list[Piece] = []
    for tag, old_from, old_to, new_from, new_to in SequenceMatcher(None, old, new).get_opcodes():
        was, now = "".join(old[old_from:old_to]), "".join(new[new_from:new_to])
        if tag == "equal":
            result += _shortened(_WORD.findall(was), is_first=old_from == 0, is_last=old_to == len(old))
        elif len(_WORD.findall(was)) + len(_WORD.findall(now)) > MOST_WORDS:
            result += _replaced(was, now)
        else:
            result += pieces(was, now)
    return result


def _replaced(before: str, after: str) -> list[Piece]:
    # The space after the last word is kept, and not marked.
    length = len(before.rstrip())
    tail = before[length:] if after.endswith(before[length:]) else ""
    marked: list[tuple[Kind, str]] = [
        ("removed", before.removesuffix(tail)),
        ("added", after.removesuffix(tail)),
        ("same", tail),
    ]
    return [Piece(kind, text) for kind, text in marked if text]


def _shortened(tokens: Sequence[str], *, is_first: bool, is_last: bool) -> list[Piece]:
    head = [] if is_first else tokens[:CONTEXT]
    tail = [] if is_last else tokens[-CONTEXT:]
    if len(tokens) <= len(head) + len(tail) + CONTEXT:
        return [Piece("same", "".join(tokens))]
    parts = [Piece("same", "".join(head)), Piece("gap"), Piece("same", "".join(tail))]
    return [part for part in parts if part.kind == "gap" or part.text]


def _by_key(before: Mapping[str, Any], after: Mapping[str, Any], label: Callable[[str], str]) -> list[Row]:
    keys = [key for key in {**before, **after} if before.get(key) != after.get(key)]
    return [Row(pieces(plain(before.get(key)), plain(after.get(key))), label(key)) for key in keys]


def _by_entry(old: list[Entry], new: list[Entry]) -> tuple[list[Row], int]:
    """Return rows of the entries that differ, and how many are the same."""
    rows: list[Row] = []
    unchanged = 0
    for tag, old_from, old_to, new_from, new_to in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            unchanged += old_to - old_from
            continue
        for was, now in zip_longest(old[old_from:old_to], new[new_from:new_to]):
            rows += _entry_rows(was, now)
    return rows, unchanged


def _entry_rows(was: Entry | None, now: Entry | None) -> list[Row]:
    # An answer rewritten under the same question is one row. Everything else was added or removed as a whole.
    if was and now and was[0] and was[0] == now[0]:
        return [Row(pieces(was[1], now[1]), was[0])]
    result: list[Row] = []
    for kind, entry in (("removed", was), ("added", now)):
        if entry is not None:
            text = "\n".join(part for part in entry if part)
            result.append(Row([Piece("removed" if kind == "removed" else "added", text)]))
    return result
