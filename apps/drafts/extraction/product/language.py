"""Find the language of a site: the declared one, or else the language of its text."""

import math
from collections.abc import Sequence

from apps.drafts.extraction.document.document import SNIPPET_CHARACTERS
from apps.drafts.extraction.page.read_page import Find, ReadPage, finds_of
from apps.drafts.extraction.text.cleaning import weight_of

MIN_TEXT = 200
MAX_TEXT = 4000
SURE = 0.9


def find_languages(pages: Sequence[ReadPage]) -> list[Find]:
    """Return language codes of two or three letters: the home page's own, or that of enough text (weight 200)."""
    home = pages[0]
    if declared := finds_of(home.facts.lang, home):
        return declared
    text = _text_of(pages)
    if weight_of(text) < MIN_TEXT:
        return []
    code, confidence = _classify(text)
    if confidence < SURE:
        return []
    return [Find(code, home, "text", "body", text[:SNIPPET_CHARACTERS], min(confidence, 0.8))]


def _text_of(pages: Sequence[ReadPage]) -> str:
    """Return running text, without menus, which are short and often English. The home page comes first."""
    taken: list[str] = []
    length = 0
    weight = 0.0
    for page in pages:
        for line in page.lines:
            if weight_of(line.text) < 30 or "nav" in line.marks:
                continue
            taken.append(line.text)
            length += len(line.text)
            weight += weight_of(line.text)
            if length >= MAX_TEXT:
                return " ".join(taken)[:MAX_TEXT]
        if weight >= MIN_TEXT:
            break
    return " ".join(taken)


def _classify(text: str) -> tuple[str, float]:
    """Return the likeliest language, and how much likelier it is than all others, from 0 to 1."""
    # The model takes half a second and 100 MB to load, and most pages declare their language.
    from py3langid import rank

    ranked = rank(text)
    # The library's log probabilities grow with the text. Dividing by its square root makes them comparable.
    length = math.sqrt(len(text.encode("utf-8", "replace")))
    best = ranked[0][1]
    return str(ranked[0][0]), 1 / sum(math.exp((score - best) / length) for _, score in ranked)
