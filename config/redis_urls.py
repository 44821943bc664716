"""Derive the addresses for Celery, the cache and rate limits from REDIS_URL."""

from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from django.core.exceptions import ImproperlyConfigured


@dataclass(frozen=True)
class RedisUrls:
    """One server with three databases from the one in REDIS_URL on, so that flushing the cache loses no task."""

    broker: str
    cache: str
    limits: str


def redis_urls(redis_url: str) -> RedisUrls:
    """Derive the addresses from `redis://host:port/n`, `rediss://…` or `unix:///path.sock?db=n`.

    Raises ImproperlyConfigured for anything else, and for a database that isn't a number.
    """
    try:
        parts = urlsplit(redis_url)
        _ = parts.port
    except ValueError:
        raise ImproperlyConfigured("REDIS_URL has an invalid host or port.") from None
    if parts.scheme == "unix" and parts.path:
        first = _database(dict(parse_qsl(parts.query)).get("db", "0"))
        return RedisUrls(
            broker=f"redis+socket://{_user(parts.username, parts.password)}{parts.path}?virtual_host={first}",
            cache=_unix(redis_url, first + 1),
            limits=_unix(redis_url, first + 2),
        )
    if parts.scheme in {"redis", "rediss"} and parts.hostname:
        first = _database(parts.path.strip("/") or dict(parse_qsl(parts.query)).get("db", "0"))
        return RedisUrls(
            broker=_tcp(redis_url, first, broker=True),
            cache=_tcp(redis_url, first + 1),
            limits=_tcp(redis_url, first + 2),
        )
    raise ImproperlyConfigured("REDIS_URL must be redis://host:port/0, rediss://host:port/0 or unix:///path.sock.")


def _database(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise ImproperlyConfigured("The database in REDIS_URL must be a number, such as the 0 in redis://host:6379/0.")
    return int(text)


def _user(name: str | None, password: str | None) -> str:
    if name is None and password is None:
        return ""
    return f"{quote(unquote(name or ''), safe='')}:{quote(unquote(password or ''), safe='')}@"


def _options(query: str) -> list[tuple[str, str]]:
    return [(key, value) for key, value in parse_qsl(query) if key != "db"]


def _unix(url: str, database: int) -> str:
    parts = urlsplit(url)
    query = urlencode([*_options(parts.query), ("db", str(database))])
    # urlunsplit would drop the slashes before an empty host, until Python 3.12.4.
    return f"unix://{parts.netloc}{parts.path}?{query}"


def _tcp(url: str, database: int, *, broker: bool = False) -> str:
    parts = urlsplit(url)
    options = _options(parts.query)
    if broker and parts.scheme == "rediss" and not any(key == "ssl_cert_reqs" for key, _ in options):
        # Celery needs it explicitly. redis-py's default for the cache is the same.
        options.append(("ssl_cert_reqs", "CERT_REQUIRED"))
    return urlunsplit((parts.scheme, parts.netloc, f"/{database}", urlencode(options), ""))
