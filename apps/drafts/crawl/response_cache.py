"""Responses of websites, cached for an hour to spare them repeated requests. Failures are cached, too.

Responses are compressed and limited per crawl, because the cache shares its memory with the task queue.
"""

import base64
import hashlib
import math
import time
import zlib
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache

from apps.core.fetch import Fetched, FetchError, FetchFailure
from apps.drafts.crawl.addresses import domain_key

PAGE_SECONDS = 3600
ROBOTS_SECONDS = 24 * 3600


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """A response of any status. `url` is its final URL, `content_type` the whole header.

    `cut` says why the end of the body is missing, or is empty.
    """

    url: str
    status: int
    content_type: str
    body: bytes
    cut: str = ""

    @classmethod
    def of(cls, fetched: Fetched) -> "StoredAnswer":
        return cls(
            fetched.url, fetched.status, fetched.headers.get("content-type", ""), fetched.body, fetched.cut or ""
        )


def load_answer(url: str) -> StoredAnswer | None:
    """Return the response cached in the last hour, or raise the FetchError cached for the URL."""
    entry = _load("page", url)
    if entry is None:
        return None
    if code := entry.get("failure"):
        raise FetchError(FetchFailure(code), retryable=False)
    return StoredAnswer(entry["url"], entry["status"], entry["content_type"], _unpacked(entry["body"]), entry["cut"])


def store_answer(url: str, answer: StoredAnswer, *, room: int) -> int:
    """Cache a response for an hour, whatever its status, under the requested URL (not the final one).

    Returns the compressed size of the body in bytes, or 0 when it exceeds `room` and is not cached.
    """
    body = _packed(answer.body)
    if len(body) > room:
        return 0
    entry = {
        "url": answer.url,
        "status": answer.status,
        "content_type": answer.content_type,
        "cut": answer.cut,
        "body": body,
    }
    _store("page", url, entry, PAGE_SECONDS)
    return len(body)


def store_failure(url: str, error: FetchError) -> None:
    """Cache for an hour why a URL could not be fetched. Only the error code is kept."""
    _store("page", url, {"failure": str(error.code)}, PAGE_SECONDS)


def load_robots(origin: str) -> str | None:
    """Return the cached robots.txt of an origin, empty if the origin has none. None when it is not cached."""
    entry = _load("robots", origin)
    return None if entry is None else _unpacked(entry["text"]).decode()


def store_robots(origin: str, text: str, *, room: int) -> int:
    """Cache the robots.txt of an origin for a day, empty if it has none. Returns what `store_answer` returns."""
    packed = _packed(text.encode())
    if len(packed) > room:
        return 0
    _store("robots", origin, {"text": packed}, ROBOTS_SECONDS)
    return len(packed)


def forget_domain(domain: str) -> None:
    """Drop everything cached for the domain, given as `domain_key` writes it."""
    cache.set(_key("forgotten", domain), time.time(), ROBOTS_SECONDS)


def load_pause(domain: str) -> float:
    """Return the seconds until any crawl may request the domain again."""
    until: float = cache.get(_key("pause", domain), 0.0)
    return max(until - time.time(), 0.0)


def store_pause(domain: str, seconds: float) -> None:
    """Note that the domain was requested now, and that no crawl may request it for this many seconds."""
    cache.set(_key("pause", domain), time.time() + seconds, math.ceil(seconds) + 1)


def _load(kind: str, address: str) -> dict[str, Any] | None:
    entry, forgotten = _key(kind, address), _key("forgotten", domain_key(address))
    result = cache.get_many([entry, forgotten])
    is_kept = entry in result and result[entry]["at"] > result.get(forgotten, 0.0)
    return result[entry] if is_kept else None


def _store(kind: str, address: str, entry: dict[str, Any], seconds: int) -> None:
    cache.set(_key(kind, address), {**entry, "at": time.time()}, seconds)


def _packed(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 1)).decode("ascii")


def _unpacked(text: str) -> bytes:
    return zlib.decompress(base64.b64decode(text))


def _key(kind: str, address: str) -> str:
    return f"crawl:3:{kind}:{hashlib.sha256(address.encode()).hexdigest()}"
