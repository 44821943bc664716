"""Spelling correction: replace words that no live listing has with the nearest indexed ones."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from apps.core.stores.postgresql.statements import fetch_all
from apps.listings.search.language import Query, Term
from apps.listings.search.vectors import deletions
from apps.listings.search.words import Chunk, is_unspaced
from apps.sites.models import Site

# Among words of three letters, all are similar.
MIN_LETTERS = 4
# From this length on, two typos are corrected.
TWO_ERRORS_FROM = 6
CANDIDATES = 8
# Of two equally similar words, the one in more listings wins. Beyond this number the difference does not matter.
COUNTED = 50
# A slower search returns less: no correction, or the best of the first matches.
MOST_MILLISECONDS = 1_000


def corrected(query: Query, *, site: Site) -> Query | None:
    """Replace every word that no live listing of the site has with the nearest one that some listing has.

    None when all words occur, or when one has no similar word. Three queries. Raises TooSlowError.
    """
    missing = _missing(query, site)
    if not missing or any(_cannot_be_corrected(chunk) for chunk in missing):
        return None
    instead = _nearest([chunk.joined for chunk in missing], site)
    if len(instead) < len({chunk.joined for chunk in missing}):
        return None
    return Query(tuple(_replaced(term, missing, instead) for term in query.terms))


def distance(one: str, other: str) -> int:
    """Count the letters to change, drop, insert, or swap with the next, to get from one word to the other."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        before, last, row = row, before, [i]
        for j, wanted in enumerate(other, start=1):
            cost = min(before[j] + 1, row[-1] + 1, before[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]


def _missing(query: Query, site: Site) -> list[Chunk]:
    alone = [
        (chunk, Term((chunk,), is_phrase=term.is_phrase, is_excluded=False, text="").condition())
        for term in query.wanted
        for chunk in term.chunks
    ]
    sql = ", ".join([f"EXISTS ({_LIVE_SQL} AND l.search_vector @@ %s::tsquery)"] * len(alone))
    values = [value for _, condition in alone for value in (site.pk, condition)]
    there = _rows(f"SELECT {sql}", values)[0]  # noqa: S608  # made of constants
    return [chunk for (chunk, _), is_there in zip(alone, there, strict=True) if not is_there]


def _cannot_be_corrected(chunk: Chunk) -> bool:
    return len(chunk.joined) < MIN_LETTERS or any(is_unspaced(piece) for piece in chunk.pieces)


def _nearest(words: Sequence[str], site: Site) -> dict[str, str]:
    """Return the site's best replacement for each of some words that it does not have."""
    near: dict[str, dict[str, int]] = defaultdict(dict)
    long = [word for word in words if len(word) >= TWO_ERRORS_FROM]
    keys = [" ".join(set(deletions(word))) for word in words]
    rows = _rows(_CANDIDATES_SQL, [list(words), keys, site.pk, long, site.pk])
    for word, candidate in rows:
        errors = distance(word, candidate)
        if errors <= (2 if len(word) >= TWO_ERRORS_FROM else 1):
            near[word][candidate] = errors
    listed = _listed(
        {
            candidate
            for word, result in near.items()
            for candidate in sorted(result, key=lambda candidate: _order(word, candidate, result))[:CANDIDATES]
        },
        site,
    )
    return {word: best for word, result in near.items() if (best := _best(word, result, listed))}


def _order(word: str, candidate: str, errors: Mapping[str, int]) -> tuple[int, bool, int, str]:
    return errors[candidate], candidate[0] != word[0], abs(len(candidate) - len(word)), candidate


def _best(word: str, errors: Mapping[str, int], listed: Mapping[str, int]) -> str:
    there = [candidate for candidate in errors if listed.get(candidate)]
    return min(
        there,
        key=lambda candidate: (errors[candidate], -listed[candidate], *_order(word, candidate, errors)),
        default="",
    )


def _listed(words: Iterable[str], site: Site) -> dict[str, int]:
    """Count the site's live listings with each word, up to COUNTED."""
    counts = _rows(_LISTED_SQL, [site.pk, COUNTED, sorted(words)])
    return {word: count for word, count in counts if count}


def _replaced(term: Term, missing: Sequence[Chunk], instead: Mapping[str, str]) -> Term:
    if term.is_excluded or not any(chunk in missing for chunk in term.chunks):
        return term
    return term.replaced_by(
        [instead[chunk.joined] if chunk in missing else " ".join(chunk.pieces) for chunk in term.chunks]
    )


def _rows(sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    return fetch_all(sql, values, milliseconds=MOST_MILLISECONDS)


_LIVE_SQL = "SELECT FROM listings_listing l WHERE l.site_id = %s AND l.status = 'live'"
# Words with one typo share a word with one letter left out. Longer words with two typos mostly share trigrams.
_CANDIDATES_SQL = """
    SELECT asked.word, w.word
    FROM unnest(%s::text[], %s::text[]) AS asked(word, deletions)
    JOIN listings_searchword w ON w.deletions && string_to_array(asked.deletions, ' ')
    WHERE w.site_id = %s
    UNION
    SELECT asked.word, w.word
    FROM unnest(%s::text[]) AS asked(word)
    JOIN listings_searchword w ON w.word %% asked.word
    WHERE w.site_id = %s"""
_LISTED_SQL = f"""
    SELECT word, (SELECT count(*) FROM (
        {_LIVE_SQL} AND l.search_vector @@ (quote_literal(word))::tsquery LIMIT %s) counted)
    FROM unnest(%s::text[]) AS word"""  # noqa: S608  # made of constants
