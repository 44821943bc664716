"""Answers of websites, kept for an hour so that nobody is asked twice; failures too.

What is kept is packed, and a crawl has only so much room: the cache shares its memory with the queue of tasks.
"""

import base64
import hashlib
import math
import time
import zlib
from dataclasses import dataclass

from django.core.cache import cache

from apps.core.fetch import Fetched, FetchError, FetchFailure

PAGE_SECONDS = 3600
ROBOTS_SECONDS = 24 * 3600


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An answer of any status: `url` is where it came from in the end, `content_type` the whole header."""

    url: str
    status: int
    content_type: str
    body: bytes

    @classmethod
    def of(cls, fetched: Fetched) -> "StoredAnswer":
        return cls(fetched.url, fetched.status, fetched.headers.get("content-type", ""), fetched.body)


def load_answer(url: str) -> StoredAnswer | None:
    """What the address answered within the last hour; raises the FetchError that it failed with then."""
    entry = cache.get(_key("page", url))
    if entry is None:
        return None
    if code := entry.get("failure"):
        raise FetchError(FetchFailure(code), retryable=False)
    return StoredAnswer(entry["url"], entry["status"], entry["content_type"], _unpacked(entry["body"]))


def store_answer(url: str, answer: StoredAnswer, *, room: int) -> int:
    """Keep an answer for an hour, whatever its status, under the address asked for (not where it led).

    Returns the bytes that its body takes there, or 0 where they are more than `room`: then it is not kept.
    """
    body = _packed(answer.body)
    if len(body) > room:
        return 0
    entry = {"url": answer.url, "status": answer.status, "content_type": answer.content_type, "body": body}
    cache.set(_key("page", url), entry, PAGE_SECONDS)
    return len(body)


def store_failure(url: str, error: FetchError) -> None:
    """Keep for an hour that the address could not be fetched, and why; only its code is kept."""
    cache.set(_key("page", url), {"failure": str(error.code)}, PAGE_SECONDS)


def load_robots(origin: str) -> str | None:
    """The text of an origin's robots.txt, empty where there is none; None when it is not known."""
    packed: str | None = cache.get(_key("robots", origin))
    return None if packed is None else _unpacked(packed).decode()


def store_robots(origin: str, text: str, *, room: int) -> int:
    """Keep the text of an origin's robots.txt for a day, empty for one that is not there; as `store_answer` does."""
    packed = _packed(text.encode())
    if len(packed) > room:
        return 0
    cache.set(_key("robots", origin), packed, ROBOTS_SECONDS)
    return len(packed)


def load_pause(domain: str) -> float:
    """Seconds until the domain may be asked again, by whichever crawl asked it last; 0 when it may be at once."""
    until: float = cache.get(_key("pause", domain), 0.0)
    return max(until - time.time(), 0.0)


def store_pause(domain: str, seconds: float) -> None:
    """Keep that the domain was asked just now and is to be left alone for so long, by the next crawl too."""
    cache.set(_key("pause", domain), time.time() + seconds, math.ceil(seconds) + 1)


def _packed(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 1)).decode("ascii")


def _unpacked(text: str) -> bytes:
    return zlib.decompress(base64.b64decode(text))


def _key(kind: str, address: str) -> str:
    return f"crawl:{kind}:{hashlib.sha256(address.encode()).hexdigest()}"
