"""Find the parts of a page that are about the product's prices, by headings and by names of elements."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from lxml import etree

from apps.drafts.extraction.document.lines import Line, heading_of
from apps.drafts.extraction.page.read_page import ReadPage
from apps.drafts.extraction.pricing.price_tables import MAX_HEADING, row_of
from apps.drafts.extraction.pricing.price_words import BUYS, CREDITS, OTHER_PART, PRICES_PART
from apps.drafts.extraction.site.page_kind_words import KIND_OF
from apps.drafts.extraction.site.page_kinds import kind_of_page
from apps.drafts.extraction.text.cleaning import fold

_MAX_CLIMB = 60
NOT_OURS = frozenset({"quote", "struck", "nav", "footer", "faq", "versus", "notice", "cart"})
_SECTION = re.compile(
    r"(?<![a-z])(?:pricing|prices|plans|preise|tarife|tarifs?|cennik|priser|prijzen|precios|planes|planos|prezzi|tariffe|price-?(?:table|list|box|"
    r"grid|card)s?)(?![a-z])"
)
_NAMES = ("class", "id", "data-framer-name")


def pricing_lines(page: ReadPage, *, name: str | None, is_home: bool) -> list[Line]:
    """Return the lines of a pricing page, or of a home page's parts about prices."""
    parts = list(islice(_sections(page), 8)) if is_home else []
    return by_topic(
        page,
        name,
        lambda topic, line: topic != "others" and (not is_home or topic == "prices" or _is_in(line.element, parts)),
    )


def by_topic(page: ReadPage, name: str | None, is_wanted: Callable[[str, Line], bool]) -> list[Line]:
    """Return the lines of the product itself that are wanted by what the heading above them is about."""
    # A page of prices calls the table of its own plans a comparison.
    marks = NOT_OURS - {"versus"} if kind_of_page(page) == "pricing" else NOT_OURS
    return [
        line
        for topic, line in with_topics(page, name)
        if is_wanted(topic, line) and not line.marks & (marks if row_of(line) is not None else NOT_OURS)
    ]


def with_topics(page: ReadPage, name: str | None) -> Iterator[tuple[str, Line]]:
    """Yield each line with what the heading above it is about."""
    topic, level = "", 9
    is_about_prices = kind_of_page(page) == "pricing"
    for line in page.lines:
        heading = heading_of(line.element)
        if heading and len(line.text) <= MAX_HEADING:
            # The heading of a whole page of prices is about the product's own: "Credits you can count".
            latest = _topic_of(line.text, name) if heading != "h1" or not is_about_prices else ""
            if latest or int(heading[1]) <= level:
                topic, level = latest, int(heading[1])
        yield topic, line


def _topic_of(heading: str, name: str | None) -> str:
    """Return what a part of a page is about by its heading: `prices` of the product, those of `others`, or neither."""
    if CREDITS.fullmatch(heading):
        return ""
    if OTHER_PART.search(heading):
        return "others"
    is_pricing = KIND_OF.get(fold(heading)) == "pricing" or PRICES_PART.search(heading)
    return "prices" if is_pricing or sells(heading, name) else ""


def sells(text: str, name: str | None) -> bool:
    """Return whether a text is "Buy" and the product's name."""
    return BUYS.search(text) is not None and fold(BUYS.sub("", text)) == fold(name or "")


def _sections(page: ReadPage) -> Iterator[etree._Element]:
    """Yield elements that are called pricing."""
    for element in islice(page.document.root.iter("section", "div", "ul", "table", "article"), 20_000):
        words = " ".join(element.get(name) or "" for name in _NAMES)[:300].lower()
        if not words.isspace() and _SECTION.search(words):
            yield element


def _is_in(element: etree._Element, parts: Sequence[etree._Element]) -> bool:
    return bool(parts) and any(parent in parts for parent in (element, *islice(element.iterancestors(), _MAX_CLIMB)))
