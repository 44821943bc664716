"""Find dated entries on a news page, such as blog posts or changelog releases.

A title belongs to the date nearest to it in the page's tree. If that is ambiguous, there is no entry.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from lxml import etree

from apps.drafts.extraction.document.addresses import absolute, page_key, same_site
from apps.drafts.extraction.document.document import Document, selector_of, snippet_of, text_of
from apps.drafts.extraction.news.announcement_words import SECTIONS, WEEKDAYS
from apps.drafts.extraction.news.days import (
    HEADINGS,
    MAX_DATE_TEXT,
    MAX_LINE,
    MAX_TITLE,
    ROOTS,
    SKIPPED,
    DayPlace,
    find_days,
)
from apps.drafts.extraction.page.facts import Source
from apps.drafts.extraction.site.page_kind_words import KIND_OF
from apps.drafts.extraction.text.cleaning import cut, fold, weight_of
from apps.drafts.extraction.text.dates import find_day

MAX_PLACES = 200
MAX_CLIMB = 8
MIN_TITLE = 3
MAX_DESCRIPTION = 300
MIN_DESCRIPTION = 20
MAX_SIBLINGS = 12
MAX_CANDIDATES = 40

_TITLED = re.compile(r"title|headline|heading")
_NAMED_TITLE, _BOLD = 1, 3
_OF_PEOPLE = re.compile(r"^author|/(?:authors?|by|people|staff|profiles?|users?|tags?|topics?|categor(?:y|ies))/|/@")
_LABEL = re.compile(r"author|byline|(?<![a-z])by(?![a-z])|categor|(?<![a-z])tags?(?![a-z])|badge|avatar|breadcrumb")
_MORE = re.compile(
    r"^(?:(?:read|learn|see|show|view|find out) (?:more|all|post|article|the .{1,20})|continue reading|permalink"
    r"|link|#|¶|weiterlesen|mehr(?: erfahren| lesen)?|lire (?:la suite|plus)|en savoir plus"
    r"|leer más|ler mais|saiba mais|leggi(?: tutto)?|lees (?:meer|verder)"
    r"|czytaj (?:więcej|dalej)|läs mer|les mer|læs mere|читать (?:далее|дальше)"
    r"|подробнее|devamını oku|続きを読む|もっと見る|阅读更多|查看更多|더 보기)\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class DatedEntry:
    """An entry with its day as "2024-05-01", and the places of both. `url` is empty if the entry has none."""

    day: str
    title: str
    description: str
    url: str
    source: Source
    selector: str
    snippet: str
    confidence: float


def shown_entries(document: Document) -> list[DatedEntry]:
    """Return the visible entries with a full date and a title, in page order."""
    body = document.root.find("body")
    if body is None:
        return []
    places = list(islice(find_days(body), MAX_PLACES))
    around: defaultdict[etree._Element, list[DayPlace]] = defaultdict(list)
    for place in places:
        around[place.element].append(place)
        for parent in islice(place.element.iterancestors(), MAX_CLIMB):
            around[parent].append(place)
    result: dict[tuple[str, str], DatedEntry] = {}
    for place in places:
        if (entry := _entry(place, around, document)) is not None:
            result.setdefault((entry.day, fold(entry.title)), entry)
    return list(result.values())


def is_title(text: str) -> bool:
    """Return whether words can be an entry's title: neither a page name nor a "read more" link."""
    return (
        len(text) <= MAX_LINE
        and weight_of(text) >= MIN_TITLE
        and fold(text) not in KIND_OF
        and fold(text) not in SECTIONS
        and fold(text) not in WEEKDAYS
        and not text.startswith("<")
        and not _MORE.match(text)
    )


def own_address(element: etree._Element | None, document: Document) -> str:
    """Return the https URL on this site that an element links to or is linked by, or an empty string."""
    if element is None:
        return ""
    inner = element if element.tag == "a" else next(element.iter("a"), None)
    link = inner if inner is not None else next(islice(element.iterancestors("a"), 1), None)
    return own_page(link.get("href") or "", document) if link is not None else ""


