"""Choose a site's categories for a website, by the words on its pages and their places."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

import yaml

from apps.drafts.extraction.text.cleaning import fold, is_dense
from apps.listings.models import Category

MAX_CATEGORIES = 3
MIN_SCORE = 2.8
# Two words or two places have to agree. One of the words has to be a clear one, or three hints agree in introductions.
MIN_SIGNALS = 2
MIN_HINTS = 3
# A further category has to be about as strong as the first, and named where the website introduces itself.
MIN_SHARE_OF_BEST = 0.5
_HINT = 0.4
_OF_ADJECTIVES = 0.6
_MAX_TEXT = 20_000
_MAX_TERM_WORDS = 5
_SNIPPET_SIDE = 80
_WORD = re.compile(r"\w+")


class Place(Enum):
    """The place of a text: `weight` is what a clear word there is worth, `most` how many words count there."""

    TITLE = 3.0, 1.5
    HEADING = 3.0, 1.5
    DECLARED = 3.0, 1.0
    DESCRIPTION = 2.5, 1.6
    LEAD = 1.5, 1.5
    SUBHEADING = 0.8, 2.0
    BODY = 0.3, 3.0

    def __init__(self, weight: float, most: float) -> None:
        self.weight = weight
        self.most = most


_INTRODUCTIONS = frozenset({Place.TITLE, Place.HEADING, Place.DECLARED, Place.DESCRIPTION})


@dataclass(frozen=True, slots=True)
class Passage:
    """A page's text and its place."""

    text: str
    page_url: str
    page_sha256: str
    place: Place = Place.BODY


@dataclass(frozen=True, slots=True)
class CategoryMatch:
    """A category, the words that support it, and the strongest place where one occurs."""

    slug: str
    words: tuple[str, ...]
    page_url: str
    page_sha256: str
    snippet: str
    confidence: float


class _Term(NamedTuple):
    """A category's word or phrase. `strength` is 0 for a phrase that must not count, `capitals` its all-caps words."""

    slug: str
    written: str
    strength: float
    capitals: tuple[str, ...]


@dataclass(slots=True)
class _Hit:
    term: _Term
    passage: Passage
    start: int
    end: int


@dataclass(slots=True)
class _Vocabulary:
    """The terms of all categories by their words in lower case, those that begin a word, and unspaced ones.

    `adjectives` are the categories that say how a product is.
    """

    adjectives: set[str] = field(default_factory=set)
    exact: dict[tuple[str, ...], list[_Term]] = field(default_factory=lambda: defaultdict(list))
    prefixes: dict[str, list[_Term]] = field(default_factory=lambda: defaultdict(list))
    unspaced: dict[str, list[_Term]] = field(default_factory=lambda: defaultdict(list))

    def add(self, slug: str, written: str) -> None:
        text = written.strip()
        strength = 0.0 if text.startswith("-") else _HINT if text.endswith("?") else 1.0
        text = text.strip("-? ")
        words = _WORD.findall(text)
        term = _Term(
            slug, text.rstrip("*"), strength, tuple(word for word in words if len(word) > 1 and word.isupper())
        )
        if is_dense(text):
            self.unspaced[text.casefold()].append(term)
        elif text.endswith("*") and len(words) == 1:
            self.prefixes[words[0].casefold()].append(term)
        elif 0 < len(words) <= _MAX_TERM_WORDS:
            self.exact[tuple(_stem(word) for word in words)].append(term)


def match_categories(categories: Iterable[Category], passages: Sequence[Passage]) -> list[CategoryMatch]:
    """Return at most three categories, best first. None is better than a wrong one.

    A word counts by its place, longer phrases hide the shorter ones in them, and a category needs two signals.
    """
    vocabulary = _vocabulary_of(tuple((each.slug, each.name, *each.synonyms) for each in categories))
    result: defaultdict[str, list[_Hit]] = defaultdict(list)
    for passage in passages:
        for hit in _hits(passage, vocabulary):
            result[hit.term.slug].append(hit)
    scored = [(_score(hits), slug, hits) for slug, hits in result.items() if _signals(hits) >= MIN_SIGNALS]
    chosen = [entry for entry in scored if entry[0] >= MIN_SCORE]
    chosen.sort(key=lambda entry: (-entry[0] * (_OF_ADJECTIVES if entry[1] in vocabulary.adjectives else 1), entry[1]))
    best = chosen[0][0] if chosen else 0.0
    chosen[1:] = [entry for entry in chosen[1:] if entry[0] >= best * MIN_SHARE_OF_BEST and _is_introduced(entry[2])]
    return [
        _match(slug, hits, score, is_first=not at) for at, (score, slug, hits) in enumerate(chosen[:MAX_CATEGORIES])
    ]


