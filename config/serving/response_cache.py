"""Public responses of the last second, sent again without Django.

A response is kept only if it came from the public cache (`apps.core.web.public_cache`), for a request distinguished
only by its URL and a few harmless headers. Valkey announces every change of public rows to all processes, which then
drop everything.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from threading import Event, Thread
from typing import Any

from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest
from granian._granian import RSGIHTTPProtocol as HTTPProtocol
from granian.rsgi import Scope as RsgiScope
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

from apps.core.request.client_ip import vouched_address
from apps.core.request.request_ids import begin_request
from apps.core.stores.valkey.generations import CHANGES
from apps.core.web.middleware import note_request
from apps.core.web.public_cache import FROM_CACHE, ROUTE, viewed_from_cache
from config.serving.environ import environ_of

_SECONDS = 1.0
_MOST_BYTES = 16 * 2**20
_PATIENCE_SECONDS = 1.0
_VIEWS_SECONDS = 0.1
# They change a public response only through the key below. Django answers requests with any other header.
_HARMLESS = frozenset(
    {
        *("accept", "accept-encoding", "accept-language", "cache-control", "connection", "dnt", "host", "pragma"),
        *("priority", "referer", "sec-ch-ua", "sec-ch-ua-mobile", "sec-ch-ua-platform", "sec-fetch-dest"),
        *("sec-fetch-mode", "sec-fetch-site", "sec-fetch-user", "sec-gpc", "upgrade-insecure-requests", "user-agent"),
        *("x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"),
    }
)
_KEY_HEADERS = ("host", "accept", "accept-encoding", "x-forwarded-host", "x-forwarded-proto")

Key = tuple[str | None, ...]
Headers = list[tuple[str, str]]
# Keeps a request's response if allowed. Called in any thread.
Keep = Callable[[Mapping[str, Any], Headers, bytes], None]


@dataclass(frozen=True, slots=True)
class _Recent:
    """A response, the listing whose view it counts as, and the route of the view that made it."""

    headers: Headers
    body: bytes
    view_of: int | None
    route: str


class ResponseCache:
    """A process's responses, stored and found on its event loop. They save the way through Django to Valkey."""

    def __init__(self, loop: asyncio.AbstractEventLoop, *, in_thread: Callable[[Callable[[], None]], None]) -> None:
        """Prepare. `in_thread` runs what may wait for Valkey in a thread."""
        self._loop = loop
        self._in_thread = in_thread
        self._views: list[tuple[dict[str, Any], int]] = []
        self._hears_changes = False
        self._closing = Event()
        self._turn = 0
        self._forget()
        Thread(target=self._listen, name="changes", daemon=True).start()

    def close(self) -> None:
        """Stop listening for changes."""
        self._closing.set()

    def answer(self, scope: RsgiScope, proto: HTTPProtocol) -> bool:
        """Answer a request if its response is known."""
        if self._loop.time() > self._ends_at:
            self._forget()
        recent = self._answers.get(key) if self._answers and (key := _key(scope)) else None
        if recent is None:
            return False
        began = time.perf_counter()
        request_id = begin_request(None)
        proto.response_bytes(200, [*recent.headers, ("X-Request-ID", request_id)], recent.body)
        note_request(method="GET", route=recent.route, status=200, seconds=time.perf_counter() - began)
        if recent.view_of is not None:
            self._count_later(environ_of(scope), recent.view_of)
        return True

    def keeper(self, scope: RsgiScope) -> Keep:
        """Return what keeps the request's response, unless public rows change first."""
        key, turn = _key(scope), self._turn

        def keep(environ: Mapping[str, Any], headers: Headers, body: bytes) -> None:
            if key and FROM_CACHE in environ and self._hears_changes:
                same = [(name, value) for name, value in headers if name != "X-Request-ID"]
                recent = _Recent(same, body, environ[FROM_CACHE], environ.get(ROUTE, ""))
                self._loop.call_soon_threadsafe(self._keep, key, recent, turn)

        return keep

    def _keep(self, key: Key, recent: _Recent, turn: int) -> None:
        if turn == self._turn and self._bytes + len(recent.body) <= _MOST_BYTES:
            self._bytes += len(recent.body)
            self._answers[key] = recent

    def _forget(self) -> None:
        self._answers: dict[Key, _Recent] = {}
        self._bytes = 0
        self._turn += 1
        self._ends_at = self._loop.time() + _SECONDS

    def _count_later(self, environ: dict[str, Any], listing_id: int) -> None:
        if not self._views:
            self._loop.call_later(_VIEWS_SECONDS, self._count_views)
        self._views.append((environ, listing_id))

    def _count_views(self) -> None:
        views, self._views = self._views, []
        self._in_thread(lambda: _count(views))

    def _listen(self) -> None:
        """Drop everything when public rows change. Keep nothing while changes can't be received."""
        while not self._closing.is_set():
            try:
                with _connect() as client, client.pubsub() as channel:
                    channel.subscribe(CHANGES)
                    while not self._closing.is_set():
                        if channel.get_message(timeout=_PATIENCE_SECONDS):
                            self._tell_loop(hears_changes=True)
            except RedisError:
                self._tell_loop(hears_changes=False)
                self._closing.wait(_PATIENCE_SECONDS)

    def _tell_loop(self, *, hears_changes: bool) -> None:
        with suppress(RuntimeError):  # The loop has ended.
            self._loop.call_soon_threadsafe(self._changed, hears_changes)

    def _changed(self, hears_changes: bool) -> None:
        self._hears_changes = hears_changes
        self._forget()


def _connect() -> Redis:
    url = str(settings.CACHES["default"]["LOCATION"])
    return Redis.from_url(url, socket_connect_timeout=_PATIENCE_SECONDS, retry=Retry(NoBackoff(), 0))


def _key(scope: RsgiScope) -> Key | None:
    """Return what distinguishes a request from others, or None for one only Django answers."""
    if scope.method != "GET":
        return None
    names = list(scope.headers.keys())
    if not _HARMLESS.issuperset(names) or len(set(names)) < len(names):
        return None
    get = scope.headers.get
    return (scope.scheme, scope.authority, scope.path, scope.query_string, *(get(name) for name in _KEY_HEADERS))


def _count(views: Iterable[tuple[dict[str, Any], int]]) -> None:
    for environ, listing_id in views:
        request = WSGIRequest(environ)
        if settings.BEHIND_PROXY and (address := vouched_address(request.headers)):
            request.META["REMOTE_ADDR"] = address
        viewed_from_cache.send(ResponseCache, request=request, listing_id=listing_id)
