"""Plain text from founders: count its words and links, and split it into paragraphs."""

import re
from collections.abc import Iterator
from math import ceil

WORDS_PER_MINUTE = 230
# Scripts without spaces between words, where each character counts as a word. The browser uses the same pattern, so it
# uses only syntax that Python and JavaScript read alike.
UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
WORD_PATTERN = rf"[{UNSPACED}]|[^\s{UNSPACED}]+"
_WORD = re.compile(WORD_PATTERN)
# Not within a word of Latin letters, although other scripts may write a URL right after their letters. It ends before a
# space, a bracket, a quote, or punctuation of scripts without spaces.
LINK_PATTERN = r"(?<![A-Za-z0-9_])https?://[^\s<>\"“”„«»、。，！？）」』】》]+"
_LINK = re.compile(LINK_PATTERN, re.IGNORECASE)


def count_words(text: str) -> int:
    """Count the words of a text. Something without letters or digits is not a word."""
    return sum(word.isalnum() or any(map(str.isalnum, word)) for word in _WORD.findall(text))


def count_links(text: str) -> int:
    """Count the http and https URLs in a text."""
    return sum(1 for _ in find_links(text))


def find_links(text: str) -> Iterator[re.Match[str]]:
    """Return the URLs in a text in order, including any punctuation that follows without a space."""
    return _LINK.finditer(text)


def reading_minutes(words: int) -> int:
    """Return the reading time of this many words in whole minutes, at least one."""
    return max(1, ceil(words / WORDS_PER_MINUTE))


def paragraphs(text: str) -> list[str]:
    """Return a text's paragraphs, which are separated by blank lines."""
    return [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]
