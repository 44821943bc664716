"""Decide which requests can be answered from the cache, and what identifies one."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import parse_qsl, urlencode

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.http.cookie import parse_cookie

from apps.core.web.views import PRIVATE_PATHS

# Preferred in this order when a client accepts several equally.
ENCODINGS = ("br", "gzip")
_LONGEST = 600
_CONDITIONS = ("HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE", "HTTP_IF_MATCH", "HTTP_IF_UNMODIFIED_SINCE")
# Campaign parameters, which change no page.
_CAMPAIGNS = frozenset({"ref", "fbclid", "gclid", "msclkid", "mc_cid", "mc_eid"})


@dataclass(frozen=True, slots=True)
class CacheKey:
    """What identifies a request that may be answered from the cache. Responses to campaign URLs are not stored."""

    name: str
    encoding: str
    has_query: bool
    is_of_campaign: bool


def cache_key_of(request: HttpRequest) -> CacheKey | None:
    """Return the key of an anonymous request, or None for one that needs its own response."""
    if request.method not in {"GET", "HEAD"} or is_personal(request.headers.get("Cookie", ""), request.META):
        return None
    if request.path.startswith(PRIVATE_PATHS):
        return None
    raw = request.META.get("QUERY_STRING", "")
    if len(request.path) + len(raw) > _LONGEST:
        return None
    try:
        host = request.get_host()
        pairs = parse_qsl(raw, keep_blank_values=True, strict_parsing=bool(raw), max_num_fields=30)
    except (DisallowedHost, ValueError):
        return None
    used = pairs if request.path.startswith("/api/") else [pair for pair in pairs if not _is_of_campaign(pair[0])]
    # Names are sorted. Repeated names keep their order, because it matters.
    query = urlencode(sorted(used, key=lambda pair: pair[0]))
    words = (str(request.scheme), host.lower(), request.path, query)
    digest = hashlib.sha256("\n".join(words).encode()).hexdigest()
    encoding = encoding_for(request.headers.get("Accept-Encoding", ""))
    return CacheKey(f"page:{digest}", encoding, bool(pairs), len(used) < len(pairs))


def is_personal(cookies: str, environ: Mapping[str, object]) -> bool:
    """Return whether a request identifies its sender, or is about something private."""
    return "HTTP_AUTHORIZATION" in environ or (bool(cookies) and has_own_cookie(cookies))


@lru_cache(1024)
def has_own_cookie(cookies: str) -> bool:
    """Return whether a Cookie header has one of ours: a session, a CSRF token, or a message."""
    own = {settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME, "messages"}
    return not own.isdisjoint(parse_cookie(cookies))


@lru_cache(256)
def encoding_for(accepted: str) -> str:
    """Return the body's encoding by an Accept-Encoding header: br, gzip or identity."""
    weights = dict(_weight(part) for part in accepted.lower().split(",") if part.strip())
    best = max(ENCODINGS, key=lambda name: weights.get(name, weights.get("*", 0.0)))
    weight = weights.get(best, weights.get("*", 0.0))
    return best if weight > 0 and weight >= weights.get("identity", 0.0) else "identity"


def set_conditions_aside(request: HttpRequest) -> dict[str, str]:
    """Make the view return the whole response, which can be cached. Returns the client's conditions."""
    conditions = {name: request.META.pop(name) for name in _CONDITIONS if name in request.META}
    if conditions:
        # Read from META once.
        request.__dict__.pop("headers", None)
    return conditions


def restore(request: HttpRequest, conditions: Mapping[str, str]) -> None:
    """Restore a request's conditions."""
    if conditions:
        request.META.update(conditions)
        request.__dict__.pop("headers", None)


def _weight(part: str) -> tuple[str, float]:
    name, *parameters = (word.strip() for word in part.split(";"))
    return name, _quality(parameters)


def _quality(parameters: Iterable[str]) -> float:
    for parameter in parameters:
        if parameter.startswith("q="):
            try:
                return float(parameter[2:])
            except ValueError:
                return 0.0
    return 1.0


def _is_of_campaign(name: str) -> bool:
    return name in _CAMPAIGNS or name.startswith("utm_")
