"""The result of submitting an editor's form when others have changed the same fields since it was opened."""

import pytest

from apps.core.editing.marks import Entry, Seen, dump_marks, mark_of, read_marks
from apps.core.editing.merge import EditConflict, MergeOutcome, merge, outcome_of


def seen(saved: str, shown: str) -> Seen:
    return Seen(mark_of(saved), mark_of(shown))


# The form was opened with (saved, shown); saved and kept unsaved now; typed; the result.
TABLE = [
    # Nobody else was there.
    (("old", "old"), "old", None, "old", MergeOutcome.SAME),
    (("old", "old"), "old", None, "mine", MergeOutcome.CHANGED),
    (("old", "old"), "old", None, "", MergeOutcome.CHANGED),
    (("", ""), "", None, "mine", MergeOutcome.CHANGED),
    # An unsaved text was shown: saving the form means it.
    (("old", "draft"), "old", "draft", "draft", MergeOutcome.CHANGED),
    (("old", "draft"), "old", "draft", "mine", MergeOutcome.CHANGED),
    (("old", "draft"), "old", "draft", "old", MergeOutcome.SAME),
    # Autosave has kept what was typed since.
    (("old", "old"), "old", "mine", "mine", MergeOutcome.CHANGED),
    # Somebody saved meanwhile.
    (("old", "old"), "theirs", None, "old", MergeOutcome.LEFT),
    (("old", "old"), "theirs", None, "mine", MergeOutcome.SAVED_MEANWHILE),
    (("old", "old"), "theirs", None, "theirs", MergeOutcome.SAME),
    (("old", "old"), "", None, "mine", MergeOutcome.SAVED_MEANWHILE),
    (("old", "old"), "", None, "old", MergeOutcome.LEFT),
    (("", ""), "theirs", None, "", MergeOutcome.LEFT),
    (("", ""), "theirs", None, "mine", MergeOutcome.SAVED_MEANWHILE),
    (("old", "draft"), "theirs", "draft", "draft", MergeOutcome.SAVED_MEANWHILE),
    (("old", "draft"), "theirs", "draft", "mine", MergeOutcome.SAVED_MEANWHILE),
    (("old", "draft"), "theirs", "draft", "old", MergeOutcome.SAVED_MEANWHILE),
    (("old", "draft"), "theirs", None, "draft", MergeOutcome.SAVED_MEANWHILE),
    # The same was saved in another window.
    (("old", "draft"), "draft", None, "draft", MergeOutcome.SAME),
    (("old", "draft"), "draft", None, "mine", MergeOutcome.SAVED_MEANWHILE),
    # Another window keeps something else that is not saved.
    (("old", "old"), "old", "window", "old", MergeOutcome.SAME),
    (("old", "old"), "old", "window", "mine", MergeOutcome.TYPED_MEANWHILE),
    (("old", "draft"), "old", "window", "draft", MergeOutcome.TYPED_MEANWHILE),
    (("old", "draft"), "old", "window", "mine", MergeOutcome.TYPED_MEANWHILE),
    (("old", "draft"), "old", "", "mine", MergeOutcome.TYPED_MEANWHILE),
    (("old", "old"), "theirs", "window", "old", MergeOutcome.LEFT),
    (("old", "old"), "theirs", "window", "mine", MergeOutcome.TYPED_MEANWHILE),
    (("old", "old"), "old", "mine", "mine", MergeOutcome.CHANGED),
    # The other window threw it away.
    (("old", "draft"), "old", None, "draft", MergeOutcome.CHANGED),
]  # fmt: skip


@pytest.mark.parametrize(("opened", "saved", "working", "typed", "outcome"), TABLE)
def test_what_becomes_of_a_text(
    opened: tuple[str, str], saved: str, working: str | None, typed: str, outcome: MergeOutcome
) -> None:
    assert outcome_of(typed, seen=seen(*opened), saved=saved, unsaved=working) == outcome


@pytest.mark.parametrize("saved", ["", "theirs"])
def test_a_form_without_marks_overwrites_nothing(saved: str) -> None:
    outcome = outcome_of("mine", seen=Seen(), saved=saved)
    assert outcome == (MergeOutcome.SAVED_MEANWHILE if saved else MergeOutcome.CHANGED)


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
    result = merge({**typed, "new": "d"}, opened=opened, saved=saved, unsaved={})
    assert result.changed == {"changed": "c", "new": "d"}
    assert result.conflicts == {"both": EditConflict("both", "saved", [["q", "b"]])}
    assert result.conflicts["both"].text == "q — b"


def test_an_unsaved_text_is_settled_once_the_form_that_knows_it_is_saved() -> None:
    opened = {name: seen("old", "draft") for name in ("shown", "typed", "theirs")}
    typed = {"shown": "mine", "typed": "mine", "theirs": "mine"}
    unsaved = {"shown": "draft", "typed": "mine", "theirs": "window"}
    result = merge(typed, opened=opened, saved=dict.fromkeys(typed, "old"), unsaved=unsaved)
    assert (result.settled, list(result.conflicts)) == (["shown", "typed"], ["theirs"])


def test_the_marks_survive_the_form() -> None:
    opened = {"title": Seen.of("Words"), "tags": Seen.of(["a", "b"]), "faqs": seen("", "Typed")}
    assert read_marks(dump_marks(opened)) == opened


@pytest.mark.parametrize(
    "raw", ["", "{}", "[]", "null", '{"title": 1}', '{"title": ["a"]}', '{"title": [1, 2]}', "\x00", "[" * 100_000, 7]
)
def test_what_is_no_mark_counts_as_none(raw: object) -> None:
    assert read_marks(raw) == {}
