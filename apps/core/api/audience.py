"""The protected resources of the installation and their canonical URLs (RFC 8707, RFC 9728).

There are two, the REST API and the MCP server, on each host that is served. Scheme and port come from PUBLIC_BASE_URL,
whatever a request claims.
"""

from enum import StrEnum
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port, validate_host
from rest_framework.request import Request

# WSGI environment key for calls inside the process: the path of the resource that received the credential. Clients
# can't send it, because their headers all begin with HTTP_.
AUDIENCE_KEY = "slipway.audience"
METADATA_PATH = "/.well-known/oauth-protected-resource"


class Audience(StrEnum):
    """The resource a credential is presented to, by the path of its canonical URL."""

    REST = "/api/v1"
    MCP = "/mcp"


def audience_of(request: HttpRequest | Request) -> Audience:
    """Return the resource that a request is for: REST, unless a tool call made it."""
    return Audience(request.META.get(AUDIENCE_KEY, Audience.REST))


def resource_of(request: HttpRequest | Request, audience: Audience) -> str:
    """Return the canonical URL of a resource on the request's host, such as https://example.com/mcp."""
    return f"{origin_of(request)}{audience}"


def metadata_url(request: HttpRequest | Request, audience: Audience) -> str:
    """Return the URL of a resource's metadata document on the request's host."""
    return f"{origin_of(request)}{METADATA_PATH}{audience}"


def origin_of(request: HttpRequest | Request) -> str:
    """Return the origin of the request's host, or the public one for a host that is not served."""
    domain, _ = split_domain_port(request.headers.get("host", ""))
    return _origin(domain) if _is_served(domain) else _origin(settings.PUBLIC_HOST)


def canonical_resource(uri: str) -> str | None:
    """Return the canonical form of a resource's URL, or None if it is not one of ours.

    Scheme and host may be in any case, and a trailing slash is ignored (RFC 8707 clients send both). A URL with a
    query, a fragment, credentials or another port is refused.
    """
    try:
        parts = urlsplit(uri)
        domain = parts.hostname or ""
        port = parts.port
    except ValueError:
        return None
    domain = f"[{domain}]" if ":" in domain else domain
    path = parts.path.rstrip("/")
    if path not in set(Audience) or not _is_served(domain) or "?" in uri or "#" in uri or "@" in parts.netloc:
        return None
    public = urlsplit(settings.PUBLIC_BASE_URL)
    default_port = {"https": 443, "http": 80}.get(parts.scheme)
    if parts.scheme != public.scheme or (port or default_port) != (public.port or default_port):
        return None
    return f"{_origin(domain)}{path}"


def _origin(domain: str) -> str:
    public = urlsplit(settings.PUBLIC_BASE_URL)
    domain = f"[{domain}]" if ":" in domain and not domain.startswith("[") else domain
    port = f":{public.port}" if public.port else ""
    return f"{public.scheme}://{domain}{port}"


def _is_served(domain: str) -> bool:
    # A wildcard for every host does not tell which ones are ours.
    hosts = [host for host in settings.ALLOWED_HOSTS if host != "*"]
    return bool(domain) and validate_host(domain, [*hosts, settings.PUBLIC_HOST])
