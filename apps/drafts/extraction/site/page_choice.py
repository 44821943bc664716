"""Choose the pages of a site worth reading, by their URLs and the text of links to them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from urllib.parse import unquote

from lxml import etree

from apps.core.web.urls import host_of, parts_of
from apps.drafts.extraction.document.addresses import absolute, page_key, same_site
from apps.drafts.extraction.document.document import Document, text_of
from apps.drafts.extraction.site.page_kind_words import KINDS
from apps.drafts.extraction.site.page_kinds import LOCALE, MAX_LINK_TEXT, kind_of

MAX_PAGES = 8
MAX_SITEMAP_ADDRESSES = 5000

_FILE = re.compile(
    r"\.(?:pdf|zip|png|jpe?g|gif|svg|webp|mp4|mp3|dmg|exe|xml|json|ya?ml|txt|css|js|ics|docx?|xlsx?|gz)$",
    re.IGNORECASE,
)
_NEVER = re.compile(
    r"/(?:log-?in|log-?out|sign-?in|sign-?up|register|account|cart|checkout|wp-admin|feed)(?:/|$)",
    re.IGNORECASE,
)
# URLs of pages that are numbered.
_BY_NUMBER = re.compile(r"^(?:page_id|p|id|page)=\d+$")


@dataclass(frozen=True)
class Choice:
    """A page that may matter: its kind, and the score."""

    kind: str
    score: float
    address: str


def choose_pages(home: etree._Element, url: str, sitemap_urls: Iterable[str] = ()) -> list[str]:
    """Return up to 8 URLs of the same site, at most one for each kind of page that matters.

    Links on the home page count more than the sitemap, short URLs more than long ones, and the home page's language
    more than others. The home page itself, files, and sign-in pages are never chosen.
    """
    return [choice.address for choice in plan_pages(home, url, sitemap_urls)]


def plan_pages(home: etree._Element, url: str, sitemap_urls: Iterable[str] = ()) -> list[Choice]:
    """Return the pages that `choose_pages` names, each with its kind."""
    best: dict[str, Choice] = {}
    locale = _locale_of(url)
    for choice in (*_from_links(Document(home, url=url)), *_from_sitemap(url, sitemap_urls)):
        if _locale_of(choice.address) not in ("", locale):
            choice = replace(choice, score=choice.score - 0.3)
        current = best.get(choice.kind)
        if current is None or choice.score > current.score:
            best[choice.kind] = choice
    chosen: dict[str, Choice] = {}
    for kind in KINDS:
        if kind in best:
            chosen.setdefault(page_key(best[kind].address), best[kind])
    return list(chosen.values())[:MAX_PAGES]


def _locale_of(url: str) -> str:
    """Return the language prefix of a URL, such as "de" for /de/preise, or an empty string."""
    first = next((part for part in parts_of(url).path.split("/") if part), "")
    return first.lower()[:2] if LOCALE.match(first) else ""


def may_be_read(address: str, url: str) -> bool:
    """Return whether a link on a page at `url` leads to another page of the site with its own content."""
    return _may_be_chosen(address, url) and kind_of(address) is None


def leads_elsewhere(address: str) -> bool:
    """Return whether a URL has another one in its query, as redirects and share links do."""
    return "://" in unquote(parts_of(address).query)


def _from_links(document: Document) -> Iterator[Choice]:
    for address, element in document.anchors:
        if _may_be_chosen(address, document.url):
            text = text_of(element, limit=MAX_LINK_TEXT * 2)
            if result := kind_of(address, text):
                yield Choice(result[0], result[1] + 1, address.split("#")[0])


def _from_sitemap(url: str, sitemap_urls: Iterable[str]) -> Iterator[Choice]:
    for count, raw in enumerate(sitemap_urls):
        if count >= MAX_SITEMAP_ADDRESSES:
            return
        address = absolute(raw, url)
        if address and _may_be_chosen(address, url) and (result := kind_of(address)):
            yield Choice(*result, address.split("#")[0])


def _may_be_chosen(address: str, url: str) -> bool:
    path = parts_of(address).path
    is_entrance = (
        path in ("", "/") and not _BY_NUMBER.match(parts_of(address).query) and host_of(address) == host_of(url)
    )
    return (
        same_site(address, url)
        and not is_entrance
        and not leads_elsewhere(address)
        and page_key(address) != page_key(url)
        and not _FILE.search(path)
        and not _NEVER.search(path)
    )
