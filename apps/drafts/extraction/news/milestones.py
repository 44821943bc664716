"""Find milestones in a company's changelog and blog: entries with a visible date."""

import logging
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice

from lxml import etree

from apps.drafts.extraction.document.addresses import page_key
from apps.drafts.extraction.document.document import Document, snippet_of, text_of
from apps.drafts.extraction.document.json_ld import Json, Node, strings, types_of
from apps.drafts.extraction.document.titles import split_title
from apps.drafts.extraction.news.announcement_words import NEWS_PAGES, announces
from apps.drafts.extraction.news.days import MAX_DATE_TEXT, MAX_LINE, MAX_TITLE
from apps.drafts.extraction.news.entries import (
    MAX_DESCRIPTION,
    MIN_DESCRIPTION,
    DatedEntry,
    is_title,
    own_page,
    shown_entries,
)
from apps.drafts.extraction.page.body_text import stated_day
from apps.drafts.extraction.page.read_page import Entry, Find, ReadPage, finds_of
from apps.drafts.extraction.site.page_choice import may_be_read
from apps.drafts.extraction.site.page_kinds import kind_of_page, linked_kinds
from apps.drafts.extraction.text.cleaning import clean, cut, fold, weight_of, words_of
from apps.drafts.extraction.text.dates import find_day

logger = logging.getLogger(__name__)

MAX_MILESTONES = 8
MAX_POSTS = 3
MAX_DECLARED = 100
MAX_PARAGRAPHS = 20
MAX_CLIMB = 12

# An unexpected page must not stop the crawl; it only loses its posts.
_UNFORESEEN = (ValueError, TypeError, LookupError, AttributeError, RecursionError, etree.LxmlError)
_ARTICLES = words_of("article newsarticle blogposting techarticle socialmediaposting")
_LISTS = ("blogPost", "blogPosts", "itemListElement", "hasPart", "mainEntity")
_DAYS = ("datePublished", "dateCreated")
# The third number of a version counts fixes.
_REPAIR = re.compile(r"^\D{0,12}\d+\.\d+\.(?:[1-9]\d*)\b")
_DAY_META = ("article:published_time", "og:article:published_time", "date", "dc.date", "pubdate", "publish-date")


def find_milestones(pages: Sequence[ReadPage]) -> list[Entry]:
    """Return at most 8 dated releases and announcements, newest first. The first page is the home page.

    Every entry of a changelog or newsroom counts. Of a blog, only announcements count, and of single posts those that
    such a page links to. Fixes come after releases when there are too many. Future dates are left out.
    """
    today = datetime.now(UTC).date().isoformat()
    result: dict[str, tuple[DatedEntry, ReadPage]] = {}
    for page, entry in _entries(pages):
        known = result.get(fold(entry.title))
        if entry.day <= today and (known is None or known[0].confidence < entry.confidence):
            result[fold(entry.title)] = entry, page
    ranked = sorted(result.values(), key=lambda pair: pair[0].day, reverse=True)
    ranked.sort(key=lambda pair: bool(_REPAIR.match(pair[0].title)))
    chosen = sorted(ranked[:MAX_MILESTONES], key=lambda pair: pair[0].day, reverse=True)
    return [_proposed(entry, page) for entry, page in chosen]


def choose_posts(pages: Sequence[ReadPage]) -> list[str]:
    """Return up to 3 posts linked from the last page that may be milestones, but have no visible date there.

    The first page is the home page. Empty unless the last page is a changelog or a blog.
    """
    try:
        return _undated_posts(pages) if len(pages) > 1 else []
    except _UNFORESEEN:
        logger.exception("Choosing posts failed")
        return []


def _undated_posts(pages: Sequence[ReadPage]) -> list[str]:
    page = pages[-1]
    if _news_kind(page, linked_kinds(pages[0].document, [page.url])) is None:
        return []
    known = {page_key(other.url) for other in pages}
    dated = {fold(entry.title) for entry in _index_entries(page)}
    chosen: dict[str, str] = {}
    for address, element in page.document.anchors:
        title = text_of(element, limit=MAX_TITLE * 2)
        key = page_key(address.split("#")[0])
        is_post = len(title.split()) > 1 and is_title(title) and fold(title) not in dated
        if is_post and announces(title) and key not in known and may_be_read(address, page.url):
            chosen.setdefault(key, address.split("#")[0])
        if len(chosen) >= MAX_POSTS:
            break
    return list(chosen.values())


def _entries(pages: Sequence[ReadPage]) -> Iterator[tuple[ReadPage, DatedEntry]]:
    others = pages[1:]
    kinds = linked_kinds(pages[0].document, [page.url for page in others])
    linked: set[str] = set()
    rest = []
    for page in others:
        news = _news_kind(page, kinds)
        if news is None:
            rest.append(page)
            continue
        linked.update(page_key(address.split("#")[0]) for address, _ in page.document.anchors)
        for entry in _index_entries(page):
            if news == "changelog" or announces(entry.title):
                yield page, entry
    for page in rest:
        if page_key(page.url) in linked and (post := _post(page, pages[0])) is not None and announces(post.title):
            yield page, post


def _news_kind(page: ReadPage, kinds: dict[str, str]) -> str | None:
    """Return `changelog` if every entry is news, `blog` if some are, and None for other pages and single posts."""
    kind = kinds.get(page_key(page.url))
    if kind is None and not _is_article(page.document):
        kind = kind_of_page(page)
    if kind != "blog":
        return kind if kind == "changelog" else None
    heading = page.document.first_text("h1")
    names = (page.url.split("?")[0].rstrip("/").rsplit("/", 1)[-1], heading[0] if heading else "")
    return "changelog" if any(fold(name) in NEWS_PAGES for name in names) else "blog"


