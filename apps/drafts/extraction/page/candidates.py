"""Candidates for a fact, and how the first usable one becomes the fact."""

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from lxml import etree

from apps.drafts.extraction.document.document import Document, Meta, selector_of, snippet_of
from apps.drafts.extraction.page.facts import MAX_RUNNERS_UP, SNIPPET_CHARACTERS, Fact, Source
from apps.drafts.extraction.text.words import is_placeholder

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Candidate:
    """A raw value with its place; `element` gives the snippet unless `snippet` holds it already."""

    value: str
    source: Source
    selector: str
    confidence: float
    element: etree._Element | None = None
    snippet: str = ""


Rule: TypeAlias = Callable[[Document], Iterator[Candidate]]
Cleaner: TypeAlias = Callable[[str, Document], str | None]


def decide(document: Document, *, rules: Iterable[Rule], fallbacks: Iterable[Rule], cleaner: Cleaner) -> Fact | None:
    """The first candidate that survives cleaning, in the order of the rules, with the others as runners-up.

    `fallbacks` are looked at only if no rule gave anything. A rule that fails is left out, so that one
    broken part of a page costs only what stands there.
    """
    found: dict[str, Fact] = {}
    for group in (rules, fallbacks):
        for rule in group:
            for fact in _facts(document, rule, cleaner):
                found.setdefault(fact.value, fact)
                if len(found) > MAX_RUNNERS_UP:
                    return _crown(list(found.values()))
        if found:
            return _crown(list(found.values()))
    return None


def _facts(document: Document, rule: Rule, cleaner: Cleaner) -> Iterator[Fact]:
    try:
        for candidate in rule(document):
            value = None if is_placeholder(candidate.value) else cleaner(candidate.value, document)
            if value:
                yield _fact(candidate, value)
    except Exception:
        # Whatever an unforeseen page does to one rule, the others still count.
        logger.exception("Reading rule %s failed", getattr(rule, "__name__", rule))


def _fact(candidate: Candidate, value: str) -> Fact:
    element = candidate.element
    snippet = candidate.snippet or (snippet_of(element) if element is not None else value)
    return Fact(value, candidate.source, candidate.selector, snippet[:SNIPPET_CHARACTERS], candidate.confidence)


def _crown(facts: list[Fact]) -> Fact:
    first, *others = facts
    return Fact(first.value, first.source, first.selector, first.snippet, first.confidence, runners_up=tuple(others))


def from_meta(*keys: str, source: Source = "meta", confidence: float = 0.8) -> Rule:
    """A rule for meta tags with one of these keys, in the order of the keys; those of microdata come last."""

    def meta_rule(document: Document) -> Iterator[Candidate]:
        for key in keys:
            for meta in sorted(document.metas.get(key, ()), key=lambda meta: meta.attribute == "itemprop"):
                yield of_meta(meta, source=source, confidence=confidence)

    return meta_rule


def of_meta(meta: Meta, *, source: Source, confidence: float) -> Candidate:
    """The candidate a meta tag stands for; a key declared by itemprop is microdata whatever the rule says."""
    actual: Source = "itemprop" if meta.attribute == "itemprop" else source
    return Candidate(meta.content, actual, meta.selector, confidence, meta.element)


def of_element(
    element: etree._Element, value: str, *, confidence: float, source: Source = "dom", selector: str = ""
) -> Candidate:
    """The candidate that an element of the page's body shows."""
    return Candidate(value, source, selector or selector_of(element), confidence, element)


def of_json_ld(path: str, value: str, *, confidence: float) -> Candidate:
    """The candidate at a property path of the page's JSON-LD."""
    snippet = f'"{path.rsplit(".", 1)[-1]}": "{value}"'
    return Candidate(value, "json_ld", f'script[type="application/ld+json"] {path}', confidence, None, snippet)
