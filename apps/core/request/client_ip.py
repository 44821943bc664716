"""Find the client's IP address and network."""

import re
from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address, ip_network

from django.http import HttpRequest
from rest_framework.request import Request

# A comma in a quoted value is part of the element.
_LAST_ELEMENT = re.compile(r"""(?:^|,)((?:[^",]|"(?:[^"\\]|\\.)*")*)$""")
_PARAMETER = re.compile(r"""(?:^|;)\s*(\w+)=("(?:[^"\\]|\\.)*"|[^";\s]*)""")


def client_address(request: HttpRequest | Request) -> str:
    """Return the client's IP address. Behind a proxy, ProxyMiddleware sets the one that the proxy reports."""
    peer = str(request.META.get("REMOTE_ADDR") or "unknown")
    return bare_address(peer) or peer


def client_network(request: HttpRequest | Request) -> str:
    """Return the client for rate limits: an IPv4 address, or the /64 of an IPv6 address, which one client owns."""
    address = client_address(request)
    if ":" not in address:
        return address
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return address
    return f"{IPv6Address(int(parsed) >> 64 << 64)}/64"


def client_neighborhood(request: HttpRequest | Request) -> str:
    """Return the /24 of an IPv4 address or the /48 of an IPv6 address, which usually belong to one home or office.

    Empty for a client without a public IP address: that of a proxy, such as a container's, would put all visitors into
    one home.
    """
    try:
        parsed = ip_address(client_address(request))
    except ValueError:
        return ""
    if not parsed.is_global:
        return ""
    if isinstance(parsed, IPv6Address):
        return str(ip_network((int(parsed) >> 80 << 80, 48)))
    return str(ip_network((int(parsed) >> 8 << 8, 24)))


def bare_address(text: str) -> str | None:
    """Return the IP address in what proxies and sockets name clients by, or None if there is none.

    It can have a port, brackets, quotes and a zone, and an IPv4 address can be mapped to IPv6.
    """
    address = text.strip(' \t"')
    if address.startswith("["):
        address = address[1:].partition("]")[0]
    elif address.count(":") == 1:
        address = address.partition(":")[0]
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return None
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped:
        parsed = parsed.ipv4_mapped
    return str(parsed)


def vouched_address(headers: Mapping[str, str]) -> str | None:
    """Return the client in the last hop of X-Forwarded-For or else Forwarded, the only hop that our proxy wrote."""
    if "X-Forwarded-For" in headers:
        return bare_address(headers["X-Forwarded-For"].rpartition(",")[2])
    return bare_address(_last_hop(headers).get("for", ""))


def vouched_scheme(headers: Mapping[str, str]) -> str:
    """Return the scheme that our own proxy was asked by, from X-Forwarded-Proto or else Forwarded. Empty if none is."""
    return headers.get("X-Forwarded-Proto") or _last_hop(headers).get("proto", "").lower()


def _last_hop(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the parameters of Forwarded's last element (RFC 7239), of which the first of a name counts."""
    element = _LAST_ELEMENT.search(headers.get("Forwarded", ""))
    pairs = _PARAMETER.findall(element[1]) if element else []
    return {name.lower(): value.strip('"') for name, value in reversed(pairs)}
