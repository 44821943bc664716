"""Plain text of founders: counted in words and links, and shown as paragraphs without any markup of theirs."""

import re
from collections.abc import Iterator
from math import ceil

WORDS_PER_MINUTE = 230
# Scripts that put no blanks between words: each of their characters counts as a word. The browser counts by the same
# pattern, so it keeps to what both kinds of regular expressions read alike.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
WORD_PATTERN = rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+"
_WORD = re.compile(WORD_PATTERN)
# Not within a word of Latin letters; other scripts may write an address right after their own letters. It ends before
# a blank, a bracket or a quote, and before the punctuation of scripts that write no blanks.
LINK_PATTERN = r"(?<![A-Za-z0-9_])https?://[^\s<>\"“”„«»、。，！？）」』】》]+"
_LINK = re.compile(LINK_PATTERN, re.IGNORECASE)


def count_words(text: str) -> int:
    """How many words a text has; what has neither letter nor digit is none."""
    return sum(word.isalnum() or any(map(str.isalnum, word)) for word in _WORD.findall(text))


def count_links(text: str) -> int:
    """How many web addresses, by http or https, a text has."""
    return sum(1 for _ in find_links(text))


def find_links(text: str) -> Iterator[re.Match[str]]:
    """The web addresses in a text, in order; to each still belongs the punctuation that follows without a blank."""
    return _LINK.finditer(text)


def reading_minutes(words: int) -> int:
    """How long it takes to read so many words, in whole minutes; one at least."""
    return max(1, ceil(words / WORDS_PER_MINUTE))


def paragraphs(text: str) -> list[str]:
    """A text's paragraphs: what blank lines part."""
    return [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]
