"""Rules for a page's own address, date and language."""

import re
from collections.abc import Iterator

from apps.drafts.extraction.addresses import absolute
from apps.drafts.extraction.candidates import Candidate, Rule, from_meta, of_element
from apps.drafts.extraction.dates import parse_date
from apps.drafts.extraction.document import Document, text_of
from apps.drafts.extraction.structured import property_values
from apps.drafts.extraction.text import clean

MAX_DATE_TEXT = 200

_LANGUAGE = re.compile(r"^([a-z]{2,3})(?:[-_][a-z0-9]{2,8})*$", re.IGNORECASE)


def clean_url(value: str, document: Document) -> str | None:
    """A sound absolute address without fragment."""
    address = absolute(value.replace("&amp;", "&"), document.url)
    return address.split("#")[0] if address else None


def clean_date(value: str, _: Document) -> str | None:
    """A moment in UTC, or a day."""
    return parse_date(clean(value))


def clean_lang(value: str, _: Document) -> str | None:
    """A language code of two or three letters, in lower case, without region."""
    found = _LANGUAGE.match(value.strip())
    return found[1].lower() if found and found[1].lower() not in ("und", "mul", "zxx") else None


def url_link(document: Document) -> Iterator[Candidate]:
    """The canonical link."""
    for rel, address, element in document.links:
        if "canonical" in rel:
            yield of_element(element, address, confidence=0.95, selector='link[rel="canonical"]')


def url_given(document: Document) -> Iterator[Candidate]:
    """The address the page was fetched from."""
    yield Candidate(document.url, "text", "", 0.5, None, document.url)


def date_json_ld(document: Document, *names: str) -> Iterator[Candidate]:
    """Dates of the page's main node."""
    for name in names:
        yield from property_values(document, name, confidence=0.95)


def modified_json_ld(document: Document) -> Iterator[Candidate]:
    """When JSON-LD says the page was changed."""
    yield from date_json_ld(document, "dateModified")


def published_json_ld(document: Document) -> Iterator[Candidate]:
    """When JSON-LD says the page was published."""
    yield from date_json_ld(document, "datePublished", "dateCreated", "uploadDate")


def date_meta(document: Document, word: str) -> Iterator[Candidate]:
    """Meta tags whose key contains a word, such as article:published_time or og:modified_time."""
    for key, metas in document.metas.items():
        if word in key:
            for meta in metas:
                yield Candidate(meta.content, "meta", meta.selector, 0.9, meta.element)


def modified_meta(document: Document) -> Iterator[Candidate]:
    """When meta tags say the page was changed."""
    yield from date_meta(document, "modified_time")


def published_meta(document: Document) -> Iterator[Candidate]:
    """When meta tags say the page was published."""
    yield from date_meta(document, "published_time")


def date_itemprop(document: Document) -> Iterator[Candidate]:
    """Microdata dates: changed, then published, then any."""
    for wanted in ("datemodified", "datepublished", "date"):
        for names, element in document.itemprops:
            if any(wanted in name for name in names):
                value = element.get("content") or element.get("datetime") or element.get("title")
                yield of_element(
                    element,
                    value or text_of(element, limit=MAX_DATE_TEXT),
                    source="itemprop",
                    confidence=0.85,
                )


def date_time_tag(document: Document) -> Iterator[Candidate]:
    """The time elements of the page."""
    for element in document.root.iter("time"):
        if value := element.get("datetime"):
            yield of_element(element, value, confidence=0.6)


def date_classed(document: Document) -> Iterator[Candidate]:
    """Short texts in elements whose class or id says byline, publication, date or time."""
    for word in ("publish", "byline", "date", "time"):
        for words, element in document.classed:
            if word in words or word in (element.get("id") or "").lower():
                text = text_of(element, limit=MAX_DATE_TEXT)
                if len(text) <= MAX_DATE_TEXT:
                    yield of_element(element, text, confidence=0.5)


def lang_html(document: Document) -> Iterator[Candidate]:
    """The language of the html element."""
    for name in ("lang", "{http://www.w3.org/XML/1998/namespace}lang", "xml:lang"):
        if value := document.root.get(name):
            yield of_element(document.root, value, confidence=0.95, selector=f"html[{name[-4:]}]")


def lang_json_ld(document: Document) -> Iterator[Candidate]:
    """What JSON-LD calls inLanguage."""
    yield from property_values(document, "inLanguage", key="alternateName", confidence=0.8)


URL_RULES: tuple[Rule, ...] = (
    from_meta("og:url", source="og", confidence=0.9),
    from_meta("twitter:url", source="twitter", confidence=0.8),
    url_link,
    url_given,
)
DATE_RULES: tuple[Rule, ...] = (
    modified_json_ld,
    modified_meta,
    published_json_ld,
    published_meta,
    from_meta(
        "date",
        "dc.date",
        "dcterms.date",
        "dc.date.issued",
        "pubdate",
        "publish-date",
        "parsely-pub-date",
        confidence=0.85,
    ),
    date_itemprop,
)
DATE_FALLBACKS: tuple[Rule, ...] = (date_time_tag, date_classed)
LANG_RULES: tuple[Rule, ...] = (
    lang_html,
    from_meta("og:locale", source="og", confidence=0.8),
    lang_json_ld,
    from_meta("content-language", "inlanguage", "dc.language", "language", confidence=0.7),
)