def own_page(address: str, document: Document) -> str:
    """Return an entry's URL if it is absolute, https, on this site and not the page itself, or an empty string."""
    joined = absolute(address, document.base) or ""
    is_elsewhere = page_key(joined.split("#")[0]) != page_key(document.url) or "#" in joined
    return joined if joined.startswith("https://") and same_site(joined, document.url) and is_elsewhere else ""


def _entry(place: DayPlace, around: dict[etree._Element, list[DayPlace]], document: Document) -> DatedEntry | None:
    if is_title(place.words):
        named = _named_below(place, around) if _is_version(place.words) else None
        if named is None:
            text = _text_below(place.element, around)
            return _dated(place, place.words, place.element, text, document, 0.85)
        return _dated(place, text_of(named, limit=MAX_LINE), named, _text_below(named, around), document, 0.85)
    frames = list(_frames(place, around))
    # Names of people and topics are often closer to the date than the title, so look for headings first.
    for worst in (_NAMED_TITLE, _BOLD):
        for frame in frames:
            if (titled := _title_in(frame, place.element, worst=worst)) is not None:
                text = _paragraph_in(frame, titled)
                return _dated(place, text_of(titled, limit=MAX_LINE), titled, text, document, 0.8)
    return _beside(place, frames[-1] if frames else place.element, around, document)


def _frames(place: DayPlace, around: dict[etree._Element, list[DayPlace]]) -> Iterator[etree._Element]:
    """Yield the elements around a date, innermost first, while they contain no other entry."""
    for parent in islice(place.element.iterancestors(), MAX_CLIMB):
        inside = around[parent]
        if parent.tag in ROOTS or len(inside) > 2 or len({other.day for other in inside}) > 1:
            return
        if next(parent.iter("nav"), None) is not None:
            # The element is the whole page, with unrelated content.
            return
        yield parent


def _beside(
    place: DayPlace, frame: etree._Element, around: dict[etree._Element, list[DayPlace]], document: Document
) -> DatedEntry | None:
    """Find an entry whose title is right before or after the date, in one row with other entries."""
    before, after = _neighbour(frame, back=True), _neighbour(frame, back=False)
    is_heading = frame.tag in HEADINGS
    if before is not None and before.tag in HEADINGS and not is_heading:
        titled = before
    elif after is not None and after not in around and (after.tag in HEADINGS or frame.tag in ("dt", *HEADINGS)):
        inner = after if after.tag in HEADINGS else _title_in(after, None, worst=_BOLD)
        if inner is None and after.tag in ("ul", "ol"):
            # The changes of a release, none of which is its title.
            return None
        titled = after if inner is None else inner
    else:
        return None
    title = text_of(titled, limit=MAX_LINE)
    if not is_title(title) or titled.tag == "h1":
        return None
    return _dated(place, title, titled, _text_below(titled if titled is after else frame, around), document, 0.7)


def _dated(
    place: DayPlace, title: str, titled: etree._Element, text: str, document: Document, confidence: float
) -> DatedEntry | None:
    title = cut(title, MAX_TITLE)
    if not is_title(title):
        return None
    snippet = snippet_of(place.element)
    if titled is not place.element:
        snippet = f"{snippet[:150]} {snippet_of(titled)}"
    description = "" if fold(text) == fold(title) else cut(text, MAX_DESCRIPTION)
    url = own_address(titled, document) or own_address(place.element, document)
    return DatedEntry(place.day, title, description, url, "dom", selector_of(place.element), snippet, confidence)


