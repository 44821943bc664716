"""Find the client's IP address and network."""

from ipaddress import IPv6Address, ip_address

from django.http import HttpRequest
from rest_framework.request import Request


def client_address(request: HttpRequest | Request) -> str:
    """Return the client's IP address. Behind a proxy, ProxyMiddleware sets the one that the proxy reports."""
    return str(request.META.get("REMOTE_ADDR") or "unknown")


def client_network(request: HttpRequest | Request) -> str:
    """Return the client for rate limits: an IPv4 address, or the /64 of an IPv6 address, which one client owns."""
    address = client_address(request)
    if ":" not in address:
        return address
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return address
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return f"{IPv6Address(int(parsed) >> 64 << 64)}/64"


def vouched_address(forwarded_for: str) -> str | None:
    """Return the last hop of X-Forwarded-For, the only one that our own proxy wrote."""
    return forwarded_for.rsplit(",", 1)[-1].strip() or None
