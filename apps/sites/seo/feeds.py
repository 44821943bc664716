"""Write Atom (RFC 4287), RSS 2.0 and JSON Feed 1.1 from the same entries."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time
from enum import StrEnum
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed, Rss201rev2Feed
from django.utils.html import linebreaks
from django.utils.http import http_date
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe

from apps.core.web.pages import expensive_page

ENTRIES = 50
MAX_AGE_SECONDS = 300
LANGUAGE = "en"
# Everything outside XML 1.0's Char, which no escape can represent.
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class FeedKind(StrEnum):
    ATOM = "atom"
    RSS = "rss"
    JSON = "json"


CONTENT_TYPES = {
    FeedKind.ATOM: "application/atom+xml",
    FeedKind.RSS: "application/rss+xml",
    FeedKind.JSON: "application/feed+json",
}
FEED_LABELS = {FeedKind.ATOM: "Atom", FeedKind.RSS: "RSS 2.0", FeedKind.JSON: "JSON Feed"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A feed entry. `id` is an IRI that survives changes of title and URL. `html` is what readers show."""

    id: str
    title: str
    url: str
    html: str
    author: str
    published_at: datetime
    updated_at: datetime
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """A feed in one format. `url` is its own address, and `page_url` that of the page with the same entries.

    `changed_at` is the time of the last change, including removed entries. None if that is unknown: readers then
    compare the ETag, because the newest entry that is left may be older than a removed one.
    """

    id: str
    title: str
    description: str
    url: str
    page_url: str
    author: str
    entries: list[Entry] = field(default_factory=list)
    changed_at: datetime | None = None

    @property
    def updated_at(self) -> datetime:
        """Return when the feed or its newest entry changed. An empty feed returns the day, so that it stays stable."""
        moments = [entry.updated_at for entry in self.entries]
        if self.changed_at:
            moments.append(self.changed_at)
        return max(moments, default=datetime.combine(timezone.now().date(), time(), UTC))


def tag_uri(host: str, since: datetime, name: str) -> str:
    """Return a permanent ID (RFC 4151). `name` is unique on the host, and `since` must never change."""
    return f"tag:{host},{since:%Y-%m-%d}:{name}"


def paragraphs(text: str) -> str:
    """Return plain text as escaped HTML, each paragraph with its own direction."""
    return linebreaks(text, autoescape=True).replace("<p>", '<p dir="auto">')


def feed_paths(route: str, view: Callable[..., HttpResponseBase], *, name: str) -> list[URLPattern]:
    """Return a feed's URL patterns: `route` plus each format's ending. Both reverse by name, with or without `kind`."""
    # Of several matches, the last is what a name reverses to.
    return [
        path(f"{route}.{one}", view, {"kind": one}, name=name) for one in (FeedKind.JSON, FeedKind.RSS, FeedKind.ATOM)
    ]


def feed_view(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Serve a feed: read-only, cached for a few minutes, with 304 responses."""
    cached_view = cache_control(public=True, max_age=MAX_AGE_SECONDS)(view)
    return expensive_page(require_safe(conditional_page(cached_view)))


def feed_response(feed: Feed, *, kind: FeedKind) -> HttpResponse:
    """Return the feed in a format, with Last-Modified if that is known. Browser programs may fetch it."""
    feed = _fit(feed)
    written = _json(feed) if kind == FeedKind.JSON else _xml(feed, kind)
    response = HttpResponse(written, content_type=f"{CONTENT_TYPES[kind]}; charset=utf-8")
    if feed.changed_at:
        response["Last-Modified"] = http_date(feed.updated_at.timestamp())
    response["Access-Control-Allow-Origin"] = "*"
    return response


class _Atom(Atom1Feed):
    def latest_post_date(self) -> datetime:
        """Return when the feed changed, which can be later than any entry if one was removed."""
        changed: datetime = self.feed["changed_at"]
        return changed


class _Rss(Rss201rev2Feed):
    def latest_post_date(self) -> datetime:
        """As in the Atom feed."""
        changed: datetime = self.feed["changed_at"]
        return changed


def _xml(feed: Feed, kind: FeedKind) -> bytes:
    writer = _Atom if kind == FeedKind.ATOM else _Rss
    document = writer(
        title=feed.title,
        link=feed.page_url,
        description=feed.description,
        subtitle=feed.description,
        language=LANGUAGE,
        author_name=feed.author,
        feed_url=feed.url,
        feed_guid=feed.id,
        ttl=MAX_AGE_SECONDS // 60,
        changed_at=feed.updated_at,
    )
    for entry in feed.entries:
        document.add_item(
            title=entry.title,
            link=entry.url,
            description=entry.html,
            author_name=entry.author,
            pubdate=entry.published_at,
            updateddate=entry.updated_at,
            unique_id=entry.id,
            unique_id_is_permalink=False,
            categories=entry.tags,
        )
    return document.writeString("utf-8").encode()


def _json(feed: Feed) -> bytes:
    document: dict[str, Any] = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": feed.title,
        "description": feed.description,
        "home_page_url": feed.page_url,
        "feed_url": feed.url,
        "language": LANGUAGE,
        "authors": [{"name": feed.author}],
        "items": [_json_item(entry) for entry in feed.entries],
    }
    return json.dumps(document, ensure_ascii=False).encode()


def _json_item(entry: Entry) -> dict[str, Any]:
    item: dict[str, Any] = {
        "id": entry.id,
        "url": entry.url,
        "title": entry.title,
        "content_html": entry.html,
        "date_published": entry.published_at.isoformat(),
        "date_modified": entry.updated_at.isoformat(),
        "authors": [{"name": entry.author}],
    }
    return {**item, "tags": list(entry.tags)} if entry.tags else item


def _fit(feed: Feed) -> Feed:
    """Remove characters XML can't hold. JSON readers don't need them either."""
    return replace(
        feed,
        title=fit_for_xml(feed.title),
        description=fit_for_xml(feed.description),
        author=fit_for_xml(feed.author),
        entries=[
            replace(
                entry,
                title=fit_for_xml(entry.title),
                html=fit_for_xml(entry.html),
                author=fit_for_xml(entry.author),
                tags=tuple(map(fit_for_xml, entry.tags)),
            )
            for entry in feed.entries
        ],
    )


def fit_for_xml(text: str) -> str:
    """Remove characters that no XML document can hold, such as most control characters."""
    return _NO_XML.sub("", text)
