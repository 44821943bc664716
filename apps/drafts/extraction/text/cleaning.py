"""Words on a page: cleaning, comparing and shortening them."""

import html
import re
import unicodedata

MAX_TEXT = 20_000

# Control characters, and the invisible or direction-changing ones that can make text read other than it is.
_INVISIBLE = re.compile(
    r""
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff]"
)
_SPACES = re.compile(r"\s+")
_TAGS = re.compile(r"</?[a-zA-Z][^<>]{0,500}>")
_NO_WORD = re.compile(r"[\W_]+")
# Signs that stand for a syllable or a word: of Chinese, Japanese and Korean.
_DENSE = re.compile(r"[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003134f]")
_DENSE_WEIGHT = 2.5
_OTHER_DIGIT = re.compile(r"[^\D0-9]")
# What a template leaves behind when nobody filled it in.
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
    """One line of plain text: entities resolved, tags and invisible characters gone, spaces single."""
    if not isinstance(value, str) or not value:
        return ""
    text = value[:MAX_TEXT]
    if "&" in text:
        text = html.unescape(html.unescape(text))
    if "<" in text:
        text = _TAGS.sub(" ", text)
    return _SPACES.sub(" ", _INVISIBLE.sub("", text)).strip()


def weight_of(value: str) -> float:
    """How much a text says, as a number of Latin letters: a sign of Chinese, Japanese or Korean as much as 2.5."""
    if value.isascii():
        return len(value)
    return len(value) + (_DENSE_WEIGHT - 1) * sum(1 for _ in _DENSE.finditer(value))


def in_western_digits(value: str) -> str:
    """The same text, sign by sign, with the digits 0 to 9 in place of Arabic, Indian and wide ones."""
    if value.isascii() or not _OTHER_DIGIT.search(value):
        return value
    return "".join(str(unicodedata.digit(char)) if char.isdigit() and not char.isascii() else char for char in value)


def is_placeholder(value: str) -> bool:
    """Whether a text is what a broken template writes in place of a value, such as "undefined" or "{{ title }}"."""
    return bool(_PLACEHOLDER.fullmatch(value.strip()[:300]))


def fold(value: str) -> str:
    """The letters and digits alone, for comparing names: "Acme, Inc." and "acme-inc" fold to the same."""
    if value.isascii():
        return _NO_WORD.sub("", value.lower())
    plain = unicodedata.normalize("NFKD", value).casefold()
    return _NO_WORD.sub("", "".join(char for char in plain if not unicodedata.combining(char)))


def cut(value: str, limit: int) -> str:
    """The longest beginning within `limit` characters that ends a sentence, or else a word, with an ellipsis.

    Text whose first word alone is longer than `limit` becomes empty, since half a word says nothing.
    """
    if len(value) <= limit:
        return value
    kept = ""
    for sentence in sentences(value[: limit + 1]):
        if len(kept) + len(sentence) + 1 > limit:
            break
        kept = f"{kept} {sentence}".strip()
    if len(kept) >= limit // 2 and kept[-1] in ".!?。！？":
        return kept
    words = value[:limit].rsplit(" ", 1)
    return f"{words[0].rstrip(' ,;:-–—|·')}…" if len(words) > 1 else ""


def words_of(text: str) -> frozenset[str]:
    """The words of a table written as running text."""
    return frozenset(text.split())


def sentences(value: str) -> list[str]:
    """The sentences of a text; a full stop after an abbreviation or an initial ends none."""
    found: list[str] = []
    for part in _SENTENCE_END.split(value):
        if found and _ABBREVIATION.search(found[-1]):
            found[-1] = f"{found[-1]} {part}"
        else:
            found.append(part)
    return [part.strip() for part in found if part.strip()]
