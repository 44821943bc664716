"""Who is at the other end of a request."""

from django.http import HttpRequest
from rest_framework.request import Request


def client_address(request: HttpRequest | Request) -> str:
    """The client's IP address; behind a proxy the one it vouches for, set by ProxyMiddleware."""
    return str(request.META.get("REMOTE_ADDR") or "unknown")


def vouched_address(forwarded_for: str) -> str | None:
    """The client by X-Forwarded-For: its last hop, the only one that our own proxy wrote."""
    return forwarded_for.rsplit(",", 1)[-1].strip() or None
