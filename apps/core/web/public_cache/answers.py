"""Public responses: which can be cached, their headers for caches, and how they are sent."""

import gzip
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import brotli
import orjson
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import parse_http_date_safe, quote_etag

from apps.core.web.public_cache.purging import surrogate_keys

# How late votes can be on public pages, and placements that begin and end by the clock.
FRESH_SECONDS = 10
STALE_SECONDS = 30
# For responses that allow more age.
LONGEST_SECONDS = 60
MOST_BYTES = 2 * 2**20
_LEAST_TO_COMPRESS = 500
# At this level it costs as much as gzip and saves a fifth more. Cached responses are sent many times.
_BROTLI_QUALITY = 5
# Headers of a single client, or set by the server.
_OWN_HEADERS = frozenset({"x-request-id", "ratelimit", "ratelimit-policy", "content-length", "content-encoding"})
_ALSO_WITHOUT_BODY = frozenset(
    {"surrogate-key", "cache-tag", "ratelimit", "ratelimit-policy", "etag", "last-modified", "vary"}
)
_VARIES_BY = frozenset({"cookie", "accept-encoding", "origin"})


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """The cached parts of a response besides its body."""

    headers: list[tuple[str, str]]
    is_compressible: bool
    is_counted: bool
    view_of: int | None
    # Answers that were stored before an upgrade have none.
    route: str = ""

    def dump(self) -> bytes:
        return orjson.dumps([self.headers, self.is_compressible, self.is_counted, self.view_of, self.route])

    @classmethod
    def load(cls, text: bytes) -> "StoredResponse":
        headers, *rest = orjson.loads(text)
        return cls([(name, value) for name, value in headers], *rest)


def is_public(response: HttpResponseBase) -> bool:
    """Return whether the response to an anonymous request is the same for everybody."""
    if response.status_code != 200 or response.streaming or response.cookies:
        return False
    said = response.get("Cache-Control", "")
    if said and ("public" not in said or "no-store" in said):
        return False
    varies = {name.strip().lower() for name in response.get("Vary", "").split(",") if name.strip()}
    return varies <= _VARIES_BY


def tell_caches(response: HttpResponse, names: Iterable[str]) -> None:
    """Set the response's lifetime, what ends it, and its ETag."""
    if "Cache-Control" not in response:
        response["Cache-Control"] = (
            f"public, max-age=0, s-maxage={FRESH_SECONDS}, stale-while-revalidate={STALE_SECONDS}"
        )
    if "ETag" not in response:
        response["ETag"] = quote_etag(hashlib.sha256(response.content).hexdigest()[:32])
    if is_compressible(response):
        # One ETag for all encodings of a body.
        response["ETag"] = f"W/{response['ETag'].removeprefix('W/')}"
        patch_vary_headers(response, ["Accept-Encoding"])
    keys = surrogate_keys(names)
    response["Surrogate-Key"] = " ".join(keys)
    response["Cache-Tag"] = ",".join(keys)


def is_compressible(response: HttpResponse) -> bool:
    kind = response.get("Content-Type", "").partition(";")[0]
    return (
        (kind.startswith("text/") or kind.endswith(("json", "xml")))
        and len(response.content) >= _LEAST_TO_COMPRESS
        and "Content-Encoding" not in response
    )


def compress(body: bytes, encoding: str) -> bytes:
    """Return the body in `encoding`."""
    if encoding == "br":
        compressed: bytes = brotli.compress(body, quality=_BROTLI_QUALITY)
        return compressed
    return gzip.compress(body, 6, mtime=0) if encoding == "gzip" else body


def stored_headers(response: HttpResponse) -> list[tuple[str, str]]:
    """Return the response's headers that are the same for everybody."""
    return [(name, value) for name, value in response.items() if name.lower() not in _OWN_HEADERS]


def seconds_to_store(response: HttpResponseBase) -> int:
    """Return how long a response is cached here: some seconds, or up to a minute if it allows more age."""
    if "s-maxage" in response["Cache-Control"]:
        return FRESH_SECONDS
    for part in response["Cache-Control"].split(","):
        name, _, value = part.strip().partition("=")
        if name == "max-age" and value.isdigit():
            return min(int(value), LONGEST_SECONDS)
    return FRESH_SECONDS


def conditional(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Return 304 if the client has the response already, or else the response."""
    if response.status_code != 200 or ("ETag" not in response and "Last-Modified" not in response):
        return response
    modified = response.get("Last-Modified")
    result: HttpResponseBase = (
        get_conditional_response(
            request, etag=response.get("ETag"), last_modified=parse_http_date_safe(modified) if modified else None
        )
        or response
    )
    if result.status_code == 304:
        result["Cache-Control"] = response["Cache-Control"]
        for name, value in response.items():
            if name.lower() in _ALSO_WITHOUT_BODY:
                result[name] = value
    return result


def sent(response: HttpResponse, body: bytes, encoding: str) -> HttpResponse:
    """Return the response with its body in `encoding`."""
    response.content = body
    if encoding != "identity":
        response["Content-Encoding"] = encoding
    response["Content-Length"] = str(len(body))
    return response


def response_of(stored: StoredResponse, extra: Mapping[str, Any]) -> HttpResponse:
    """Return a cached response, still without its body."""
    return HttpResponse(headers={**dict(stored.headers), **extra})
