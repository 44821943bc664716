"""Check URLs from people and redirects before any lookup.

The network backend decides what to connect to. This module refuses bad URLs early and normalizes the rest, so that no
two parsers see different hosts in one URL.
"""

import re
import socket
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import unquote, urljoin, urlsplit

import httpx2

from apps.core.fetch.backend import endpoint
from apps.core.fetch.configuration import MAX_ADDRESS_CHARACTERS, PORTS, allowed_private_hosts
from apps.core.fetch.errors import FetchError, FetchFailure
from apps.core.fetch.networks import is_public
from apps.core.web.hosts import ascii_host
from apps.core.web.urls import has_controls

_DEFAULT_PORTS = {"http": 80, "https": 443}
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_HOST_AND_PORT = re.compile(r"[^:/?#]+:[0-9]+(?:[/?#]|$)")
_AUTHORITY = re.compile(r"(\[[0-9a-f:.]+\]|[^\[\]:@]+)(?::([0-9]{0,5}))?", re.IGNORECASE)
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_HOST_NAME = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")


def normalise_address(raw: str, *, allow_private: frozenset[str] | None = None) -> str:
    """Turn what a person types into a checked absolute http(s) URL without a fragment.

    A missing scheme becomes https, or http for a listed `host:port`. `allow_private` defaults to the setting. Raises
    FetchError (bad_address, private_address). Nothing is looked up.
    """
    allowed = allowed_private_hosts() if allow_private is None else allow_private
    address = raw.strip(" ")
    if _SCHEME.match(address) and not _HOST_AND_PORT.match(address):
        return check_address(address, allow_private=allowed)
    _, host, port = _split(f"https://{address}")
    scheme = "http" if endpoint(host, port) in allowed else "https"
    return check_address(f"{scheme}://{address}", allow_private=allowed)


def redirect_address(base: str, location: str, *, allow_private: frozenset[str]) -> str:
    """Return the checked URL that a redirect from `base` points to. Raises as `normalise_address` does."""
    location = location.strip(" ")
    # Before joining, because urljoin drops the characters that this refuses.
    _refuse_characters(location)
    try:
        joined = urljoin(base, location)
    except ValueError:
        raise FetchError(FetchFailure.BAD_ADDRESS) from None
    return check_address(joined, allow_private=allow_private)


def check_address(address: str, *, allow_private: frozenset[str]) -> str:
    """Return the canonical form of an absolute http(s) URL. Raises as `normalise_address` does."""
    scheme, host, port = _split(address)
    if endpoint(host, port) not in allow_private:
        _refuse_host(host)
        if port not in PORTS:
            raise FetchError(FetchFailure.BAD_ADDRESS)
    parts = urlsplit(address)
    # No server uses them in a page's URL, and no column can hold them all once the path is decoded.
    if has_controls(unquote(parts.path)):
        raise FetchError(FetchFailure.BAD_ADDRESS)
    default = port == _DEFAULT_PORTS[scheme]
    authority = endpoint(host, port).removesuffix(f":{port}") if default else endpoint(host, port)
    query = f"?{parts.query}" if parts.query else ""
    try:
        url = httpx2.URL(f"{scheme}://{authority}{parts.path or '/'}{query}")
    except (httpx2.InvalidURL, ValueError):
        raise FetchError(FetchFailure.BAD_ADDRESS) from None
    if (url.scheme, url.raw_host.decode(), url.port or _DEFAULT_PORTS[scheme]) != (scheme, host, port):
        raise FetchError(FetchFailure.BAD_ADDRESS)
    return str(url)


def _split(address: str) -> tuple[str, str, int]:
    _refuse_characters(address)
    if not address.lower().startswith(("http://", "https://")):
        raise FetchError(FetchFailure.BAD_ADDRESS)
    try:
        parts = urlsplit(address)
        result = _AUTHORITY.fullmatch(parts.netloc)
        if result is None:
            raise FetchError(FetchFailure.BAD_ADDRESS)
        host = _ascii_host(result.group(1))
    except ValueError:
        raise FetchError(FetchFailure.BAD_ADDRESS) from None
    return parts.scheme, host, int(result.group(2) or _DEFAULT_PORTS[parts.scheme])


def _refuse_characters(address: str) -> None:
    if not 0 < len(address) <= MAX_ADDRESS_CHARACTERS:
        raise FetchError(FetchFailure.BAD_ADDRESS)
    if "\\" in address or has_controls(address):
        raise FetchError(FetchFailure.BAD_ADDRESS)


def _ascii_host(written: str) -> str:
    if written.startswith("["):
        return IPv6Address(written[1:-1]).compressed
    host = ascii_host(written).lower().removesuffix(".")
    if not _HOST_NAME.fullmatch(host):
        raise ValueError(written)
    return host


def _refuse_host(host: str) -> None:
    if ":" in host:
        literal: IPv4Address | IPv6Address | None = IPv6Address(host)
    else:
        literal = _ipv4(host)
    if literal is not None:
        if not is_public(literal):
            raise FetchError(FetchFailure.PRIVATE_ADDRESS)
        if isinstance(literal, IPv4Address) and str(literal) != host:
            raise FetchError(FetchFailure.BAD_ADDRESS)
        return
    labels = host.split(".")
    if labels[-1] == "localhost":
        raise FetchError(FetchFailure.PRIVATE_ADDRESS)
    # A bare word would be completed with the machine's own search domains.
    if len(labels) < 2 or _NUMBER.fullmatch(labels[-1]):
        raise FetchError(FetchFailure.BAD_ADDRESS)


def _ipv4(host: str) -> IPv4Address | None:
    # The C library reads octal, hexadecimal and shortened forms here, as it would when connecting.
    try:
        return IPv4Address(socket.inet_aton(host))
    except OSError:
        return None
