"""Clean what people write to each other, so that it reads in one order and hides no words from filters."""

import re
import unicodedata

from apps.core.api.serializers import clean_text

# Blank characters that Unicode counts as letters, marks or symbols, and variation selectors except the one of emoji.
_BLANKS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0e\uffa0\U000e0100-\U000e01ef]"
)
# Joiners shape emoji and letters of scripts such as Persian and Hindi. Elsewhere they only hide words from filters.
_JOINERS = re.compile("[\u200c\u200d]+")
_JOINED = ("So", "Sk", "Mn", "Mc", "Lo")
# No language needs more marks on one letter than this.
_MARK = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_MARKS = re.compile(f"({_MARK}{{3}}){_MARK}+")
_GAPS = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+\n")


def clean_writing(text: str) -> str:
    """Normalize a text: no control, bidi or invisible characters, no towers of marks, no runs of empty lines."""
    text = _BLANKS.sub("", clean_text(text, multiline=True))
    text = _JOINERS.sub(_joiner, text)
    text = _MARKS.sub(r"\1", text)
    return clean_text(_GAPS.sub("\n\n", text), multiline=True)


def _joiner(found: re.Match[str]) -> str:
    """Return one joiner between characters that can be joined, or nothing."""
    before, after = found.string[: found.start()][-1:], found.string[found.end() :][:1]
    is_needed = before and after and all(unicodedata.category(char) in _JOINED for char in (before, after))
    return found[0][0] if is_needed else ""
