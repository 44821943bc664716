"""Rules for a page's own URL, date and language."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from apps.drafts.extraction.document.addresses import absolute
from apps.drafts.extraction.document.document import Document, text_of
from apps.drafts.extraction.page.candidates import (
    Candidate,
    Precedence,
    from_meta,
    is_of_others,
    of_element,
    of_meta,
    property_values,
)
from apps.drafts.extraction.page.facts import DateKind
from apps.drafts.extraction.text.cleaning import clean
from apps.drafts.extraction.text.dates import parse_date

MAX_DATE_TEXT = 200
MAX_TIMES = 500
MAX_HEADING_LINES = 6
MAX_DATE_LINE = 40

# Class names in blogs and content systems for the line with a post's date and author.
_POST_WORDS = ("post-meta", "entry-meta", "article-meta", "submitted")

# Languages that pages still write with three letters (ISO 639-2), although the web uses two (ISO 639-1).
_TWO_LETTERS = {
    code: short
    for short, codes in (
        *(("ar", "ara"), ("bg", "bul"), ("ca", "cat"), ("cs", "ces cze"), ("da", "dan"), ("de", "deu ger")),
        *(("el", "ell gre"), ("en", "eng"), ("es", "spa"), ("et", "est"), ("fa", "fas per"), ("fi", "fin")),
        *(("fr", "fra fre"), ("he", "heb"), ("hi", "hin"), ("hr", "hrv"), ("hu", "hun"), ("id", "ind")),
        *(("it", "ita"), ("ja", "jpn"), ("ko", "kor"), ("lt", "lit"), ("lv", "lav"), ("nl", "nld dut")),
        *(("no", "nor"), ("pl", "pol"), ("pt", "por"), ("ro", "ron rum"), ("ru", "rus"), ("sk", "slk slo")),
        *(("sl", "slv"), ("sr", "srp"), ("sv", "swe"), ("th", "tha"), ("tr", "tur"), ("uk", "ukr")),
        *(("vi", "vie"), ("zh", "zho chi")),
    )
    for code in codes.split()
}
_PUBLISHED = ("datePublished", "dateCreated", "uploadDate")
_MODIFIED = ("dateModified",)
_LANGUAGE = re.compile(r"^([a-z]{2,3})(?:[-_][a-z0-9]{2,8})*$", re.IGNORECASE)


def clean_url(value: str, document: Document) -> str | None:
    """Return a valid absolute URL without fragment."""
    address = absolute(value.replace("&amp;", "&"), document.url)
    return address.split("#")[0] if address else None


def clean_date(value: str, _: Document) -> str | None:
    """Return a moment in UTC, or a day."""
    return parse_date(clean(value))


def clean_lang(value: str, _: Document) -> str | None:
    """Return a language code in lower case, without region: two letters where the language has such a code."""
    result = _LANGUAGE.match(value.strip())
    code = result[1].lower() if result else ""
    return None if code in ("", "und", "mul", "zxx") else _TWO_LETTERS.get(code, code)


def url_link(document: Document) -> Iterator[Candidate]:
    """Yield the canonical link."""
    for _, address, element in document.links_as("canonical"):
        yield of_element(element, address, confidence=0.95, selector='link[rel="canonical"]')


def url_default(document: Document) -> Iterator[Candidate]:
    """Yield the x-default alternate of a page in several languages."""
    for _, address, element in document.links_as("alternate"):
        if (element.get("hreflang") or "").strip().lower() == "x-default":
            yield of_element(element, address, confidence=0.6, selector='link[hreflang="x-default"]')


def url_given(document: Document) -> Iterator[Candidate]:
    """Yield the URL the page was fetched from."""
    yield Candidate(document.url, "text", "", 0.5, None, document.url)


def published(document: Document) -> Iterator[Candidate]:
    """Yield declared dates of publication: in JSON-LD, meta tags and microdata."""
    yield from _of_kind("published", _declared(document, _PUBLISHED, word="published_time", property_="datepublished"))


def modified(document: Document) -> Iterator[Candidate]:
    """Yield declared dates of the last change: in JSON-LD, meta tags and microdata."""
    yield from _of_kind("modified", _declared(document, _MODIFIED, word="modified_time", property_="datemodified"))


def date_itemprop(document: Document) -> Iterator[Candidate]:
    """Yield any other date in microdata."""
    yield from _date_itemprop(document, "date", without="modified")


def _of_kind(kind: DateKind, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    yield from (replace(candidate, kind=kind) for candidate in candidates)


def _declared(document: Document, names: tuple[str, ...], *, word: str, property_: str) -> Iterator[Candidate]:
    for name in names:
        yield from property_values(document, name, confidence=0.95)
    # Keys such as article:published_time or og:modified_time.
    for key, metas in document.metas.items():
        for meta in metas if word in key else ():
            yield Candidate(meta.content, "meta", meta.selector, 0.9, meta.element)
    yield from _date_itemprop(document, property_)


def _date_itemprop(document: Document, wanted: str, *, without: str = " ") -> Iterator[Candidate]:
    for names, element in document.itemprops:
        if any(wanted in name and without not in name for name in names):
            value = element.get("content") or element.get("datetime") or element.get("title")
            text = value or text_of(element, limit=MAX_DATE_TEXT)
            yield of_element(element, text, source="itemprop", confidence=0.85)


def date_time_tag(document: Document) -> Iterator[Candidate]:
    """Yield time elements, those with a machine-readable date first."""
    for element in islice(document.root.iterfind(".//time[@datetime]"), MAX_TIMES):
        if not is_of_others(element):
            yield of_element(element, element.get("datetime") or "", confidence=0.6)
    for element in islice(document.root.iterfind(".//time"), MAX_TIMES):
        if not is_of_others(element):
            yield of_element(element, text_of(element, limit=MAX_DATE_TEXT), confidence=0.5)


def published_classed(document: Document) -> Iterator[Candidate]:
    """Yield short texts in elements whose class or id names the publication date."""
    for word in ("publish", "publicat"):
        yield from _of_kind("published", _date_classed(document, word))


def date_classed(document: Document) -> Iterator[Candidate]:
    """Yield short texts in elements whose class or id says byline, date or time, then in post meta lines."""
    for word in ("byline", "date", "time"):
        yield from _date_classed(document, word)
    yield from _date_classed(document, *_POST_WORDS)


def _date_classed(document: Document, *wanted: str) -> Iterator[Candidate]:
    for words, element in document.classed:
        named = f"{words} {identity.lower()}" if (identity := element.get("id")) else words
        if any(word in named for word in wanted) and not is_of_others(element):
            # Long enough that a long text with its white space removed does not pass for a short one.
            text = text_of(element, limit=5 * MAX_DATE_TEXT)
            if len(text) <= MAX_DATE_TEXT:
                yield of_element(element, text, confidence=0.5)


def date_heading_post(document: Document) -> Iterator[Candidate]:
    """Yield a line that is little more than a date, near the top of the only post on a page."""
    posts = [element for words, element in document.classed if "hentry" in words.split()]
    if len(posts) == 1:
        for element in islice(posts[0].iterdescendants("p", "div", "span", "small"), MAX_HEADING_LINES):
            text = text_of(element, limit=MAX_DATE_TEXT)
            if len(text) <= MAX_DATE_LINE and not is_of_others(element):
                yield of_element(element, text, confidence=0.4)


def lang_html(document: Document) -> Iterator[Candidate]:
    """Yield the language of the html element."""
    for name in ("lang", "{http://www.w3.org/XML/1998/namespace}lang", "xml:lang"):
        if value := document.root.get(name):
            yield of_element(document.root, value, confidence=0.95, selector=f"html[{name[-4:]}]")


def lang_itemprop(document: Document) -> Iterator[Candidate]:
    """Yield microdata for the page's language."""
    for meta in document.metas.get("inlanguage", ()):
        yield of_meta(meta, source="meta", confidence=0.85)


