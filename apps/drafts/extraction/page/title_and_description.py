"""Rules for a page's title and description."""

import re
from collections.abc import Iterator
from itertools import islice

from apps.drafts.extraction.document.addresses import domain_label
from apps.drafts.extraction.document.document import Document, text_of
from apps.drafts.extraction.page.candidates import Candidate, Precedence, from_meta, of_element, property_values
from apps.drafts.extraction.text.cleaning import clean, fold, weight_of

MAX_TITLE = 500
MAX_DESCRIPTION = 5000
MAX_PARAGRAPHS = 50
MIN_PARAGRAPH = 60

# A dateline: the place of a news report, in capitals before a dash.
_DATELINE = re.compile(r"^((?:[A-Z]{2,}[\s,]+){1,5})[-–—]{1,2}\s+(?=\S)")
_HEADINGS = frozenset({"h1", "h2"})
_TITLE_CLASS = re.compile(r"(?<![\w-])(?:post|entry|article|page)[-_]?title(?![\w-])")
_SPACED_ELLIPSIS = re.compile(r"\s+(\.{3}|…)$")


def clean_title(value: str, _: Document) -> str | None:
    """Return a title on one line, or nothing if it is too long."""
    text = clean(value)
    return text if text and len(text) <= MAX_TITLE else None


def clean_description(value: str, document: Document) -> str | None:
    """Return a description on one line, without a dateline. The site's own name in capitals does not count as one."""
    text = _SPACED_ELLIPSIS.sub(r"\1", clean(value)[:MAX_DESCRIPTION])
    place = _DATELINE.match(text)
    label = fold(domain_label(document.url))
    if place and fold(place[1]) not in label and (not label or label not in fold(place[1])):
        text = text[place.end() :]
    return text or None


def title_tag(document: Document) -> Iterator[Candidate]:
    """Yield the title element of the head, not one inside an SVG."""
    if result := document.first_text("title"):
        yield of_element(result[1], result[0], confidence=0.8, selector="title")


def title_json_ld(document: Document) -> Iterator[Candidate]:
    """Yield the JSON-LD headline."""
    yield from property_values(document, "headline", confidence=0.8)


def first_heading(document: Document) -> Iterator[Candidate]:
    """Yield the first h1 with text."""
    if result := document.first_text("h1"):
        yield of_element(result[1], result[0], confidence=0.6, selector="h1")


def titled_heading(document: Document) -> Iterator[Candidate]:
    """Yield a heading whose class marks it as the title of the content."""
    for body in document.root.iter("body"):
        for element in body.iter(*_HEADINGS):
            if _TITLE_CLASS.search((element.get("class") or "").lower()) and not document.visibility.hides(element):
                yield of_element(element, text_of(element), confidence=0.7)


def description_itemprop(document: Document) -> Iterator[Candidate]:
    """Yield text marked as description by microdata."""
    for names, element in document.itemprops:
        if "description" in names and element.tag != "meta":
            yield of_element(element, text_of(element), source="itemprop", confidence=0.6)


def description_json_ld(document: Document) -> Iterator[Candidate]:
    """Yield the JSON-LD description, or else the beginning of its article body."""
    yield from property_values(document, "description", confidence=0.7)
    yield from property_values(document, "articleBody", confidence=0.4)


def first_paragraph(document: Document) -> Iterator[Candidate]:
    """Yield the first paragraph of the main content that is long enough to be informative."""
    for path in (".//article//p", ".//main//p", ".//p"):
        for element in islice(document.root.iterfind(path), MAX_PARAGRAPHS):
            text = document.shown_text_of(element)
            if weight_of(text) >= MIN_PARAGRAPH:
                yield of_element(element, text, source="text", confidence=0.3)
                return


TITLE = Precedence(
    cleaner=clean_title,
    rules=(
        from_meta("og:title", source="og", confidence=0.95),
        from_meta("twitter:title", source="twitter", confidence=0.9),
        title_tag,
        title_json_ld,
        titled_heading,
        first_heading,
    ),
)
DESCRIPTION = Precedence(
    cleaner=clean_description,
    rules=(
        from_meta("og:description", source="og", confidence=0.95),
        from_meta("twitter:description", source="twitter", confidence=0.9),
        from_meta("description", confidence=0.85),
        description_itemprop,
        description_json_ld,
        from_meta("dc.description", "dcterms.description", "dcterms.abstract", "citation_abstract", confidence=0.6),
    ),
    fallbacks=(first_paragraph,),
)
