"""The search vector of a listing, written as PostgreSQL reads it."""

import hashlib
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from apps.listings.search import words
from apps.listings.search.words import MAX_JOINED, MIN_BEGINNING, Chunk, chunks, is_unspaced, pairs

# Before each word of the name once more, so that listings of that name are found among all that mention it.
IN_NAME = "="
IS_NAME = "=="
# Stands for the way in which texts become vectors: another one with each change of the code that does it.
CUTTING = int.from_bytes(
    hashlib.sha256(
        b"".join(Path(module).read_bytes() for module in (__file__, words.__file__))
        + unicodedata.unidata_version.encode()
    ).digest()[:8],
    signed=True,
)
# PostgreSQL counts no further.
_LAST_POSITION = 16383
# Phrases do not reach from one text into the next.
_GAP = 10
_LEARNABLE = range(MIN_BEGINNING, 33)


@dataclass(frozen=True, slots=True)
class Texts:
    """What is indexed of a listing, by weight."""

    name: str
    headline: str
    tags: list[str]
    summary: str
    categories: list[str]
    description: str


@dataclass(slots=True)
class Vector:
    """Positions by lexeme, and the words by which typing errors are corrected."""

    places: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    words: set[str] = field(default_factory=set)
    last: int = 0

    def add(self, text: str, weight: str, *, learn: bool = True, mark: str = "") -> None:
        for chunk in chunks(text):
            first = self.last + 1
            for number, piece in enumerate(chunk.pieces):
                self._add_piece(piece, weight, mark)
                # Humps take no place of their own, so that phrases are found as they are written.
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
        """The name, which is found without its spaces too: `noisemaps` for `Café Noise Maps`."""
        self.add(name, "A", mark=IN_NAME)
        found = list(chunks(name))
        whole = written_in_one(found)
        for lexeme in {whole, *(written_in_one(pair) for pair in pairwise(found))} - {""}:
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
    """The vector of a listing: name above headline and tags, above summary and categories, above description."""
    vector = Vector()
    vector.add_name(texts.name)
    vector.add(texts.headline, "B")
    for tag in texts.tags:
        vector.add(tag, "B")
    vector.add(texts.summary, "C")
    for name in texts.categories:
        vector.add(name, "C")
    # Descriptions are long and carry the typing errors of their writers: nobody is corrected by them.
    vector.add(texts.description, "D", learn=False)
    return vector


def written_in_one(found: Iterable[Chunk]) -> str:
    """A name without its spaces: `noisemaps` of `Noise Maps`."""
    return "".join(chunk.joined for chunk in found)[:200]


def quoted(lexeme: str) -> str:
    """A lexeme as tsvector and tsquery read it."""
    return "'" + lexeme.replace("\\", "\\\\").replace("'", "''") + "'"


def deletions(word: str) -> Iterator[str]:
    """The word, and the word without each of its letters: words one typing error apart have one in common."""
    yield word
    for index in range(len(word)):
        yield word[:index] + word[index + 1 :]


def _is_learnable(word: str) -> bool:
    return len(word) in _LEARNABLE and not is_unspaced(word) and any(char.isalpha() for char in word)
