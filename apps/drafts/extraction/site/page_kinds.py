"""Classify a URL, a link or a page: about, pricing, faq, team, blog, contact, docs…"""

import re
from collections.abc import Iterable
from urllib.parse import unquote

from apps.core.web.urls import host_of, parts_of
from apps.drafts.extraction.document.addresses import domain_label, page_key
from apps.drafts.extraction.document.document import Document, text_of
from apps.drafts.extraction.document.titles import split_title
from apps.drafts.extraction.page.read_page import ReadPage
from apps.drafts.extraction.site.page_kind_words import KIND_OF, SMALL_WORDS, WEAK_KIND_OF
from apps.drafts.extraction.text.cleaning import fold, words_of

MAX_LINK_TEXT = 60
MAX_DEPTH = 3
MAX_HALVES_WORDS = 4
_ENDING = re.compile(r"\.(?:html?|php|aspx?|jsp)$", re.IGNORECASE)
# Below these paths, a word is the subject of an article, not a page of the company.
_LISTS = words_of("tag tags topic topics category categories section search archive archives")
LOCALE = re.compile(r"^[a-z]{2}(?:[-_][a-z]{2})?$", re.IGNORECASE)
_INDEXES = words_of("index home default overview start")
_BETWEEN_WORDS = re.compile(r"[\s/|·•»›→&+,]+")
_HALVES = re.compile(r"\s*(?:[&+/|,]|\s(?:and|und|et|y|e|en|och|og|i|и|ve)\s)\s*", re.IGNORECASE)


def linked_kinds(home: Document, urls: Iterable[str]) -> dict[str, str]:
    """Return the kind that the home page's first link to each page names, keyed by the page's identity."""
    wanted = {page_key(url) for url in urls}
    kinds: dict[str, str] = {}
    for address, element in home.anchors if wanted else ():
        key = page_key(address.split("#")[0])
        if (
            key in wanted
            and key not in kinds
            and (result := kind_of(address, text_of(element, limit=MAX_LINK_TEXT * 2)))
        ):
            kinds[key] = result[0]
    return kinds


def kind_of(address: str, text: str = "") -> tuple[str, float] | None:
    """Return the kind of page that a URL or its link's text names, with a score. None for other pages."""
    parts = parts_of(address)
    segments = [_ENDING.sub("", unquote(part)) for part in parts.path.split("/") if part]
    if segments and LOCALE.match(segments[0]):
        segments = segments[1:]
    if len(segments) > 1 and segments[-1].lower() in _INDEXES:
        segments = segments[:-1]
    depth = len(segments)
    if depth > MAX_DEPTH or _LISTS.intersection(part.lower() for part in segments):
        return None
    # The link text comes first, since /p/12 says nothing and a post's URL may contain any word.
    if text and len(text) <= MAX_LINK_TEXT and (result := _kind_of_words(text, address)):
        return result[0], result[1] + 0.5 - depth / 10
    if segments and (kind := KIND_OF.get(fold(segments[-1]))):
        return kind, 2.5 - depth / 2
    first = host_of(address).split(".")[0]
    if depth == 0 and (kind := KIND_OF.get(first)):
        return kind, 2.2
    if segments and (kind := WEAK_KIND_OF.get(fold(segments[-1]))):
        return kind, 1 - depth / 10
    return None


def _kind_of_words(text: str, address: str) -> tuple[str, float] | None:
    """Return the kind named by a link's words: alone, with the site's name or small words, or as one of two."""
    if kind := KIND_OF.get(fold(text)):
        return kind, 2.5
    words = [folded for word in _BETWEEN_WORDS.split(text) if (folded := fold(word))]
    result = [word for word in words if word not in SMALL_WORDS]
    if len(result) > 1 and any(word in KIND_OF for word in result):
        own = fold(domain_label(address))
        result = [word for word in result if word != own]
    if len(result) < len(words) and (kind := KIND_OF.get("".join(result))):
        return kind, 2.3
    halves = [fold(half) for half in _HALVES.split(text)] if len(words) <= MAX_HALVES_WORDS else []
    if len(halves) == 2 and (kind := next((KIND_OF[half] for half in halves if half in KIND_OF), None)):
        return kind, 2.2
    weak = WEAK_KIND_OF.get(fold(text))
    return (weak, 0.5) if weak else None


def kind_of_page(page: ReadPage) -> str | None:
    """Return about, pricing, faq, team, blog, contact, docs or changelog, by the URL, or else by heading or title."""
    if result := kind_of(page.url):
        return result[0]
    heading = page.document.first_text("h1")
    title = page.document.first_text("title")
    texts = [heading[0] if heading else "", *(split_title(title[0][:300], url=page.url)[:3] if title else ())]
    return next((kind for text in texts if (kind := KIND_OF.get(fold(text)))), None)
