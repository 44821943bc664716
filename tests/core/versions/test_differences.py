"""What an edit changed in a text, as runs of words that stayed, went and came."""

import pytest

from apps.core.versions.differences import MOST_WORDS, Piece, pieces


def told(found: list[Piece], kind: str) -> str:
    """The text as it was (`removed`) or is (`added`); a gap is three dots."""
    return "".join(
        "..." if piece.kind == "gap" else piece.text for piece in found if piece.kind in {"same", "gap", kind}
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "all new"),
        ("all gone", ""),
        ("the quick brown fox", "the quick red fox"),
        ("two\n\nparagraphs", "two\n\nother paragraphs"),
        ("\u5feb\u901f\u7684\u68d5\u8272\u72d0\u72f8", "\u5feb\u901f\u7684\u7ea2\u8272\u72d0\u72f8"),
    ],
)
def test_the_pieces_tell_both_texts(before: str, after: str) -> None:
    result = pieces(before, after)
    assert (told(result, "removed"), told(result, "added")) == (before, after)


def test_a_change_in_a_text_of_many_sentences_is_marked_by_the_word() -> None:
    sentences = [f"Sentence number {number} has seven words. " for number in range(MOST_WORDS // 6)]
    before = "".join(sentences)
    after = before.replace("number 300 has seven", "number 300 has exactly seven")
    result = pieces(before, after)
    assert [piece.text for piece in result if piece.kind in {"added", "removed"}] == ["exactly "]
    assert result[0].kind == "gap"
    assert result[-1].kind == "gap"


def test_a_change_in_a_long_text_without_blanks_is_marked_within_its_sentence() -> None:
    line = "".join(chr(0x4E00 + number * 7 % 900) for number in range(40))
    before = "".join(f"{line[number % 30 :]}{number}\u3002" for number in range(MOST_WORDS // 40))
    after = before.replace("50\u3002", "51\u3002", 1)
    assert [(piece.kind, piece.text) for piece in pieces(before, after) if piece.kind in {"added", "removed"}] == [
        ("removed", "50\u3002"),
        ("added", "51\u3002"),
    ]


@pytest.mark.parametrize("mark", ["", "\u3002"])
def test_a_text_too_long_to_compare_is_told_as_a_whole(mark: str) -> None:
    before = "".join(f"{chr(0x4E00 + number * 7 % 900)}{mark}" for number in range(MOST_WORDS))
    after = before.replace(chr(0x4E00 + 7), chr(0x4E00 + 8))
    assert [(piece.kind, piece.text) for piece in pieces(before, after)] == [("removed", before), ("added", after)]
