"""PostgreSQL's address as Django's database settings."""

from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured


def from_url(url: str) -> dict[str, Any]:
    """Turn `postgresql://user:password@host:port/name?option=value` into a DATABASES entry.

    A socket directory is given as `?host=/path`, as libpq has it. Raises ImproperlyConfigured for any
    other engine: search, locks and constraints are PostgreSQL's.
    """
    parts = urlsplit(url)
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured("DATABASE_URL must start with postgresql://; no other database is supported.")
    options = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")) or "slipway",
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", "") or parts.hostname or "",
        "PORT": options.pop("port", "") or str(parts.port or ""),
        # Without a bound, a server that drops packets holds each request for two minutes.
        "OPTIONS": {"connect_timeout": "5", **options},
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,
    }
