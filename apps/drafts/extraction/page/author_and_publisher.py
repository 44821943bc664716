"""Rules for who wrote a page and who publishes it."""

import re
from collections.abc import Iterator
from itertools import islice
from urllib.parse import unquote

from lxml import etree

from apps.core.web.urls import parts_of
from apps.drafts.extraction.document.addresses import absolute, domain_label, domain_of, same_site
from apps.drafts.extraction.document.document import Document, text_of
from apps.drafts.extraction.page.candidates import (
    Candidate,
    Precedence,
    from_meta,
    is_of_others,
    of_element,
    of_json_ld,
    of_meta,
    property_lists,
    property_values,
)
from apps.drafts.extraction.text.cleaning import clean, fold, words_of
from apps.drafts.extraction.text.dates import parse_date

MAX_NAME = 128
MAX_BYLINE_LINKS = 3
MAX_CARD_PARTS = 5

_BY = re.compile(
    r"^(?:(?:(?:written|posted|published|story|words|article|photos?)\s+)?by|par|por|av|автор|от|texte? (?:par|de|von))"
    r"\s*(?:[:：]?\s+|[:：]?$)",
    re.IGNORECASE,
)
# These words also begin family names, so they count only before a whole name: "von Ada Berg", but "Von Trapp".
_BY_OR_NAME = re.compile(r"^(?i:von|di|door)\s*[:：]?\s+(?=[^\W\d_a-z]\S*\s+[^\W\d_a-z])")
_AUTHOR_LABEL = re.compile(
    r"^(?:author|autore?|autora|auteur|autrice|redactie|redaktion|автор|作者|著者)\s*[:：]\s*", re.IGNORECASE
)
_PERSON_CLASS = re.compile(
    r"(?<![\w-])(?:author|byline|(?:post|entry|article|byline)[-_]{1,2}author|author[-_]{0,2}name)(?![\w-])"
)
_NOBODY = words_of("""
    follow following more share subscribe author authors by admin administrator comments comment reply edit profile bio
    about folgen mehr teilen abonnieren suivre partager seguir compartir segui condividi anonymous
""")
_ADDRESS = re.compile(r"^(?:https?:)?//|^www\.|@[\w-]+\.\w", re.IGNORECASE)
_LOGO_WORD = re.compile(r"(?:^\s*logo\s*(?:of|de|von|:|-)?\s+|[\s-]*\blogo\s*$)", re.IGNORECASE)
# hCard classes for a name and for the link on it.
_CARD_NAME = frozenset({"fn", "n", "url"})
_AUTHOR_PAGE = re.compile(r"/(?:authors?|autore?s?|auteurs?|autoren|writers?)/[^/]")
_LOOSE_MARKS = re.compile(r"^[|–—·\s]+|^-+\s+|[|–—·\s]+$|\s+-+$")
_TITLE_PART = re.compile(r"\s+[-–—|·•]\s+")


def clean_author(value: str, document: Document) -> str | None:
    """Return a person's name without "By". Addresses, the site's own domain, objects and sentences don't count."""
    text = clean(value)
    text = _without_by(text).strip(" ,;:|•·").lstrip("@").strip()
    if not text or len(text) > MAX_NAME or _ADDRESS.search(text) or text[0] in "{[":
        return None
    if "." in text and text.lower().removeprefix("www.") == domain_of(document.url):
        return None
    if not any(char.isalpha() for char in text):
        return None
    return text


def _without_by(text: str) -> str:
    return _AUTHOR_LABEL.sub("", _BY_OR_NAME.sub("", _BY.sub("", text)))


def clean_publisher(value: str, _: Document) -> str | None:
    """Return a publication's name."""
    text = _LOOSE_MARKS.sub("", clean(value))
    if not text or len(text) > MAX_NAME or _ADDRESS.search(text):
        return None
    return text


def author_json_ld(document: Document) -> Iterator[Candidate]:
    """Yield JSON-LD author, creator or brand. Several authors are joined as on the page."""
    for path in ("author", "creator", "brand"):
        for names in property_lists(document, path):
            if len(names) > 1:
                yield _together(document, names)
            for name in names:
                yield of_json_ld(path, name, confidence=0.95)


