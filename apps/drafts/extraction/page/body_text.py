"""Find a page's body text and date with libraries, and look each result up on the page again."""

import logging
import re
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from itertools import islice
from typing import Any

from lxml import etree
from lxml import html as lxml_html

from apps.drafts.extraction.document.document import NEUTRAL, Document, selector_of, snippet_of, text_of
from apps.drafts.extraction.page.read_page import Find, ReadPage
from apps.drafts.extraction.text.cleaning import fold, weight_of
from apps.drafts.extraction.text.dates import find_day

MAX_ELEMENTS = 6000
MAX_CHARACTERS = 400_000
MAX_DEPTH = 150
MAX_PASSAGES = 10
MAX_PASSAGE = 3000
MIN_PASSAGE = 60
MIN_WORDS = 8
MAX_DATE_TEXT = 60

_RIGHTS = re.compile(
    r"all rights reserved|non-?commercial use|terms of (?:use|service)|alle rechte vorbehalten|©", re.IGNORECASE
)
_HOLDERS = ("p", "li", "blockquote", "div", "section", "span", "td", "dd")
_UNREAD = ("script", "style", "noscript", "template", "svg", "iframe", "object", "canvas", "form")


def find_passages(page: ReadPage, *, name: str | None = None) -> list[Find]:
    """Return whole-sentence paragraphs of the body, those first that mention the product's `name`.

    trafilatura removes menus, footers and notices. Empty for pages that would take it too long.
    """
    wanted = {fold(text): number for number, text in enumerate(_body_texts(page.document)) if _is_passage(text)}
    result: dict[int, Find] = {}
    for element in islice(page.document.root.iter(*_HOLDERS), MAX_ELEMENTS) if wanted else ():
        if any(child.tag not in NEUTRAL for child in islice(element, 30)):
            continue
        text = text_of(element, limit=MAX_PASSAGE)
        number = wanted.get(fold(text))
        if number is not None and number not in result and not page.document.visibility.hides(element):
            result[number] = Find(text, page, "text", selector_of(element), snippet_of(element), 0.45)
    in_order = [find for _, find in sorted(result.items())]
    own = fold(name or "")
    return sorted(in_order[:MAX_PASSAGES], key=lambda find: not own or own not in fold(find.value))


def stated_day(page: ReadPage) -> Find | None:
    """Return the page's date as "2024-05-01", if htmldate finds one that a short text of the body shows."""
    tree = _library_tree(page.document)
    if tree is None:
        return None
    try:
        # Without the page's URL, because a date that appears only there is not evidence.
        day = _htmldate().find_date(tree, extensive_search=True, original_date=True, url="")
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError, etree.LxmlError):
        return None
    body = page.document.root.find("body")
    if day is None or body is None:
        return None
    for element in islice(body.iter("time", "span", "p", "div", "small", "li", "em", "abbr", "td"), MAX_ELEMENTS):
        text = text_of(element, limit=MAX_DATE_TEXT * 2) if len(element) <= 5 else ""
        first = find_day(text) if 0 < len(text) <= MAX_DATE_TEXT else None
        if first and first.iso == day:
            return Find(day, page, "text", selector_of(element), snippet_of(element), 0.6)
    return None


def _is_passage(text: str) -> bool:
    if _RIGHTS.search(text):
        return False
    has_words = len(text.split()) >= MIN_WORDS or not text.isascii()
    is_fit = len(text) <= MAX_PASSAGE and weight_of(text) >= MIN_PASSAGE
    return is_fit and has_words and text.rstrip("\"'”’)»")[-1:] in set(".!?。！？…")


def _body_texts(document: Document) -> Iterator[str]:
    """Yield the paragraphs that trafilatura takes for the body."""
    tree = _library_tree(document)
    if tree is None:
        return
    try:
        result = _trafilatura().bare_extraction(tree, fast=True, include_comments=False, include_tables=False)
    except (ValueError, TypeError, AttributeError, RecursionError, etree.LxmlError):
        return
    body = result.body if result is not None else None
    for element in islice(body.iter("p", "item", "quote"), MAX_PASSAGES * 5) if body is not None else ():
        yield " ".join("".join(element.itertext()).split())


def _library_tree(document: Document) -> Any | None:
    """Build the library's tree without invisible elements. None if it would take too long."""
    body = document.root.find("body")
    if body is None or next(islice(body.iter(), MAX_ELEMENTS, None), None) is not None or _is_deep(body):
        return None
    copied = deepcopy(body)
    etree.strip_elements(copied, *_UNREAD, with_tail=False)
    text = etree.tostring(copied, method="html", encoding="unicode")
    # Pass a tree and never a text, because the library would fetch a text that looks like a URL.
    return lxml_html.document_fromstring(text) if text.strip() and len(text) <= MAX_CHARACTERS else None


def _is_deep(body: etree._Element) -> bool:
    depth = deepest = 0
    for event, _ in etree.iterwalk(body, events=("start", "end")):
        depth += 1 if event == "start" else -1
        deepest = max(deepest, depth)
    return deepest > MAX_DEPTH


@cache
def _trafilatura() -> Any:
    # Loading it takes a second, and most pages don't need it because they describe themselves.
    import trafilatura

    # If the library finds no text, that is not our error.
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    return trafilatura


@cache
def _htmldate() -> Any:
    import htmldate

    logging.getLogger("htmldate").setLevel(logging.CRITICAL)
    return htmldate