@lru_cache(maxsize=16)
def _vocabulary_of(categories: tuple[tuple[str, ...], ...]) -> _Vocabulary:
    """Return the terms of categories, each given as its slug, name and synonyms. They rarely change."""
    vocabulary = _Vocabulary()
    for slug, name, *synonyms in categories:
        entry = _entry_of(slug, name)
        for written in (name, *synonyms, *(_words(entry) if entry else ())):
            vocabulary.add(slug, written)
        if entry and _lexicon()[entry].get("says_how"):
            vocabulary.adjectives.add(slug)
    for written in _words("everywhere"):
        vocabulary.add("", written)
    return vocabulary


@lru_cache(maxsize=1)
def _lexicon() -> Mapping[str, Mapping[str, Any]]:
    text = files("apps.drafts.proposals").joinpath("category_words.yaml").read_text(encoding="utf-8")
    result: dict[str, dict[str, Any]] = yaml.safe_load(text)
    return result


@lru_cache(maxsize=64)
def _words(entry: str) -> tuple[str, ...]:
    text = str(_lexicon()[entry]["words"])
    return tuple(word.strip() for word in re.split(r"[,\n]", text) if word.strip())


def _entry_of(slug: str, name: str) -> str:
    """Return the lexicon's entry for a category with this slug or name, or an empty text."""
    named = {fold(slug), fold(name)}
    return next(
        (entry for entry, told in _lexicon().items() if named & {fold(entry), *map(fold, told.get("also", ()))}), ""
    )


def _hits(passage: Passage, vocabulary: _Vocabulary) -> Iterator[_Hit]:
    """Yield the terms in a text, of overlapping ones the longest."""
    text = passage.text[:_MAX_TEXT]
    for unspaced, terms in vocabulary.unspaced.items() if is_dense(text) else ():
        if (start := text.casefold().find(unspaced)) >= 0:
            yield from (_Hit(term, passage, start, start + len(unspaced)) for term in terms)
    places = list(_WORD.finditer(text))
    stems = [_stem(place[0]) for place in places]
    at = 0
    while at < len(stems):
        length, terms = _longest(stems, at, vocabulary)
        raw = [place[0] for place in places[at : at + length]]
        for term in terms:
            if term.strength and all(word in raw or f"{word}s" in raw for word in term.capitals):
                yield _Hit(term, passage, places[at].start(), places[at + length - 1].end())
        at += length


def _longest(stems: Sequence[str], at: int, vocabulary: _Vocabulary) -> tuple[int, list[_Term]]:
    """Return the number of words of the longest term at a position, and the terms. 1 if there is none."""
    for length in range(min(_MAX_TERM_WORDS, len(stems) - at), 0, -1):
        if terms := vocabulary.exact.get(tuple(stems[at : at + length])):
            return length, terms
    for end in range(len(stems[at]), 3, -1):
        if terms := vocabulary.prefixes.get(stems[at][:end]):
            return 1, terms
    return 1, []


def _score(hits: Sequence[_Hit]) -> float:
    by_place: defaultdict[Place, dict[str, float]] = defaultdict(dict)
    for hit in hits:
        by_place[hit.passage.place][hit.term.written] = hit.term.strength
    return sum(place.weight * min(sum(words.values()), place.most) for place, words in by_place.items())


def _signals(hits: Sequence[_Hit]) -> int:
    """Return in how many ways hits speak for a category: different words, or one word in different places."""
    hints = {hit.term.written for hit in hits if hit.passage.place in _INTRODUCTIONS}
    if len(hints) < MIN_HINTS and not any(hit.term.strength == 1 for hit in hits):
        return 0
    return len({(hit.term.written, hit.passage.place) for hit in hits})


def _is_introduced(hits: Sequence[_Hit]) -> bool:
    return any(hit.passage.place in _INTRODUCTIONS and hit.term.strength == 1 for hit in hits)


def _match(slug: str, hits: Sequence[_Hit], score: float, *, is_first: bool) -> CategoryMatch:
    strongest = max(hits, key=lambda hit: hit.passage.place.weight * hit.term.strength)
    text = strongest.passage.text
    words = dict.fromkeys(hit.passage.text[hit.start : hit.end] for hit in hits)
    return CategoryMatch(
        slug=slug,
        words=tuple(words)[:8],
        page_url=strongest.passage.page_url,
        page_sha256=strongest.passage.page_sha256,
        snippet=text[max(strongest.start - _SNIPPET_SIDE, 0) : strongest.end + _SNIPPET_SIDE].strip(),
        confidence=round(min(0.35 + score / 20, 0.9) * (1 if is_first else 0.85), 2),
    )


def _stem(word: str) -> str:
    """Return the word in lower case without a plural ending."""
    word = word.casefold()
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word
