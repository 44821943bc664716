"""The sources of a draft's values in people's words, such as "Home page, meta description"."""

import re
from html import unescape

from apps.core.web.urls import parts_of

_PAGES = {
    "home": "Home page",
    "about": "About page",
    "pricing": "Pricing page",
    "faq": "FAQ page",
    "team": "Team page",
    "blog": "Blog",
    "contact": "Contact page",
    "docs": "Documentation",
    "changelog": "Changelog",
}
_LONGEST_PATH = 60

_TITLE, _TEXT, _PICTURE, _SITE = "link preview title", "link preview text", "link preview image", "site name"
_META = {
    "description": "meta description",
    "author": "author",
    "og:title": _TITLE,
    "og:description": _TEXT,
    "og:site_name": _SITE,
    "og:logo": "logo",
    "og:locale": "language",
    "twitter:title": _TITLE,
    "twitter:description": _TEXT,
    "twitter:site": "X account",
    "twitter:creator": "X account",
    "application-name": _SITE,
    "apple-mobile-web-app-title": _SITE,
    "msapplication-tileimage": "site icon",
}
_PREVIEW_PICTURES = ("og:image", "twitter:image")
_TAGS = {
    "title": "page title",
    "h1": "main heading",
    **dict.fromkeys(("h2", "h3", "h4", "h5", "h6"), "heading"),
    "a": "link",
    **dict.fromkeys(("details", "summary"), "question"),
    "footer": "footer",
    "nav": "menu",
    "address": "address",
    "time": "date",
    **dict.fromkeys(("img", "picture", "source"), "picture"),
    **dict.fromkeys(("table", "tr", "td", "th"), "table"),
    **dict.fromkeys(("ul", "ol", "li"), "list"),
    "html": "language of the page",
}
_BY_SOURCE = {
    **dict.fromkeys(("og", "twitter"), "link preview"),
    **dict.fromkeys(("json_ld", "itemprop"), "structured data"),
    "meta": "meta tag",
    "dom": "page content",
    "text": "page text",
}
_META_KEY = re.compile(r'meta\[[a-z-]+="([^"]*)"')
_TAG = re.compile(r"[a-z][a-z0-9]*")
_VOID = re.compile(r"<(?:meta|link|img|html|base)\b")
# The snippet may end inside a tag.
_MARKUP = re.compile(r"<[^>]*(?:>|$)")
# Attributes that hold what a tag says, in this order.
_SAYING = tuple(re.compile(rf'\s{name}="([^"]*)') for name in ("content", "title", "alt", "href", "src"))
_PROPERTY = re.compile(r'"[^"]{1,80}": "?')


def source_words(*, page_url: str, kind: str, source: str, selector: str) -> str:
    """Return the page and the place on it: "Pricing page, heading". `kind` is the page's kind, or empty."""
    return f"{page_words(page_url, kind)}, {_place_words(source, selector)}"


def page_words(page_url: str, kind: str) -> str:
    """Return a page's everyday name, or its path if its kind is unknown."""
    path = parts_of(page_url).path.rstrip("/")
    if name := _PAGES.get(kind or ("" if path else "home")):
        return name
    return path if len(path) <= _LONGEST_PATH else f"{path[: _LONGEST_PATH - 1]}…"


def quote_of(snippet: str) -> str:
    """Return the words of a snippet without its markup, as readers or programs see them on the page."""
    if not snippet.startswith("<"):
        return _PROPERTY.sub("", snippet, count=1).removesuffix('"') if _PROPERTY.match(snippet) else snippet
    text = "" if _VOID.match(snippet) else _MARKUP.sub(" ", snippet)
    said = text.strip() or next((result[1] for pattern in _SAYING if (result := pattern.search(snippet))), "")
    return " ".join(unescape(said).split())


def _place_words(source: str, selector: str) -> str:
    if selector.startswith("words: "):
        return f"words “{selector.removeprefix('words: ')}”"
    if result := _META_KEY.match(selector):
        key = result[1]
        return _META.get(key) or (_PICTURE if key.startswith(_PREVIEW_PICTURES) else _BY_SOURCE.get(source, "meta tag"))
    if source in {"json_ld", "itemprop"}:
        return _BY_SOURCE[source]
    if selector.startswith("link["):
        return _link_words(selector)
    if selector.startswith('a[href^="mailto:'):
        return "email link"
    tag = _TAG.match(selector)
    return _TAGS.get(tag[0] if tag else "") or _BY_SOURCE.get(source, "page content")


def _link_words(selector: str) -> str:
    """Return what a link tag of the page's head is for."""
    if "icon" in selector:
        return "site icon"
    if "rss" in selector or "atom" in selector:
        return "feed"
    return "profile link" if 'rel="me"' in selector else "link tag"
