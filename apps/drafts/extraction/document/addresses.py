"""Check and compare URLs: which are valid, and which belong to the same site."""

import re
from urllib.parse import SplitResult, urljoin, urlunsplit

from apps.core.web.hosts import ascii_host, unicode_host
from apps.core.web.urls import NOWHERE, host_of, parts_of, registrable_domain

MAX_ADDRESS = 2000

_UNSAFE = re.compile(r"[\x00-\x20\x7f-\xa0\\<>\"`{}|^]")
_BREAKS = re.compile(r"[\t\r\n]")
# An unfilled template placeholder.
_UNFILLED = re.compile(r"\{\{|\$\{|<%|%[A-Z]+_[A-Z_]+%|\[object ")
# JSON can contain them, a request can't.
_SURROGATES = re.compile(r"[\ud800-\udfff]")


def absolute(href: object, base: str) -> str | None:
    """Return the http(s) URL that `href` means on a page at `base`, or None if it is invalid.

    Join untrusted URLs only with this function. It refuses other schemes, user names, backslashes, control characters,
    lone surrogates, unfilled templates, hosts without a dot, invalid ports, and anything longer than `MAX_ADDRESS`.
    Spaces in a path are encoded, as browsers do.
    """
    if not isinstance(href, str):
        return None
    raw = _BREAKS.sub("", href).strip()
    if not raw or len(raw) > MAX_ADDRESS or _SURROGATES.search(raw) or _UNFILLED.search(raw):
        return None
    try:
        joined = urljoin(base, raw.replace(" ", "%20"))
    except ValueError:
        return None
    parts = _with_ascii_host(parts_of(joined))
    host = (parts.hostname or "").rstrip(".")
    if parts.scheme not in ("http", "https") or "@" in parts.netloc or _UNSAFE.search(parts.netloc):
        return None
    if not host or ("." not in host and ":" not in host and host != "localhost") or "\\" in joined or parts.port == 0:
        return None
    return urlunsplit(parts._replace(path=parts.path or "/"))


def _with_ascii_host(parts: SplitResult) -> SplitResult:
    """Return the URL with its host as DNS knows it, so that a page's links are recognized however it writes them."""
    if parts.netloc.isascii():
        return parts
    host, colon, port = parts.netloc.partition(":")
    try:
        return parts._replace(netloc=f"{ascii_host(host)}{colon}{port}")
    except ValueError:
        return NOWHERE


def domain_of(url: str) -> str:
    """Return the registrable domain ("acme.co.uk" for "blog.acme.co.uk"). Numeric addresses are returned unchanged."""
    host = host_of(url)
    if not host.isascii():
        host = host_of(urlunsplit(_with_ascii_host(parts_of(url))))
    return registrable_domain(host) or host


def domain_label(url: str) -> str:
    """Return the name inside the domain: "acme" for www.acme.co.uk, "bücher" for xn--bcher-kva.example.

    Empty for a numeric address.
    """
    domain = domain_of(url)
    return "" if re.fullmatch(r"[\d.]+|.*:.*", domain) else unicode_host(domain).split(".")[0]


def same_site(one: str, other: str) -> bool:
    """Return whether two URLs share a registrable domain. A different port makes a different site."""
    return bool(domain := domain_of(one)) and domain == domain_of(other) and _port_of(one) == _port_of(other)


def _port_of(url: str) -> int | None:
    port = parts_of(url).port
    return None if port in (80, 443) else port


def page_key(url: str) -> str:
    """Return what identifies a page: host without www, path without trailing slash, query. Empty if malformed."""
    parts = parts_of(url)
    host = (parts.hostname or "").removeprefix("www.")
    port = f":{number}" if (number := _port_of(url)) else ""
    query = f"?{parts.query}" if parts.query else ""
    return f"{host}{port}{parts.path.rstrip('/')}{query}"
