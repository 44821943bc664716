"""Collect candidates for a fact of a page, and choose the first usable one."""

import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import TypeAlias

from lxml import etree

from apps.drafts.extraction.document.document import SNIPPET_CHARACTERS, Document, Meta, selector_of, snippet_of
from apps.drafts.extraction.document.json_ld import Json, strings
from apps.drafts.extraction.page.facts import MAX_RUNNERS_UP, DateKind, Fact, Source
from apps.drafts.extraction.text.cleaning import is_placeholder

logger = logging.getLogger(__name__)

_MAX_ABOVE = 8

_OTHERS_CLASS = re.compile(
    r"testimonial|(?<![\w-])(?:customer[-_]?)?(?:reviews|comments?)(?![\w-])"
    r"|(?<![a-z])(?:img|image|photo|picture)[-_]{1,2}(?:author|credit)"
    r"|(?<![a-z])comments?[-_]{1,2}(?:author|body|content|date|form|header|info|item|list|meta|name|text|time)"
)
_OTHERS_PROPERTIES = frozenset({"comment", "review", "reviews"})


@dataclass(frozen=True)
class Candidate:
    """A raw value with its place. The snippet comes from `element` unless `snippet` is set. `kind` is of a date."""

    value: str
    source: Source
    selector: str
    confidence: float
    element: etree._Element | None = None
    snippet: str = ""
    kind: DateKind = ""


Rule: TypeAlias = Callable[[Document], Iterator[Candidate]]
Cleaner: TypeAlias = Callable[[str, Document], str | None]


@dataclass(frozen=True)
class Precedence:
    """Where to look for a fact: the first usable candidate of `rules` wins, or else of `fallbacks`."""

    rules: tuple[Rule, ...]
    cleaner: Cleaner
    fallbacks: tuple[Rule, ...] = ()


def decide(document: Document, precedence: Precedence) -> Fact | None:
    """Return the first candidate that survives cleaning, with the others as runners-up.

    A failing rule is skipped, so a broken part of a page loses only its own facts.
    """
    result: dict[str, Fact] = {}
    for group in (precedence.rules, precedence.fallbacks):
        for rule in group:
            for fact in _facts(document, rule, precedence.cleaner):
                result.setdefault(fact.value, fact)
                if len(result) > MAX_RUNNERS_UP:
                    return _with_runners_up(list(result.values()))
        if result:
            return _with_runners_up(list(result.values()))
    return None


def _facts(document: Document, rule: Rule, cleaner: Cleaner) -> Iterator[Fact]:
    try:
        for candidate in rule(document):
            value = None if is_placeholder(candidate.value) else cleaner(candidate.value, document)
            if value:
                yield _fact(candidate, value)
    except Exception:
        # If an unexpected page breaks one rule, the others still count.
        logger.exception("Reading rule %s failed", getattr(rule, "__name__", rule))


def _fact(candidate: Candidate, value: str) -> Fact:
    element = candidate.element
    snippet = candidate.snippet or (snippet_of(element) if element is not None else value)
    snippet = snippet[:SNIPPET_CHARACTERS]
    return Fact(value, candidate.source, candidate.selector, snippet, candidate.confidence, kind=candidate.kind)


def _with_runners_up(facts: list[Fact]) -> Fact:
    first, *others = facts
    return replace(first, runners_up=tuple(others))


def from_meta(*keys: str, source: Source = "meta", confidence: float = 0.8) -> Rule:
    """Make a rule for meta tags with one of these keys, in the order of the keys, microdata last."""

    def meta_rule(document: Document) -> Iterator[Candidate]:
        for key in keys:
            for meta in sorted(document.metas.get(key, ()), key=lambda meta: meta.attribute == "itemprop"):
                yield of_meta(meta, source=source, confidence=confidence)

    return meta_rule


def of_meta(meta: Meta, *, source: Source, confidence: float) -> Candidate:
    """Return the candidate in a meta tag. A key from itemprop counts as microdata, whatever the rule says."""
    actual: Source = "itemprop" if meta.attribute == "itemprop" else source
    return Candidate(meta.content, actual, meta.selector, confidence, meta.element)


def of_element(
    element: etree._Element, value: str, *, confidence: float, source: Source = "dom", selector: str = ""
) -> Candidate:
    """Return the candidate in an element of the page's body."""
    return Candidate(value, source, selector or selector_of(element), confidence, element)


def of_json_ld(path: str, value: str, *, confidence: float) -> Candidate:
    """Yield the candidates at a property path of the page's JSON-LD."""
    snippet = f'"{path.rsplit(".", 1)[-1]}": "{value}"'
    return Candidate(value, "json_ld", f'script[type="application/ld+json"] {path}', confidence, None, snippet)


def property_values(
    document: Document, path: str, *, confidence: float, key: str = "name", follow: bool = True
) -> Iterator[Candidate]:
    """Yield candidates at a dotted path of the main nodes, one per text. Bare references count if `follow` is set."""
    for texts in property_lists(document, path, key=key, follow=follow):
        for text in texts:
            yield of_json_ld(path, text, confidence=confidence)


def property_lists(document: Document, path: str, *, key: str = "name", follow: bool = True) -> Iterator[list[str]]:
    """Yield the texts at a dotted path, one list per main node that has any."""
    first, *rest = path.split(".")
    for node in document.main_nodes:
        value = walk(document, node.get(first), rest)
        if texts := strings(_resolved(document, value) if follow else value, key=key):
            yield texts


def walk(document: Document, value: Json, path: list[str]) -> Json:
    """Follow a path of keys through objects, first members of lists, and references."""
    for step in path:
        if isinstance(value, list):
            value = value[0] if value else None
        value = document.json_ld.resolve(value)
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _resolved(document: Document, value: Json) -> Json:
    if isinstance(value, list):
        return [document.json_ld.resolve(item) for item in value[:20]]
    return document.json_ld.resolve(value)


def is_of_others(element: etree._Element) -> bool:
    """Return whether an element belongs to a testimonial, review, picture or comment, not to the page's own text.

    Form labels don't belong to the text either, because they describe what a reader should enter.
    """
    for parent in (element, *islice(element.iterancestors(), _MAX_ABOVE)):
        if parent.tag in ("main", "body"):
            return False
        if parent.tag == "label" or _OTHERS_CLASS.search((parent.get("class") or "").lower()):
            return True
        if parent is not element and _OTHERS_PROPERTIES & set((parent.get("itemprop") or "").lower().split()):
            return True
        if parent.tag == "article":
            return False
    return False
