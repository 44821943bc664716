"""Clean, compare and shorten text from pages."""

import html
import re
import unicodedata

from apps.core.html.charset import LOST

MAX_TEXT = 20_000

# Control characters, and invisible or direction-changing ones that can disguise a text.
_INVISIBLE = re.compile(
    r""
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff]"
)
_SPACES = re.compile(r"\s+")
_LOST_APOSTROPHE = re.compile(r"(?<=[^\W\d_])\ufffd{1,3}(?=(?:s|t|re|ll|ve|d|m)\b)", re.IGNORECASE)
_LOST_DASH = re.compile(r"(?<=\s)\ufffd{1,3}(?=\s)")
_LOST_QUOTES = re.compile(r"(?<!\S)\ufffd{1,3}(\w[^\ufffd]{0,200})\ufffd{1,3}(?![^\s.,;:!?)])")
_TAGS = re.compile(r"</?[a-zA-Z][^<>]{0,500}>")
_NO_WORD = re.compile(r"[\W_]+")
# Chinese, Japanese and Korean characters, which stand for a syllable or a word.
_DENSE = re.compile(r"[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003134f]")
_DENSE_WEIGHT = 2.5
_OTHER_DIGIT = re.compile(r"[^\D0-9]")
# An unfilled template placeholder.
_PLACEHOLDER = re.compile(
    r"undefined|null|nan|\[object \w{1,20}\]|\{\{[^{}]{0,200}\}\}|\$\{[^{}]{0,200}\}|<%.{0,200}%>|%[\w.-]{1,60}%"
    r"|\[\[[^\[\]]{0,200}\]\]",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])[\"'”’)]*(?:\s+|(?<=[。！？]))(?=\S)")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|inc|ltd|corp|co|mr|mrs|ms|dr|st|no|approx|u\.s)|\b[A-Z])\.$", re.IGNORECASE
)


def clean(value: object) -> str:
    """Return plain text on one line: entities resolved, and no tags, invisible characters or extra spaces."""
    if not isinstance(value, str) or not value:
        return ""
    text = value[:MAX_TEXT]
    if "&" in text:
        text = html.unescape(html.unescape(text))
    if "<" in text:
        text = _TAGS.sub(" ", text)
    text = _SPACES.sub(" ", _INVISIBLE.sub("", text)).strip()
    return _repaired(text) if LOST in text else text


def _repaired(text: str) -> str:
    """Restore the apostrophes, dashes and quotes that a wrong encoding has lost, where only one sign can be meant."""
    text = _LOST_APOSTROPHE.sub("’", text)
    return _LOST_QUOTES.sub(r"“\1”", _LOST_DASH.sub("–", text))


def weight_of(value: str) -> float:
    """Return how much a text says, in Latin letters. A Chinese, Japanese or Korean character counts as 2.5."""
    if value.isascii():
        return len(value)
    return len(value) + (_DENSE_WEIGHT - 1) * sum(1 for _ in _DENSE.finditer(value))


def is_dense(value: str) -> bool:
    """Return whether a text has Chinese, Japanese or Korean characters, whose words have no spaces between them."""
    return not value.isascii() and _DENSE.search(value) is not None


def in_western_digits(value: str) -> str:
    """Replace Arabic, Indian and full-width digits with 0 to 9, character by character."""
    if value.isascii() or not _OTHER_DIGIT.search(value):
        return value
    return "".join(str(unicodedata.digit(char)) if char.isdigit() and not char.isascii() else char for char in value)


def is_placeholder(value: str) -> bool:
    """Return whether a text is a broken template's output, such as "undefined" or "{{ title }}"."""
    return bool(_PLACEHOLDER.fullmatch(value.strip()[:300]))


def fold(value: str) -> str:
    """Return letters and digits alone, to compare names: "Acme, Inc." and "acme-inc" become the same."""
    if value.isascii():
        return _NO_WORD.sub("", value.lower())
    plain = unicodedata.normalize("NFKD", value).casefold()
    return _NO_WORD.sub("", "".join(char for char in plain if not unicodedata.combining(char)))


def cut(value: str, limit: int) -> str:
    """Shorten a text to `limit` characters, at the end of a sentence, or else of a word with an ellipsis.

    Empty if the first word alone is longer than `limit`, since half a word says nothing.
    """
    if len(value) <= limit:
        return value
    result = ""
    for sentence in sentences(value[: limit + 1]):
        if len(result) + len(sentence) + 1 > limit:
            break
        result = f"{result} {sentence}".strip()
    if len(result) >= limit // 2 and result[-1] in ".!?。！？":
        return result
    words = value[:limit].rsplit(" ", 1)
    return f"{words[0].rstrip(' ,;:-–—|·')}…" if len(words) > 1 else ""


def words_of(text: str) -> frozenset[str]:
    """Return the words of a table as running text."""
    return frozenset(text.split())


def sentences(value: str) -> list[str]:
    """Split a text into sentences. A period after an abbreviation or an initial ends none."""
    result: list[str] = []
    for part in _SENTENCE_END.split(value):
        if result and _ABBREVIATION.search(result[-1]):
            result[-1] = f"{result[-1]} {part}"
        else:
            result.append(part)
    return [part.strip() for part in result if part.strip()]