def _together(document: Document, names: list[str]) -> Candidate:
    """Join several authors: as a byline on the page that names them all, or as a list."""
    wanted = [fold(name) for name in names]
    for meta in document.metas.get("author", ()):
        if all(name in fold(meta.content) for name in wanted):
            return of_meta(meta, source="meta", confidence=0.95)
    for words, element in document.classed:
        if "author" in words or "byline" in words:
            text = text_of(element, limit=MAX_NAME * 2)
            if len(text) <= MAX_NAME and all(name in fold(text) for name in wanted) and not parse_date(text):
                return of_element(element, text, confidence=0.95)
    joined = f"{', '.join(names[:-1])} and {names[-1]}"
    return of_json_ld("author", joined, confidence=0.9)


def author_itemprop(document: Document) -> Iterator[Candidate]:
    """Yield the name inside an element with author microdata, or the element's text, visible ones first."""
    marked = [
        element
        for names, element in document.itemprops
        if any("author" in name for name in names) and not is_of_others(element)
    ]
    for element in marked:
        for name in element.iterfind(".//*[@itemprop='name']"):
            yield of_element(name, text_of(name), source="itemprop", confidence=0.9)
    for element in marked:
        yield of_element(element, text_of(element), source="itemprop", confidence=0.85)
    for element in marked:
        for name in element.iterfind(".//*[@itemprop='name'][@content]"):
            yield of_element(name, name.get("content") or "", source="itemprop", confidence=0.85)


def author_rel(document: Document) -> Iterator[Candidate]:
    """Anchors with rel=author."""
    for _, element in document.anchors:
        if "author" in (element.get("rel") or "").lower().split() and not is_of_others(element):
            yield of_element(element, text_of(element), confidence=0.85, selector='a[rel="author"]')


def author_anchor(document: Document) -> Iterator[Candidate]:
    """Anchors whose class, or an enclosing element's class, says author."""
    for words, element in document.classed:
        if element.tag == "a" and "author" in words and not is_of_others(element):
            yield from _full_name(element, 0.7)
            yield from _account(document, element)
    for words, element in document.classed:
        if "author" in words and not is_of_others(element):
            for anchor in _byline_links(element) or ():
                yield from _full_name(anchor, 0.65)
                yield from _account(document, anchor)
    for address, element in document.anchors:
        if _AUTHOR_PAGE.search(address.lower()) and not is_of_others(element):
            yield from _full_name(element, 0.6)
            yield from _account(document, element)


def author_byline(document: Document) -> Iterator[Candidate]:
    """Elements with an author or byline class that contain at least two words and no date."""
    for word in ("author", "byline"):
        for words, element in document.classed:
            if word in words and _byline_links(element) is not None and not is_of_others(element):
                text = text_of(element, limit=MAX_NAME * 2)
                if not parse_date(text):
                    yield from _full_name(element, 0.5)
                    if _PERSON_CLASS.search(words):
                        yield from _single_name(element, text)


def author_card(document: Document) -> Iterator[Candidate]:
    """Yield the formatted name, even of one word, in an author's hCard."""
    for words, element in document.classed:
        if "vcard" in words and "author" in words and not is_of_others(element):
            for part in islice(element.iterfind(".//*[@class]"), MAX_CARD_PARTS):
                is_name = _CARD_NAME & set((part.get("class") or "").lower().split())
                if is_name and fold(text := text_of(part, limit=MAX_NAME)) not in _NOBODY:
                    yield of_element(part, text, confidence=0.45)


def _account(document: Document, anchor: etree._Element) -> Iterator[Candidate]:
    """Yield a one-word name if the link's own URL confirms it, as on a user's page."""
    text = text_of(anchor, limit=MAX_NAME)
    address = absolute(anchor.get("href"), document.base)
    if address and len(text.split()) == 1 and fold(text) and same_site(address, document.url):
        last = unquote(parts_of(address).path).rstrip("/").rsplit("/", 1)[-1]
        if fold(last) == fold(text) and fold(text) not in _NOBODY:
            yield of_element(anchor, text, confidence=0.55)


