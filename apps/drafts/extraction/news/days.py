"""Find the dates on a news page, and the words beside them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from lxml import etree

from apps.drafts.extraction.document.document import text_of
from apps.drafts.extraction.text.dates import find_day

MAX_ELEMENTS = 20_000
MAX_DATE_TEXT = 60
MAX_LINE = 300
MAX_TITLE = 120
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LINES = frozenset({"li", "p", "dt", "td"})
ROOTS = frozenset({"html", "body", "main"})
SKIPPED = frozenset({"script", "style", "noscript", "template", "svg", "nav", "form", "iframe", "head", "footer"})
_FOREIGN = re.compile(r"comment|testimonial|(?<!p)review|cookie|consent|webinar|event")
_YEAR = re.compile(r"(?:19|20)\d\d")
_SIGNS = frozenset("-–—|·•:")
_EDGE = " \t-–—|·•:,;/()[]【】"
# Labels before a date: "released on", "veröffentlicht am".
_BEFORE_DAY = re.compile(
    r"[\s,(\[-]*\b(?:(?:released|published|posted|updated|written|veröffentlicht|publié|publicado|pubblicato)\s+)?"
    r"(?:on|am|le|el|em|il|op|den)?\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class DayPlace:
    """An element with a date. `words` is the text beside it if that can be the title."""

    element: etree._Element
    day: str
    words: str


def find_days(body: etree._Element) -> Iterator[DayPlace]:
    """Return the outermost elements that contain a full date."""
    walk = etree.iterwalk(body, events=("start",), tag="*")
    for _, element in islice(walk, MAX_ELEMENTS):
        if _is_skipped(element):
            walk.skip_subtree()
        elif place := _day_place(element):
            yield place
            walk.skip_subtree()


def _is_skipped(element: etree._Element) -> bool:
    if element.tag == "footer":
        # The footer of a post holds its own date, the page's footer holds those of others.
        return next(islice(element.iterancestors("article", "li"), 1), None) is None
    if element.tag in SKIPPED:
        return True
    words = f"{element.get('class') or ''} {element.get('id') or ''}".lower()[:300]
    return element.tag not in ROOTS and len(words) > 1 and bool(_FOREIGN.search(words))


def _day_place(element: etree._Element) -> DayPlace | None:
    if element.tag == "time" or "date" in (element.get("itemprop") or "").lower():
        # Visible text comes first, because some pages put the loading time into the attribute.
        for text in (text_of(element, limit=MAX_DATE_TEXT), element.get("datetime"), element.get("content")):
            if day := find_day((text or "")[:MAX_DATE_TEXT]):
                return DayPlace(element, day.iso, "")
        return None
    if element.tag in HEADINGS:
        return _of_line(element, limit=MAX_TITLE + MAX_DATE_TEXT)
    own = f"{(element.text or '')[:MAX_LINE]}{''.join((child.tail or '')[:50] for child in islice(element, 8))}"
    is_called_date = "date" in (element.get("class") or "").lower()
    if (not _YEAR.search(own) and not is_called_date) or next(islice(element.iter(), 12, None), None) is not None:
        return None
    text = text_of(element, limit=MAX_LINE)
    day = find_day(text) if len(text) <= MAX_LINE else None
    if day is None:
        return None
    if element.tag in _LINES and day.start == 0 and text[day.end : day.end + 2].strip()[:1] in _SIGNS:
        return _of_line(element, limit=MAX_LINE)
    if len(text) <= MAX_DATE_TEXT and sum(char.isalpha() for char in text[: day.start] + text[day.end :]) <= 15:
        return DayPlace(element, day.iso, "")
    return None


def _of_line(element: etree._Element, *, limit: int) -> DayPlace | None:
    """Match a heading or line that begins or ends with the date. The rest is the title."""
    text = text_of(element, limit=limit + 1)
    day = find_day(text) if len(text) <= limit else None
    if day is None:
        return _of_time_inside(element, text)
    before, after = text[: day.start].strip(_EDGE), text[day.end :].strip(_EDGE)
    if before and after:
        return None
    return DayPlace(element, day.iso, after or _BEFORE_DAY.sub("", text[: day.start]).strip(_EDGE))


def _of_time_inside(element: etree._Element, text: str) -> DayPlace | None:
    """Match a heading around a time element whose attribute alone has the year."""
    inner = next(islice(element.iter("time"), 1), None)
    stated = find_day((inner.get("datetime") or "")[:MAX_DATE_TEXT]) if inner is not None else None
    if inner is None or stated is None or len(text) > MAX_TITLE + MAX_DATE_TEXT:
        return None
    content = text_of(inner, limit=MAX_DATE_TEXT)
    rest = text.removeprefix(content) if text.startswith(content) else text.removesuffix(content)
    return DayPlace(element, stated.iso, rest.strip(_EDGE))
