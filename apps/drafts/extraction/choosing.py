"""Which pages of a site are worth reading, judged by their addresses and the words that link to them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from lxml import etree

from apps.core.web_addresses import host_of, parts_of
from apps.drafts.extraction.addresses import absolute, page_key, same_site
from apps.drafts.extraction.document import Document, text_of
from apps.drafts.extraction.page_words import KIND_OF, KINDS
from apps.drafts.extraction.text import fold, words_of

MAX_PAGES = 8
MAX_SITEMAP_ADDRESSES = 5000
MAX_LINK_TEXT = 60
MAX_DEPTH = 3

_FILE = re.compile(
    r"\.(?:pdf|zip|png|jpe?g|gif|svg|webp|mp4|mp3|dmg|exe|xml|json|ya?ml|txt|css|js|ics|docx?|xlsx?|gz)$",
    re.IGNORECASE,
)
_ENDING = re.compile(r"\.(?:html?|php|aspx?|jsp)$", re.IGNORECASE)
_NEVER = re.compile(
    r"/(?:log-?in|log-?out|sign-?in|sign-?up|register|account|cart|checkout|wp-admin|feed)(?:/|$)",
    re.IGNORECASE,
)
# Below these, a word is a subject people write about, not a page of the company.
_LISTS = words_of("tag tags topic topics category categories section search archive archives")
_LOCALE = re.compile(r"^[a-z]{2}(?:[-_][a-z]{2})?$", re.IGNORECASE)


@dataclass(frozen=True)
class Choice:
    """A page that may matter: of which kind, and how surely."""

    kind: str
    score: float
    address: str


def choose_pages(home: etree._Element, url: str, sitemap_urls: Iterable[str] = ()) -> list[str]:
    """Up to 8 addresses of the same site, at most one for each kind of page that matters.

    Links of the home page count more than the sitemap, short addresses more than long ones. The home page
    itself, files, and sign-in pages are never chosen.
    """
    best: dict[str, Choice] = {}
    for choice in (*_from_links(Document(home, url=url)), *_from_sitemap(url, sitemap_urls)):
        kept = best.get(choice.kind)
        if kept is None or choice.score > kept.score:
            best[choice.kind] = choice
    chosen: dict[str, str] = {}
    for kind in KINDS:
        if kind in best:
            chosen.setdefault(page_key(best[kind].address), best[kind].address)
    return list(chosen.values())[:MAX_PAGES]


def kind_of(address: str, text: str = "") -> tuple[str, float] | None:
    """The kind of page that an address or its link's text names, with a score; None for all others."""
    parts = parts_of(address)
    segments = [_ENDING.sub("", unquote(part)) for part in parts.path.split("/") if part]
    if segments and _LOCALE.match(segments[0]):
        segments = segments[1:]
    depth = len(segments)
    if depth > MAX_DEPTH or _LISTS.intersection(part.lower() for part in segments):
        return None
    # The words of the link come first, since /p/12 says nothing and a post's address may contain any word.
    if text and len(text) <= MAX_LINK_TEXT and (kind := KIND_OF.get(fold(text))):
        return kind, 3 - depth / 10
    if segments and (kind := KIND_OF.get(fold(segments[-1]))):
        return kind, 2.5 - depth / 2
    first = host_of(address).split(".")[0]
    if depth == 0 and (kind := KIND_OF.get(first)):
        return kind, 2.2
    return None


def leads_elsewhere(address: str) -> bool:
    """Whether an address carries another in its query, as redirects and share links do."""
    return "://" in unquote(parts_of(address).query)


def _from_links(document: Document) -> Iterator[Choice]:
    for address, element in document.anchors:
        if _may_be_chosen(address, document.url):
            text = text_of(element, limit=MAX_LINK_TEXT * 2)
            if found := kind_of(address, text):
                yield Choice(found[0], found[1] + 1, address.split("#")[0])


def _from_sitemap(url: str, sitemap_urls: Iterable[str]) -> Iterator[Choice]:
    for count, raw in enumerate(sitemap_urls):
        if count >= MAX_SITEMAP_ADDRESSES:
            return
        address = absolute(raw, url)
        if address and _may_be_chosen(address, url) and (found := kind_of(address)):
            yield Choice(*found, address.split("#")[0])


def _may_be_chosen(address: str, url: str) -> bool:
    path = parts_of(address).path
    is_entrance = path in ("", "/") and host_of(address) == host_of(url)
    return (
        same_site(address, url)
        and not is_entrance
        and not leads_elsewhere(address)
        and page_key(address) != page_key(url)
        and not _FILE.search(path)
        and not _NEVER.search(path)
    )
