"""The query language of the page, the REST API and MCP: words, "phrases", and -words to exclude."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from apps.listings.search.vectors import IN_NAME, IS_NAME, quoted, written_in_one
from apps.listings.search.words import MAX_JOINED, MIN_BEGINNING, Chunk, chunks, is_unspaced, pairs

MAX_LENGTH = 200
MAX_TERMS = 12
HELP = "Every word must match. Use quotes for an exact phrase and - to exclude a word. Up to 12 words."

_QUOTES = dict.fromkeys(map(ord, "“”„‟«»＂〝〞"), '"')
_TERM = re.compile(r'(-?)(?:"([^"]*)"?|([^\s"]+))')


@dataclass(frozen=True, slots=True)
class Term:
    """A word with its compound forms, or a phrase. With `is_excluded`, it must not occur."""

    chunks: tuple[Chunk, ...]
    is_phrase: bool
    is_excluded: bool
    text: str

    @property
    def is_open(self) -> bool:
        """Whether the last letters may be missing."""
        return not (self.is_phrase or self.is_excluded)

    def replaced_by(self, words: Sequence[str]) -> "Term":
        """The same term with other words."""
        text = " ".join(words)
        return replace(self, chunks=tuple(chunks(text)), text=f'"{text}"' if self.is_phrase else text)

    def condition(self, mark: str = "", *, whole: bool = False) -> str:
        """Return the term as a tsquery. `mark` searches the words of names, `whole` requires complete words."""
        is_open = self.is_open and not whole
        steps = _steps(self.chunks, mark, is_open=is_open)
        condition = " <-> ".join(steps) if len(steps) == 1 else f"({' <-> '.join(steps)})"
        if len(self.chunks) == 1 and 1 < len(self.chunks[0].pieces) <= MAX_JOINED:
            condition = f"({condition} | {_lexeme(mark + self.chunks[0].joined, is_open=is_open)})"
        return f"!{condition}" if self.is_excluded else condition


@dataclass(frozen=True, slots=True)
class Query:
    """A text that was searched for, as terms. With `is_unsearchable`, it has only symbols, so nothing matches."""

    terms: tuple[Term, ...]
    is_unsearchable: bool = False

    @property
    def wanted(self) -> list[Term]:
        return [term for term in self.terms if not term.is_excluded]

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __str__(self) -> str:
        return " ".join(term.text for term in self.terms)

    @property
    def condition(self) -> str:
        """Return a tsquery that a listing must match."""
        return self._all()

    @property
    def in_name(self) -> str:
        """Return the same, with every wanted word in the name."""
        return self._all(IN_NAME)

    @property
    def is_name(self) -> str:
        """Return the same, for a listing of exactly this name. Empty when no word is wanted."""
        whole = self._in_one()
        return self._but_not([quoted(IS_NAME + whole)]) if whole else ""

    @property
    def rank(self) -> str:
        """Return the tsquery for ranking: complete words count twice, once as a word and once as a prefix."""
        ways = [term.condition(whole=whole) for term in self.wanted for whole in (True, False)]
        return " | ".join(dict.fromkeys(ways))

    def _all(self, mark: str = "") -> str:
        wanted = " & ".join(term.condition(mark) for term in self.wanted)
        if self._is_name_apart():
            wanted = f"({wanted} | {_lexeme(mark + self._in_one(), is_open=True)})"
        return self._but_not([wanted] if wanted else [])

    def _but_not(self, wanted: list[str]) -> str:
        return " & ".join([*wanted, *(term.condition() for term in self.terms if term.is_excluded)])

    def _is_name_apart(self) -> bool:
        """Return whether people may have split one word with a space, as in `note pad`."""
        wanted = self.wanted
        return 2 <= len(wanted) <= 3 and not any(term.is_phrase for term in wanted) and len(self._in_one()) >= 5

    def _in_one(self) -> str:
        return written_in_one(chunk for term in self.wanted for chunk in term.chunks)


def name_beginning(text: str) -> str:
    """Return a tsquery for names with a word that begins like this text. Empty unless the text is a single word."""
    parts = list(chunks(text))
    return quoted(IN_NAME + parts[0].joined) + ":*" if len(parts) == 1 else ""


def parse(text: str) -> Query:
    """Parse a query. Any text is valid. Parts without letters or digits are dropped if there are others."""
    terms: list[Term] = []
    are_symbols_wanted = False
    for minus, phrase, word in _TERM.findall(text.translate(_QUOTES)[:MAX_LENGTH]):
        result = tuple(chunks(word or phrase))
        are_symbols_wanted |= not (result or minus)
        if phrase and result:
            terms.append(Term(result, is_phrase=True, is_excluded=bool(minus), text=f'{minus}"{phrase.strip()}"'))
        else:
            terms += _words(result, minus=minus, word=word)
    query = Query(tuple(terms[:MAX_TERMS]))
    is_unsearchable = not query.wanted and (are_symbols_wanted or bool(text.strip() and not terms))
    return replace(query, is_unsearchable=is_unsearchable)


def _words(parts: tuple[Chunk, ...], *, minus: str, word: str) -> list[Term]:
    if len(parts) == 1:
        return [Term(parts, is_phrase=False, is_excluded=bool(minus), text=minus + word)]
    return [
        Term((chunk,), is_phrase=False, is_excluded=bool(minus), text=minus + " ".join(chunk.pieces)) for chunk in parts
    ]


def _steps(parts: Iterable[Chunk], mark: str, *, is_open: bool) -> list[str]:
    """Return the lexemes in sequence. The end of the last one may be missing."""
    lexemes = [
        lexeme for chunk in parts for number in range(len(chunk.pieces)) for lexeme in _lexemes_of(chunk, number)
    ]
    if len(lexemes) > 1 and is_unspaced(lexemes[-1]) and len(lexemes[-1]) == 1 and len(lexemes[-2]) == 2:
        # The last character stands alone only at the end of a text.
        del lexemes[-1]
    *others, last = lexemes
    return [*(quoted(mark + lexeme) for lexeme in others), _lexeme(mark + last, is_open=is_open, bare=last)]


def _lexemes_of(chunk: Chunk, number: int) -> list[str]:
    piece = chunk.pieces[number]
    if is_unspaced(piece):
        return pairs(piece)
    is_last = number == len(chunk.pieces) - 1
    if is_last and chunk.sign:
        return [piece + chunk.sign]
    return [f".{piece}" if number == 0 and number in chunk.dotted else piece]


def _lexeme(lexeme: str, *, is_open: bool, bare: str = "") -> str:
    bare = bare or lexeme.lstrip(IN_NAME)
    may_go_on = is_open and (len(bare) >= MIN_BEGINNING or is_unspaced(bare)) and bare[-1] not in "+#"
    return quoted(lexeme) + (":*" if may_go_on else "")
