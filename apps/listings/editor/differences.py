"""What an edit changed, for people to read: words that went and came, entries of lists, questions, profiles."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any, Literal, TypeAlias

from apps.core.templatetags.ui import money, words
from apps.listings.fields.labels import label_of

Kind: TypeAlias = Literal["same", "added", "removed", "gap"]
# How many words stay around a change in a long text.
CONTEXT = 12
# With less in common the two texts are easier to read one after the other.
LEAST_IN_COMMON = 0.35
ONE_LINE = 90
# Comparing takes time by the square of the words: more than these, in both texts, are compared by the sentence.
MOST_WORDS = 4000
# Words with the blanks behind them; scripts without blanks are compared by the character.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\s\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+\s*|\s+")
_SENTENCE = re.compile(r"[^\n.!?\u3002\uff01\uff1f]*[\n.!?\u3002\uff01\uff1f]+\s*|[^\n.!?\u3002\uff01\uff1f]+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text that stayed, came or went; a gap stands for text that is left out."""

    kind: Kind
    text: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One text, or one entry of a list, with what happened to it."""

    pieces: list[Piece]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """A changed field: `rows` in reading order, and how many entries of a list stayed as they were."""

    label: str
    rows: list[Row] = field(default_factory=list)
    unchanged: int = 0
    is_list: bool = False


def difference(name: str, before: Any, after: Any, *, titles: Mapping[str, str] | None = None) -> Difference:
    """The change of one field of a listing or company, as its version keeps it.

    `titles` are names by entry of a list, such as those of categories by slug.
    """
    label = label_of(name)
    if name == "milestones":
        return Difference(label, [Row(pieces(_milestone(before), _milestone(after)))])
    if isinstance(before or after, Mapping):
        return Difference(label, _by_key(name, before or {}, after or {}), is_list=True)
    if isinstance(before or after, list):
        old, new = (_entries(value or [], titles or {}) for value in (before, after))
        rows, unchanged = _by_entry(old, new)
        return Difference(label, rows, unchanged, is_list=True)
    return Difference(label, [Row(pieces(_text(name, before), _text(name, after)))])


def pieces(before: str, after: str) -> list[Piece]:
    """Two texts as one run of words: what stayed, what went, what came; long stretches that stayed are left out."""
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
    found: list[Piece] = []
    for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if tag == "equal":
            found += _shortened(old[old_from:old_to], is_first=old_from == 0, is_last=old_to == len(old))
        else:
            found += _replaced("".join(old[old_from:old_to]), "".join(new[new_from:new_to]))
    return found


def _by_sentence(old: list[str], new: list[str]) -> list[Piece]:
    if len(old) + len(new) > MOST_WORDS:
        return _replaced("".join(old), "".join(new))
    found: list[Piece] = []
    for tag, old_from, old_to, new_from, new_to in SequenceMatcher(None, old, new).get_opcodes():
        was, now = "".join(old[old_from:old_to]), "".join(new[new_from:new_to])
        if tag == "equal":
            found += _shortened(_WORD.findall(was), is_first=old_from == 0, is_last=old_to == len(old))
        elif len(_WORD.findall(was)) + len(_WORD.findall(now)) > MOST_WORDS:
            found += _replaced(was, now)
        else:
            found += pieces(was, now)
    return found


def _replaced(before: str, after: str) -> list[Piece]:
    # The blank behind the last word stays, and is not marked.
    kept = len(before.rstrip())
    tail = before[kept:] if after.endswith(before[kept:]) else ""
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


def _by_key(name: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Row]:
    keys = [key for key in {**before, **after} if before.get(key) != after.get(key)]
    return [Row(pieces(_plain(before.get(key)), _plain(after.get(key))), label_of(f"{name}.{key}")) for key in keys]


def _by_entry(old: list[tuple[str, str]], new: list[tuple[str, str]]) -> tuple[list[Row], int]:
    """Rows of the entries that differ, and how many are the same; an entry is its label and its text."""
    rows: list[Row] = []
    unchanged = 0
    for tag, old_from, old_to, new_from, new_to in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            unchanged += old_to - old_from
            continue
        for was, now in zip_longest(old[old_from:old_to], new[new_from:new_to]):
            rows += _entry_rows(was, now)
    return rows, unchanged


def _entry_rows(was: tuple[str, str] | None, now: tuple[str, str] | None) -> list[Row]:
    # An answer that was rewritten under its question is one row; everything else went or came as a whole.
    if was and now and was[0] and was[0] == now[0]:
        return [Row(pieces(was[1], now[1]), was[0])]
    found: list[Row] = []
    for kind, entry in (("removed", was), ("added", now)):
        if entry is not None:
            text = "\n".join(part for part in entry if part)
            found.append(Row([Piece("removed" if kind == "removed" else "added", text)]))
    return found


def _entries(values: Sequence[Any], titles: Mapping[str, str]) -> list[tuple[str, str]]:
    return [
        (str(value.get("question", "")), str(value.get("answer", "")))
        if isinstance(value, Mapping) and "question" in value
        else ("", titles.get(str(value)) or _plain(value))
        for value in values
    ]


def _milestone(value: Any) -> str:
    if not isinstance(value, Mapping):
        return _plain(value)
    parts = [f"{value.get('date', '')}: {value.get('title', '')}", value.get("description"), value.get("url")]
    return "\n".join(str(part) for part in parts if part)


def _text(name: str, value: Any) -> str:
    if value in (None, ""):
        return ""
    if name.endswith("_cents") and isinstance(value, int):
        return money(value)
    if name in {"pricing_model", "status", "plan"}:
        return words(str(value))
    return _plain(value)


def _plain(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case str() | int() | float():
            return str(value)
    return json.dumps(value, ensure_ascii=False, indent=2)