def lang_json_ld(document: Document) -> Iterator[Candidate]:
    """Yield JSON-LD inLanguage."""
    yield from property_values(document, "inLanguage", key="alternateName", confidence=0.8)


_DATE_KEYS = (
    *("date", "pubdate", "publishdate", "publish-date", "publish_date", "publication_date", "creation_date"),
    *("article.published", "article:published", "parsely-pub-date", "sailthru.date", "datepublished"),
    *("dc.date", "dc.date.issued", "dc.date.created", "dcterms.date", "dcterms.issued", "dcterms.created"),
    *("citation_publication_date", "citation_date"),
)
URL = Precedence(
    cleaner=clean_url,
    rules=(
        from_meta("og:url", source="og", confidence=0.9),
        from_meta("twitter:url", source="twitter", confidence=0.8),
        url_link,
        url_default,
        url_given,
    ),
)
DATE = Precedence(
    cleaner=clean_date,
    # What was published once, and then changed, is as old as its publication.
    rules=(published, from_meta(*_DATE_KEYS, confidence=0.85), date_itemprop, published_classed, modified),
    fallbacks=(date_time_tag, date_classed, date_heading_post),
)
MODIFIED = Precedence(cleaner=clean_date, rules=(modified,))
LANG = Precedence(
    cleaner=clean_lang,
    rules=(
        # Deliberate declarations of the content's language come before an attribute that themes and starters fill in.
        from_meta("og:locale", source="og", confidence=0.9),
        lang_itemprop,
        lang_html,
        lang_json_ld,
        from_meta("content-language", "inlanguage", "dc.language", "language", confidence=0.7),
    ),
)
