"""Convert PostgreSQL's URL to Django's database settings."""

from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

# Readers of a replica can also use the primary, so don't wait for a replica that is down.
_REPLICA_SECONDS = "2"


def replica_from_url(url: str) -> dict[str, Any]:
    """Return a replica's entry. Tests use the primary as its own replica."""
    entry = from_url(url, name="DATABASE_REPLICA_URL", connect_timeout=_REPLICA_SECONDS)
    return {**entry, "TEST": {"MIRROR": "default"}}


def from_url(url: str, *, name: str = "DATABASE_URL", connect_timeout: str = "5") -> dict[str, Any]:
    """Convert `postgresql://user:password@host:port/name?option=value` to a DATABASES entry.

    A socket folder is given as `?host=/path`, as in libpq. Raises ImproperlyConfigured for any other engine, because
    search, locks and constraints need PostgreSQL. Without `connect_timeout` (seconds), a server that drops packets
    blocks each request for two minutes.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ImproperlyConfigured(f"{name} has an invalid host or port.") from None
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured(f"{name} must start with postgresql://; no other database is supported.")
    options = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "apps.core.stores.postgresql",
        "NAME": unquote(parts.path.lstrip("/")) or "slipway",
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", "") or parts.hostname or "",
        "PORT": options.pop("port", "") or str(port or ""),
        "OPTIONS": {"connect_timeout": connect_timeout, **options},
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,
    }
