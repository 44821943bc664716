"""Which pages of a site are worth reading, judged by their addresses and the words that link to them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from urllib.parse import unquote

from lxml import etree

from apps.core.web.urls import host_of, parts_of
from apps.drafts.extraction.document.addresses import absolute, domain_label, page_key, same_site
from apps.drafts.extraction.document.document import Document, text_of
from apps.drafts.extraction.site.page_words import KIND_OF, KINDS, SMALL_WORDS, WEAK_KIND_OF
from apps.drafts.extraction.text.words import fold, words_of

MAX_PAGES = 8
MAX_SITEMAP_ADDRESSES = 5000
MAX_LINK_TEXT = 60
MAX_DEPTH = 3
MAX_HALVES_WORDS = 4

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
_INDEXES = words_of("index home default overview start")
# Pages that have a number in place of an address.
_BY_NUMBER = re.compile(r"^(?:page_id|p|id|page)=\d+$")
_BETWEEN_WORDS = re.compile(r"[\s/|·•»›→&+,]+")
_HALVES = re.compile(r"\s*(?:[&+/|,]|\s(?:and|und|et|y|e|en|och|og|i|и|ve)\s)\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Choice:
    """A page that may matter: of which kind, and how surely."""

    kind: str
    score: float
    address: str


def choose_pages(home: etree._Element, url: str, sitemap_urls: Iterable[str] = ()) -> list[str]:
    """Up to 8 addresses of the same site, at most one for each kind of page that matters.

    Links of the home page count more than the sitemap, short addresses more than long ones, and those in the home
    page's language more than others. The home page itself, files, and sign-in pages are never chosen.
    """
    return [choice.address for choice in plan_pages(home, url, sitemap_urls)]


def plan_pages(home: etree._Element, url: str, sitemap_urls: Iterable[str] = ()) -> list[Choice]:
    """The pages that `choose_pages` names, each with its kind."""
    best: dict[str, Choice] = {}
    locale = _locale_of(url)
    for choice in (*_from_links(Document(home, url=url)), *_from_sitemap(url, sitemap_urls)):
        if _locale_of(choice.address) not in ("", locale):
            choice = replace(choice, score=choice.score - 0.3)
        kept = best.get(choice.kind)
        if kept is None or choice.score > kept.score:
            best[choice.kind] = choice
    chosen: dict[str, Choice] = {}
    for kind in KINDS:
        if kind in best:
            chosen.setdefault(page_key(best[kind].address), best[kind])
    return list(chosen.values())[:MAX_PAGES]


def linked_kinds(home: Document, urls: Iterable[str]) -> dict[str, str]:
    """The kind of page, by what identifies it, that the home page's links to each of these addresses name first."""
    wanted = {page_key(url) for url in urls}
    kinds: dict[str, str] = {}
    for address, element in home.anchors if wanted else ():
        key = page_key(address.split("#")[0])
        if (
            key in wanted
            and key not in kinds
            and (found := kind_of(address, text_of(element, limit=MAX_LINK_TEXT * 2)))
        ):
            kinds[key] = found[0]
    return kinds


def kind_of(address: str, text: str = "") -> tuple[str, float] | None:
    """The kind of page that an address or its link's text names, with a score; None for all others."""
    parts = parts_of(address)
    segments = [_ENDING.sub("", unquote(part)) for part in parts.path.split("/") if part]
    if segments and _LOCALE.match(segments[0]):
        segments = segments[1:]
    if len(segments) > 1 and segments[-1].lower() in _INDEXES:
        segments = segments[:-1]
    depth = len(segments)
    if depth > MAX_DEPTH or _LISTS.intersection(part.lower() for part in segments):
        return None
    # The words of the link come first, since /p/12 says nothing and a post's address may contain any word.
    if text and len(text) <= MAX_LINK_TEXT and (found := _kind_of_words(text, address)):
        return found[0], found[1] + 0.5 - depth / 10
    if segments and (kind := KIND_OF.get(fold(segments[-1]))):
        return kind, 2.5 - depth / 2
    first = host_of(address).split(".")[0]
    if depth == 0 and (kind := KIND_OF.get(first)):
        return kind, 2.2
    if segments and (kind := WEAK_KIND_OF.get(fold(segments[-1]))):
        return kind, 1 - depth / 10
    return None


def _kind_of_words(text: str, address: str) -> tuple[str, float] | None:
    """The kind that a link's words name: alone, beside the site's own name or small words, or as one of two."""
    if kind := KIND_OF.get(fold(text)):
        return kind, 2.5
    words = [folded for word in _BETWEEN_WORDS.split(text) if (folded := fold(word))]
    kept = [word for word in words if word not in SMALL_WORDS]
    if len(kept) > 1 and any(word in KIND_OF for word in kept):
        own = fold(domain_label(address))
        kept = [word for word in kept if word != own]
    if len(kept) < len(words) and (kind := KIND_OF.get("".join(kept))):
        return kind, 2.3
    halves = [fold(half) for half in _HALVES.split(text)] if len(words) <= MAX_HALVES_WORDS else []
    if len(halves) == 2 and (kind := next((KIND_OF[half] for half in halves if half in KIND_OF), None)):
        return kind, 2.2
    weak = WEAK_KIND_OF.get(fold(text))
    return (weak, 0.5) if weak else None


def _locale_of(url: str) -> str:
    """The language that an address begins with, such as "de" for /de/preise; empty without."""
    first = next((part for part in parts_of(url).path.split("/") if part), "")
    return first.lower()[:2] if _LOCALE.match(first) else ""


def may_be_read(address: str, url: str) -> bool:
    """Whether a link of a page at `url` leads to another page of the site that says something for itself."""
    return _may_be_chosen(address, url) and kind_of(address) is None


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
