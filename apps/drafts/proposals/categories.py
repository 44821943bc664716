"""Choose a site's categories for a website, by the words on its pages."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from apps.listings.models import Category

MAX_CATEGORIES = 3
# Once in a title or twice in running text. A single mention says little.
MIN_WEIGHT = 2.0
# A category that is much weaker than the best one is left out.
MIN_SHARE_OF_BEST = 0.4
_SATURATION = 1.2
_MAX_TEXT = 20_000
_MAX_TERM_WORDS = 4
_SNIPPET_SIDE = 80
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Passage:
    """A page's text. `weight` is how much each word counts: more in titles than in body text."""

    text: str
    page_url: str
    page_sha256: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class CategoryMatch:
    """A category, the words that support it, and the first place where one occurs."""

    slug: str
    words: tuple[str, ...]
    page_url: str
    page_sha256: str
    snippet: str
    confidence: float


@dataclass(slots=True)
class _Hit:
    weight: float
    passage: Passage
    start: int
    end: int


def match_categories(categories: Iterable[Category], passages: Sequence[Passage]) -> list[CategoryMatch]:
    """Return at most three categories, best first, by BM25's saturation and rarity over names and synonyms."""
    terms = {category.slug: _terms(category) for category in categories}
    shared = Counter(term for own in terms.values() for term in own)
    hits = _find(set(shared), passages)
    scored = []
    for slug, own in terms.items():
        found = {term: hits[term] for term in own if term in hits}
        if sum(hit.weight for hit in found.values()) < MIN_WEIGHT:
            continue
        score = sum(
            math.log(1 + len(terms) / shared[term]) * hit.weight / (hit.weight + _SATURATION)
            for term, hit in found.items()
        )
        scored.append((score, slug, found))
    scored.sort(key=lambda entry: (-entry[0], entry[1]))
    best = scored[0][0] if scored else 0.0
    chosen = [entry for entry in scored[:MAX_CATEGORIES] if entry[0] >= best * MIN_SHARE_OF_BEST]
    return [_match(slug, found, score) for score, slug, found in chosen]


def _terms(category: Category) -> dict[tuple[str, ...], str]:
    """Return the normalized words of each name and synonym, with their spelling."""
    found: dict[tuple[str, ...], str] = {}
    for written in (category.name, *category.synonyms):
        words = tuple(_stem(word) for word in _WORD.findall(written))
        if 0 < len(words) <= _MAX_TERM_WORDS:
            found.setdefault(words, written)
    return found


def _find(terms: set[tuple[str, ...]], passages: Sequence[Passage]) -> dict[tuple[str, ...], _Hit]:
    lengths = sorted({len(term) for term in terms})
    first_words = {term[0] for term in terms}
    hits: dict[tuple[str, ...], _Hit] = {}
    for passage in passages:
        places = list(_WORD.finditer(passage.text[:_MAX_TEXT]))
        words = [_stem(place[0]) for place in places]
        for at in (at for at, word in enumerate(words) if word in first_words):
            for length in lengths:
                term = tuple(words[at : at + length])
                if term not in terms or len(term) < length:
                    continue
                if hit := hits.get(term):
                    hit.weight += passage.weight
                else:
                    end = places[at + length - 1].end()
                    hits[term] = _Hit(passage.weight, passage, places[at].start(), end)
    return hits


def _match(slug: str, found: dict[tuple[str, ...], _Hit], score: float) -> CategoryMatch:
    strongest = max(found.values(), key=lambda hit: hit.weight)
    text = strongest.passage.text
    words = tuple(hit.passage.text[hit.start : hit.end] for hit in found.values())
    return CategoryMatch(
        slug=slug,
        words=words,
        page_url=strongest.passage.page_url,
        page_sha256=strongest.passage.page_sha256,
        snippet=text[max(strongest.start - _SNIPPET_SIDE, 0) : strongest.end + _SNIPPET_SIDE].strip(),
        confidence=round(min(0.3 + score / 10, 0.8), 2),
    )


def _stem(word: str) -> str:
    """Return the word in lower case without a plural ending."""
    word = word.casefold()
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word