def _title_in(frame: etree._Element, date: etree._Element | None, *, worst: int) -> etree._Element | None:
    """Find the title beside a date: a heading, an element classed as title, a link, or bold words."""
    ranked: list[tuple[int, int, etree._Element]] = []
    inner = frame.iter("h2", "h3", "h4", "h5", "h6", "a", "strong", "b", "p", "div", "span")
    for number, element in enumerate(islice(inner, MAX_CANDIDATES)):
        if element is date or (date is not None and date in set(islice(element.iterancestors(), MAX_CLIMB))):
            continue
        rank = _rank(element)
        if (
            rank <= worst
            and (date is None or not _holds(element, date))
            and _is_fit(text_of(element, limit=MAX_LINE), rank)
        ):
            ranked.append((rank, number, element))
    return min(ranked)[2] if ranked else None


def _is_fit(text: str, rank: int) -> bool:
    # A link or bold words may be a label, a person or a button. Those are typically a single word.
    return is_title(text) and (rank < 2 or len(text.split()) > 1 or not text.isascii()) and not find_day(text)


def _rank(element: etree._Element) -> int:
    if element.tag in HEADINGS:
        return 0
    if _TITLED.search((element.get("class") or "").lower()):
        return _NAMED_TITLE
    if element.tag not in ("a", "strong", "b") or _is_label(element):
        return _BOLD + 1
    return 2 if element.tag == "a" else _BOLD


def _is_label(element: etree._Element) -> bool:
    """Return whether a link or bold words name a person or a topic."""
    if _OF_PEOPLE.search(f"{element.get('rel') or ''} {element.get('href') or ''}".lower()[:500]):
        return True
    around = (element, *islice(element.iterancestors(), 2))
    return any(
        _LABEL.search(f"{part.get('class') or ''} {part.get('itemprop') or ''}".lower()[:300]) for part in around
    )


def _holds(element: etree._Element, date: etree._Element) -> bool:
    return any(parent is element for parent in islice(date.iterancestors(), MAX_CLIMB))


def _paragraph_in(frame: etree._Element, titled: etree._Element) -> str:
    """Return the first paragraph of an entry that is not its title."""
    for element in islice(frame.iter("p"), 5):
        text = text_of(element, limit=MAX_DESCRIPTION * 2)
        if weight_of(text) >= MIN_DESCRIPTION and not _MORE.match(text) and not _holds(element, titled):
            return text if find_day(text[:MAX_DATE_TEXT]) is None else ""
    return ""


def _text_below(element: etree._Element, around: dict[etree._Element, list[DayPlace]]) -> str:
    """Return the text after a heading, up to the next heading of another entry."""
    pieces: list[str] = []
    for sibling in islice(_row_of(element).itersiblings("*"), MAX_SIBLINGS):
        if sibling in around or (sibling.tag in HEADINGS and fold(text_of(sibling, limit=80)) not in SECTIONS):
            break
        if sibling.tag not in HEADINGS | SKIPPED:
            pieces.append(text_of(sibling, limit=MAX_DESCRIPTION * 2))
        if sum(map(len, pieces)) > MAX_DESCRIPTION:
            break
    return " ".join(piece for piece in pieces if piece)


def _row_of(element: etree._Element) -> etree._Element:
    """Return the element, or the outer element that contains nothing else."""
    for _ in range(2):
        parent = element.getparent()
        if parent is None or len(parent) > 1 or parent.tag in ROOTS:
            break
        element = parent
    return element


def _named_below(place: DayPlace, around: dict[etree._Element, list[DayPlace]]) -> etree._Element | None:
    """Return the heading right below a bare version number, if it names the release."""
    after = _neighbour(_row_of(place.element), back=False)
    if after is None or after in around or after.tag not in HEADINGS or str(after.tag) <= str(place.element.tag):
        return None
    return after if is_title(text_of(after, limit=MAX_LINE)) else None


def _is_version(text: str) -> bool:
    return bool(re.fullmatch(r"\[?(?:version|release|v)?\.?\s*\d+(?:\.\d+){0,3}[\w.+-]{0,12}\]?", text, re.IGNORECASE))


def _neighbour(element: etree._Element, *, back: bool) -> etree._Element | None:
    """Return the next visible element before or after this one."""
    for sibling in islice(element.itersiblings("*", preceding=back), 4):
        if text_of(sibling, limit=40):
            return sibling
    return None