def _single_name(element: etree._Element, text: str) -> Iterator[Candidate]:
    """Yield a one-word name in an element that holds only a name and no link."""
    name = _without_by(text)
    if len(name.split()) == 1 and fold(name) not in _NOBODY and element.tag != "a" and not len(element):
        yield of_element(element, text, confidence=0.45)


def _byline_links(element: etree._Element) -> list[etree._Element] | None:
    """Return the links of a possible byline. None if there are so many that it is a box about an author."""
    anchors = list(islice(element.iterfind(".//a"), MAX_BYLINE_LINKS + 1))
    return anchors if len(anchors) <= MAX_BYLINE_LINKS else None


def _full_name(element: etree._Element, confidence: float) -> Iterator[Candidate]:
    """Two words or more, because a single word is just as often a button."""
    text = text_of(element, limit=MAX_NAME * 2)
    if len(_without_by(text).split()) >= 2:
        yield of_element(element, text, confidence=confidence)


def publisher_json_ld(document: Document) -> Iterator[Candidate]:
    """Yield the JSON-LD publisher if its name is given inline."""
    yield from property_values(document, "publisher", confidence=0.95, follow=False)


def publisher_referenced(document: Document) -> Iterator[Candidate]:
    """Yield the organization that JSON-LD refers to as publisher: often the owner, not the publication."""
    yield from property_values(document, "publisher", confidence=0.75)


def publisher_logo(document: Document) -> Iterator[Candidate]:
    """Yield the text of a logo or brand element, or the text that replaces its picture."""
    for element in document.root.iterfind(".//*[@id='logo']"):
        yield of_element(element, text_of(element), confidence=0.6)
    for words, element in document.classed:
        if "logo" in words.split() or (element.tag == "a" and "brand" in words):
            yield of_element(element, text_of(element), confidence=0.55)
    for words, element in document.classed:
        if "logo" in words:
            for picture in element.iter("img"):
                yield of_element(picture, _LOGO_WORD.sub("", picture.get("alt") or ""), confidence=0.5)


def publisher_in_title(document: Document) -> Iterator[Candidate]:
    """Yield the last part of the title, after a dash or bar."""
    result = document.first_text("title")
    if result and len(parts := _TITLE_PART.split(result[0])) > 1:
        yield of_element(result[1], parts[-1], confidence=0.4, selector="title")


def publisher_like_domain(document: Document) -> Iterator[Candidate]:
    """Yield the part of the title that matches the site's domain."""
    label = fold(domain_label(document.url))
    result = document.first_text("title")
    if result is None or not label:
        return
    for part in _TITLE_PART.split(result[0]):
        if fold(part) == label:
            yield of_element(result[1], part, confidence=0.6, selector="title")


_APP_NAMES = tuple(f"twitter:app:name:{device}" for device in ("iphone", "ipad", "googleplay"))

_AUTHOR_KEYS = ("parsely-author", "sailthru.author", "dc.creator", "dcterms.creator", "citation_author", "dc.author")

AUTHOR = Precedence(
    cleaner=clean_author,
    rules=(
        author_json_ld,
        from_meta("author", confidence=0.9),
        from_meta("article:author", source="og", confidence=0.9),
        from_meta(*_AUTHOR_KEYS, confidence=0.85),
        author_itemprop,
        author_rel,
    ),
    fallbacks=(
        author_anchor,
        author_byline,
        author_card,
        from_meta("twitter:creator", source="twitter", confidence=0.4),
    ),
)
PUBLISHER = Precedence(
    cleaner=clean_publisher,
    rules=(
        publisher_json_ld,
        from_meta("og:site_name", source="og", confidence=0.95),
        from_meta("application-name", "apple-mobile-web-app-title", confidence=0.85),
        from_meta("al:ios:app_name", "al:android:app_name", confidence=0.8),
        from_meta("publisher", "dc.publisher", "dcterms.publisher", "citation_publisher", confidence=0.8),
        from_meta(*_APP_NAMES, source="twitter", confidence=0.75),
        publisher_referenced,
    ),
    fallbacks=(publisher_like_domain, publisher_logo, publisher_in_title),
)
