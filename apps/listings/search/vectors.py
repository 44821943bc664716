"""Build the search vector of a listing in PostgreSQL's format."""

import hashlib
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from apps.listings.search import words
from apps.listings.search.words import MAX_JOINED, MIN_BEGINNING, Chunk, chunks, is_unspaced, pairs

# Put before each word of the name once more, to find listings of that name among all that mention it.
IN_NAME = "="
IS_NAME = "=="
# The version of the vectors. Change it with every change of the code that builds them.
CUTTING = int.from_bytes(
    hashlib.sha256(
        b"".join(Path(module).read_bytes() for module in (__file__, words.__file__))
        + unicodedata.unidata_version.encode()
    ).digest()[:8],
    signed=True,
)
# PostgreSQL counts no further.
_LAST_POSITION = 16383
# The distance between texts, so that phrases don't span two of them.
_GAP = 10
_LEARNABLE = range(MIN_BEGINNING, 33)


@dataclass(frozen=True, slots=True)
class Texts:
    """The indexed texts of a listing, by weight."""

    name: str
    headline: str
    tags: list[str]
    summary: str
    categories: list[str]
    description: str


@dataclass(slots=True)
class Vector:
    """Positions by lexeme, and the words for correcting typos."""

    places: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    words: set[str] = field(default_factory=set)
    last: int = 0

    def add(self, text: str, weight: str, *, learn: bool = True, mark: str = "") -> None:
        for chunk in chunks(text):
            first = self.last + 1
            for number, piece in enumerate(chunk.pieces):
                self._add_piece(piece, weight, mark)
                # Camel-case parts take no position of their own, so that phrases match as written.
                for lexeme in dict.fromkeys(chunk.humps[number]):
                    if lexeme != piece and not is_unspaced(lexeme):
                        self._put(lexeme, self.last, weight, mark)
                if number in chunk.dotted:
                    self._put(f".{piece}", self.last, weight, mark)
            self._add_forms(chunk, first, weight, mark)
            if learn:
                self.words |= {word for word in (*chunk.pieces, chunk.joined) if _is_learnable(word)}
        self.last += _GAP

    def add_name(self, name: str) -> None:
        """Add the name, which is also found without its spaces: `noisemaps` for `Café Noise Maps`."""
        self.add(name, "A", mark=IN_NAME)
        result = list(chunks(name))
        whole = written_in_one(result)
        for lexeme in {whole, *(written_in_one(pair) for pair in pairwise(result))} - {""}:
            self._put(lexeme, 1, "A", IN_NAME)
            if _is_learnable(lexeme):
                self.words.add(lexeme)
        if whole:
            self._put(IS_NAME + whole, 1, "A", "")

    def _add_piece(self, piece: str, weight: str, mark: str) -> None:
        for lexeme in pairs(piece) if is_unspaced(piece) else [piece]:
            self.last += 1
            self._put(lexeme, self.last, weight, mark)

    def _add_forms(self, chunk: Chunk, first: int, weight: str, mark: str) -> None:
        if chunk.sign:
            self._put(chunk.pieces[-1] + chunk.sign, self.last, weight, mark)
        if 1 < len(chunk.pieces) <= MAX_JOINED:
            for position in {first, self.last}:
                self._put(chunk.joined, position, weight, mark)

    def _put(self, lexeme: str, position: int, weight: str, mark: str) -> None:
        place = f"{min(position, _LAST_POSITION)}{weight}"
        self.places[lexeme].append(place)
        if mark:
            self.places[mark + lexeme].append(place)

    def __str__(self) -> str:
        return " ".join(f"{quoted(lexeme)}:{','.join(places)}" for lexeme, places in self.places.items())


def vector_of(texts: Texts) -> Vector:
    """Return the vector of a listing: name above headline and tags, above summary and categories, above description."""
    vector = Vector()
    vector.add_name(texts.name)
    vector.add(texts.headline, "B")
    for tag in texts.tags:
        vector.add(tag, "B")
    vector.add(texts.summary, "C")
    for name in texts.categories:
        vector.add(name, "C")
    # Descriptions are long and contain typos, so they don't serve to correct any.
    vector.add(texts.description, "D", learn=False)
    return vector


def written_in_one(chunks: Iterable[Chunk]) -> str:
    """Return a name without its spaces: `noisemaps` for `Noise Maps`."""
    return "".join(chunk.joined for chunk in chunks)[:200]


def quoted(lexeme: str) -> str:
    """Quote a lexeme for tsvector and tsquery."""
    return "'" + lexeme.replace("\\", "\\\\").replace("'", "''") + "'"


def deletions(word: str) -> Iterator[str]:
    """Return the word, and the word without each of its letters: words one typo apart have one in common."""
    yield word
    for index in range(len(word)):
        yield word[:index] + word[index + 1 :]


def _is_learnable(word: str) -> bool:
    return len(word) in _LEARNABLE and not is_unspaced(word) and any(char.isalpha() for char in word)
