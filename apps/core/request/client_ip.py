"""Find the client's IP address and network."""

from ipaddress import IPv6Address, ip_address, ip_network

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


def client_neighborhood(request: HttpRequest | Request) -> str:
    """Return the /24 of an IPv4 address or the /48 of an IPv6 address, which usually belong to one home or office.

    Empty for a client without a public IP address: that of a proxy, such as a container's, would put all visitors into
    one home.
    """
    try:
        parsed = ip_address(client_address(request).partition("%")[0])
    except ValueError:
        return ""
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped:
        parsed = parsed.ipv4_mapped
    if not parsed.is_global:
        return ""
    if isinstance(parsed, IPv6Address):
        return str(ip_network((int(parsed) >> 80 << 80, 48)))
    return str(ip_network((int(parsed) >> 8 << 8, 24)))


def vouched_address(forwarded_for: str) -> str | None:
    """Return the last hop of X-Forwarded-For, the only one that our own proxy wrote."""
    return forwarded_for.rsplit(",", 1)[-1].strip() or None