def _is_article(document: Document) -> bool:
    metas = document.metas.get("og:type", ())
    return any(meta.content.lower() == "article" for meta in metas) or any(document.json_ld.of_type(_ARTICLES))


def _index_entries(page: ReadPage) -> list[DatedEntry]:
    return [*_declared(page.document), *shown_entries(page.document)]


def _declared(document: Document) -> Iterator[DatedEntry]:
    """Yield posts in JSON-LD, except the page itself."""
    for node in islice(_article_nodes(document), MAX_DECLARED):
        title = clean(next(iter(strings(node.get("headline")) or strings(node.get("name"))), ""))
        url = next(iter(strings(node.get("url"), key="@id") or strings(node.get("mainEntityOfPage"), key="@id")), "")
        if page_key(url) != page_key(document.url) and is_title(title) and (entry := _of_node(node, title, document)):
            yield entry


def _article_nodes(document: Document) -> Iterator[Node]:
    for node in document.json_ld.nodes:
        if types_of(node) & _ARTICLES:
            yield node
        for key in _LISTS:
            for inner in _members(document, node.get(key)):
                if types_of(inner) & _ARTICLES:
                    yield inner


def _members(document: Document, value: Json) -> Iterator[Node]:
    for item in islice(value if isinstance(value, list) else [value], MAX_DECLARED):
        inner = document.json_ld.resolve(item)
        if isinstance(inner, dict) and isinstance(inner.get("item"), dict):
            inner = document.json_ld.resolve(inner["item"])
        if isinstance(inner, dict):
            yield inner


def _of_node(node: Node, title: str, document: Document) -> DatedEntry | None:
    """Return the description of a JSON-LD node, for an entry with this title."""
    for key in _DAYS:
        for value in strings(node.get(key), limit=1):
            if day := find_day(value):
                text = clean(next(iter(strings(node.get("description"), limit=1)), ""))
                address = next(iter(strings(node.get("url"), key="@id", limit=1)), "")
                snippet = f'"{key}": "{value[:60]}", "headline": "{title}"'
                selector = f'script[type="application/ld+json"] {key}'
                url = own_page(address, document)
                description = cut(text, MAX_DESCRIPTION) if _tells_more(text, title) else ""
                return DatedEntry(day.iso, cut(title, MAX_TITLE), description, url, "json_ld", selector, snippet, 0.9)
    return None


def _post(page: ReadPage, home: ReadPage) -> DatedEntry | None:
    """Return the entry of a single post: its headline, with the date it declares or shows."""
    document = page.document
    heading = document.first_text("h1")
    facts = page.facts
    titles = [heading[0]] if heading else split_title(facts.title.value, url=page.url)[:1] if facts.title else []
    if not titles or not is_title(titles[0]):
        return None
    title = cut(titles[0], MAX_TITLE)
    description = _description_of(page, home, title, heading[1] if heading else None)
    url = page.url if page.url.startswith("https://") else ""
    for node in islice(_article_nodes(document), 3):
        if entry := _of_node(node, title, document):
            return DatedEntry(entry.day, title, description, url, "json_ld", entry.selector, entry.snippet, 0.9)
    for key in _DAY_META:
        for meta in document.metas.get(key, ()):
            if day := find_day(meta.content[:80]):
                return DatedEntry(
                    day.iso, title, description, url, "meta", meta.selector, snippet_of(meta.element), 0.9
                )
    if (stated := stated_day(page)) is None:
        return None
    return DatedEntry(stated.value, title, description, url, stated.source, stated.selector, stated.snippet, 0.7)


def _tells_more(text: str, title: str) -> bool:
    """Return whether a description adds to the title, rather than repeat it or name a version."""
    has_words = len(text.split()) > 2 or not text.isascii()
    return has_words and weight_of(text) >= MIN_DESCRIPTION and fold(text) not in fold(title)


def _description_of(page: ReadPage, home: ReadPage, title: str, heading: etree._Element | None) -> str:
    """Return the post's own description (not the site's), or the first paragraph of its text."""
    of_site = {fold(find.value) for find in finds_of(home.facts.description, home)}
    for find in finds_of(page.facts.description, page):
        if find.source != "text" and fold(find.value) not in of_site and _tells_more(find.value, title):
            return cut(find.value, MAX_DESCRIPTION)
    for text in _paragraphs(page.document, heading):
        if _tells_more(text, title) and find_day(text[:MAX_DATE_TEXT]) is None:
            return cut(text, MAX_DESCRIPTION)
    return ""


def _paragraphs(document: Document, heading: etree._Element | None) -> Iterator[str]:
    """Return the paragraphs of the article around a heading, or of the page's only article."""
    around = islice(heading.iterancestors(), MAX_CLIMB) if heading is not None else ()
    frame = next((parent for parent in around if parent.tag in ("article", "main")), None)
    if frame is None:
        frame = next(document.root.iter("article", "main"), None)
    if frame is not None:
        yield from (text_of(element, limit=MAX_LINE * 2) for element in islice(frame.iter("p"), MAX_PARAGRAPHS))


def _proposed(entry: DatedEntry, page: ReadPage) -> Entry:
    value = {"date": entry.day, "title": entry.title, "description": entry.description, "url": entry.url}
    return Entry(value, [Find(entry.title, page, entry.source, entry.selector, entry.snippet, entry.confidence)])
