"""Check that a text written by a model says only what its cited blocks say."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import cache
from itertools import pairwise

from publicsuffixlist import PublicSuffixList

from apps.drafts.extraction.document.document import clean_text
from apps.drafts.extraction.text.cleaning import words_of

_CLAUSE_END = re.compile(r"[.,;:!?…]+[\"'”’»)\]]*(?:\s|$)|\s[-–]\s|[()\[\]—|•。、，！？；：]")
_EDGES = ".,;:!?…\"'“”‘’„«»()[]{}"
_DOTTED = re.compile(r"[\w-]+(?:[.\u3002\uff0e\uff61][\w-]+)+")
_ADDRESS = re.compile(r"://|\bwww\.|@|\bmailto:", re.IGNORECASE)
# Without accents, as words are compared. The "t" is the rest of "don't".
_NEGATIONS = words_of("""
    no not never none nobody nothing nor neither without cannot t
    nicht kein keine keinen keiner keinem nie niemals niemand ohne weder
    pas sans ni jamais aucun aucune non nunca sin ningun ninguna nada tampoco
    nao sem nenhum nenhuma nem senza mai nessun nessuno nessuna
    niet geen nooit zonder inte ingen inga aldrig utan ikke aldri uten uden ei eika ilman
    nie bez nigdy ne nikdy не нет без никогда ни degil yok olmadan
""")


class Objection(StrEnum):
    """Why cited texts don't support a text."""

    NOT_PLAIN = "not plain text"
    ADDRESS = "an address"
    SYMBOL = "a symbol that is not cited"
    NUMBER = "a number that is not cited"
    WORD = "a word that is not cited"
    NEGATION = "a word on the other side of a negation"


def objections(text: str, cited: Iterable[str]) -> Objection | None:
    """Return why the cited texts don't support `text`, or None if they do.

    Every word must be in them, ignoring case and accents, and on the same side of a negation. Every number must be
    written the same, next to the same word, and every symbol must occur. URLs, markup and invisible characters are
    always refused. In scripts without spaces, a clause counts as one word.
    """
    if not text or clean_text(text) != text or any(char in "<>" or _is_unprintable(char) for char in text):
        return Objection.NOT_PLAIN
    if has_address(text):
        return Objection.ADDRESS
    sources = list(cited)
    said, told = _Said([text]), _Said(sources)
    if any(unicodedata.category(char)[0] == "S" and not any(char in one for one in sources) for char in text):
        return Objection.SYMBOL
    if not said.numbers <= told.runs or any(not said.holds_beside(number, told) for number in said.numbers):
        return Objection.NUMBER
    if not {word for word, _ in said.words} <= {word for word, _ in told.words}:
        return Objection.WORD
    if not said.words <= told.words:
        return Objection.NEGATION
    return None


def has_address(text: str) -> bool:
    """Return whether a text has something that leads elsewhere: a link, email address, domain or numeric address."""
    plain = unicodedata.normalize("NFKC", text)
    return bool(_ADDRESS.search(plain)) or any(_is_host(match[0]) for match in _DOTTED.finditer(plain))


def _is_host(dotted: str) -> bool:
    labels = re.split(r"[.\u3002\uff0e\uff61]", dotted.lower())
    if all(label.isdecimal() for label in labels):
        return len(labels) == 4
    # Known endings only, because a file name such as index.js is not a domain.
    return _endings().publicsuffix(".".join(labels)) is not None


@cache
def _endings() -> PublicSuffixList:
    return PublicSuffixList(accept_unknown=False)


class _Said:
    """The content of texts, in forms that can be compared."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.words: set[tuple[str, bool]] = set()
        self.runs: set[str] = set()
        self.numbers: set[str] = set()
        self.neighbours: set[tuple[str, str]] = set()
        for text in texts:
            for clause in _clauses(text):
                self._add(clause)

    def _add(self, clause: str) -> None:
        is_negated = False
        for word in _words(clause):
            self.words.add((word, is_negated))
            is_negated = is_negated or word in _NEGATIONS
        runs = [run for part in clause.split() if (run := part.strip(_EDGES))]
        self.runs.update(runs)
        self.numbers.update(run for run in runs if any(char.isnumeric() for char in run))
        self.neighbours.update(pairwise(runs))

    def holds_beside(self, number: str, other: "_Said") -> bool:
        """Return whether the word after the number here (or else before it) is the same in `other`.

        A lone symbol always is.
        """
        behind = {pair for pair in self.neighbours if pair[0] == number}
        before = {pair for pair in self.neighbours if pair[1] == number}
        symbols = {pair for pair in before if not any(map(_is_of_word, pair[0]))}
        return (behind or before) | symbols <= other.neighbours


def _clauses(text: str) -> Iterator[str]:
    # Split the original text, because normalizing turns wide punctuation into that inside a number.
    return (unicodedata.normalize("NFKC", part).casefold() for part in _CLAUSE_END.split(text) if part.strip())


def _words(clause: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", clause)
    # Vowel signs are part of a word in Indic scripts. Accents are dropped.
    chars = ("" if unicodedata.combining(char) else char if _is_of_word(char) else " " for char in plain)
    return "".join(chars).split()


def _is_of_word(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char)[0] == "M"


def _is_unprintable(char: str) -> bool:
    # Joiners are spelling in Persian and Indic scripts.
    return unicodedata.category(char)[0] == "C" and char not in "\u200c\u200d"
