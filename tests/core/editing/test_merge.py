"""The result of submitting an editor's form when others have changed the same fields since it was opened."""

import pytest

from apps.core.editing.marks import Entry, Seen, dump_marks, mark_of, read_marks
from apps.core.editing.merge import EditConflict, Fate, fate_of, merge


def seen(saved: str, shown: str) -> Seen:
    return Seen(mark_of(saved), mark_of(shown))


# The form was opened with (saved, shown); saved and kept unsaved now; typed; the result.
TABLE = [
    # Nobody else was there.
    (("old", "old"), "old", None, "old", Fate.SAME),
    (("old", "old"), "old", None, "mine", Fate.CHANGED),
    (("old", "old"), "old", None, "", Fate.CHANGED),
    (("", ""), "", None, "mine", Fate.CHANGED),
    # An unsaved text was shown: saving the form means it.
    (("old", "draft"), "old", "draft", "draft", Fate.CHANGED),
    (("old", "draft"), "old", "draft", "mine", Fate.CHANGED),
    (("old", "draft"), "old", "draft", "old", Fate.SAME),
    # Autosave has kept what was typed since.
    (("old", "old"), "old", "mine", "mine", Fate.CHANGED),
    # Somebody saved meanwhile.
    (("old", "old"), "theirs", None, "old", Fate.LEFT),
    (("old", "old"), "theirs", None, "mine", Fate.SAVED_MEANWHILE),
    (("old", "old"), "theirs", None, "theirs", Fate.SAME),
    (("old", "old"), "", None, "mine", Fate.SAVED_MEANWHILE),
    (("old", "old"), "", None, "old", Fate.LEFT),
    (("", ""), "theirs", None, "", Fate.LEFT),
    (("", ""), "theirs", None, "mine", Fate.SAVED_MEANWHILE),
    (("old", "draft"), "theirs", "draft", "draft", Fate.SAVED_MEANWHILE),
    (("old", "draft"), "theirs", "draft", "mine", Fate.SAVED_MEANWHILE),
    (("old", "draft"), "theirs", "draft", "old", Fate.SAVED_MEANWHILE),
    (("old", "draft"), "theirs", None, "draft", Fate.SAVED_MEANWHILE),
    # The same was saved in another window.
    (("old", "draft"), "draft", None, "draft", Fate.SAME),
    (("old", "draft"), "draft", None, "mine", Fate.SAVED_MEANWHILE),
    # Another window keeps something else that is not saved.
    (("old", "old"), "old", "window", "old", Fate.SAME),
    (("old", "old"), "old", "window", "mine", Fate.TYPED_MEANWHILE),
    (("old", "draft"), "old", "window", "draft", Fate.TYPED_MEANWHILE),
    (("old", "draft"), "old", "window", "mine", Fate.TYPED_MEANWHILE),
    (("old", "draft"), "old", "", "mine", Fate.TYPED_MEANWHILE),
    (("old", "old"), "theirs", "window", "old", Fate.LEFT),
    (("old", "old"), "theirs", "window", "mine", Fate.TYPED_MEANWHILE),
    (("old", "old"), "old", "mine", "mine", Fate.CHANGED),
    # The other window threw it away.
    (("old", "draft"), "old", None, "draft", Fate.CHANGED),
]  # fmt: skip


@pytest.mark.parametrize(("opened", "saved", "working", "typed", "fate"), TABLE)
def test_what_becomes_of_a_text(
    opened: tuple[str, str], saved: str, working: str | None, typed: str, fate: Fate
) -> None:
    assert fate_of(typed, seen=seen(*opened), saved=saved, unsaved=working) == fate


@pytest.mark.parametrize("saved", ["", "theirs"])
def test_a_form_without_marks_overwrites_nothing(saved: str) -> None:
    fate = fate_of("mine", seen=Seen(), saved=saved)
    assert fate == (Fate.SAVED_MEANWHILE if saved else Fate.CHANGED)


# Entries of a whole form: opened with, saved now, typed.
FORM: dict[str, tuple[Entry, Entry, Entry]] = {
    "left": ("a", "b", "a"),
    "changed": ("a", "a", "c"),
    "same": (["a"], ["a", "b"], ["a", "b"]),
    "both": ([["q", "a"]], [["q", "b"]], [["q", "c"]]),
}


def test_a_form_is_compared_field_by_field() -> None:
    opened = {name: Seen.of(before) for name, (before, _, _) in FORM.items()}
    saved = {name: now for name, (_, now, _) in FORM.items()}
    typed = {name: entry for name, (_, _, entry) in FORM.items()}
    found = merge({**typed, "new": "d"}, opened=opened, saved=saved, unsaved={})
    assert found.changed == {"changed": "c", "new": "d"}
    assert found.conflicts == {"both": EditConflict("both", "saved", [["q", "b"]])}
    assert found.conflicts["both"].text == "q — b"


def test_an_unsaved_text_is_settled_once_the_form_that_knows_it_is_saved() -> None:
    opened = {name: seen("old", "draft") for name in ("shown", "typed", "theirs")}
    typed = {"shown": "mine", "typed": "mine", "theirs": "mine"}
    unsaved = {"shown": "draft", "typed": "mine", "theirs": "window"}
    found = merge(typed, opened=opened, saved=dict.fromkeys(typed, "old"), unsaved=unsaved)
    assert (found.settled, list(found.conflicts)) == (["shown", "typed"], ["theirs"])


def test_the_marks_survive_the_form() -> None:
    opened = {"title": Seen.of("Words"), "tags": Seen.of(["a", "b"]), "faqs": seen("", "Typed")}
    assert read_marks(dump_marks(opened)) == opened


@pytest.mark.parametrize(
    "raw", ["", "{}", "[]", "null", '{"title": 1}', '{"title": ["a"]}', '{"title": [1, 2]}', "\x00", "[" * 100_000, 7]
)
def test_what_is_no_mark_counts_as_none(raw: object) -> None:
    assert read_marks(raw) == {}
