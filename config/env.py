"""Typed readers of environment variables. Settings use nothing else."""

import os
import re
from ipaddress import IPv6Address
from urllib.parse import urlsplit

import idna
from django.core.exceptions import ImproperlyConfigured

_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"0", "false", "no", "off", ""}
_LABEL = r"(?!-)[a-z0-9-]{1,63}(?<!-)"
_NAME = re.compile(rf"(?=.{{1,253}}$){_LABEL}(\.{_LABEL})*")
_MOST = 999_999_999
_MOST_DAYS = 36_500
_PORTS = {"http": 80, "https": 443}


def text(name: str, default: str = "") -> str:
    """Return the variable, or `default` if unset or blank."""
    return os.environ.get(name, "").strip() or default


def flag(name: str, *, default: bool = False) -> bool:
    """Return a boolean. Unknown words are refused, so that typing errors are noticed."""
    raw = os.environ.get(name)
    if raw is None:
        return default
    word = raw.strip().lower()
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    raise ImproperlyConfigured(f"{name} must be one of true, false, 1, 0, yes, no, on, off.")


def number(name: str, default: int, *, most: int = _MOST) -> int:
    """Return a whole number from 0 to `most`."""
    raw = text(name, str(default))
    # Python refuses to convert thousands of digits.
    if not raw.isascii() or not raw.isdigit() or len(raw) > len(str(most)) or int(raw) > most:
        raise ImproperlyConfigured(f"{name} must be a whole number from 0 to {most:,}.")
    return int(raw)


def days(name: str, default: int) -> int:
    """Return a number of days, which leads to a date that PostgreSQL and Python know."""
    return number(name, default, most=_MOST_DAYS)


def seconds(name: str, default: float) -> float:
    """Return a duration in seconds, such as 0.5."""
    raw = text(name, str(default))
    try:
        value = float(raw)
    except ValueError:
        value = -1.0
    if not 0 <= value < 86_400:
        raise ImproperlyConfigured(f"{name} must be a number of seconds, such as 0.5.")
    return value


def items(name: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return a comma-separated list without blanks around items or empty items."""
    raw = text(name)
    if not raw:
        return default
    return tuple(part.strip() for part in raw.split(",") if part.strip())


def base_url(name: str, default: str) -> str:
    """Return an http or https URL without path, such as https://example.com. An international host is in ASCII form."""
    try:
        parts = urlsplit(text(name, default))
        host, port = _ascii_host(parts.hostname or ""), parts.port
    except ValueError:
        raise ImproperlyConfigured(f"{name} is not a valid address.") from None
    if parts.scheme not in _PORTS or not _is_host(host):
        raise ImproperlyConfigured(f"{name} must be an absolute http or https address.")
    if "@" in parts.netloc:
        raise ImproperlyConfigured(f"{name} must have no user name.")
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise ImproperlyConfigured(
            f"{name} must end with the host or port. Slipway needs a host of its own, not a path."
        )
    return f"{parts.scheme}://{_bracketed(host)}" + (f":{port}" if port not in {None, _PORTS[parts.scheme]} else "")


def hosts(name: str, default: tuple[str, ...] = ()) -> list[str]:
    """Return host names for ALLOWED_HOSTS, those of subdomains with a leading dot, in ASCII form."""
    try:
        result = [_ascii_host(item.lower().strip("[]")) for item in items(name, default)]
    except ValueError:
        result = [""]
    if not all(host == "*" or _is_host(host.removeprefix(".")) for host in result):
        raise ImproperlyConfigured(f"{name} must be a comma-separated list of host names, without ports.")
    return [_bracketed(host) for host in result]


def _is_host(host: str) -> bool:
    """Return whether Django finds a host in requests: a name in ASCII form or an IP address."""
    return bool(_NAME.fullmatch(host)) or (":" in host and "%" not in host)


def _ascii_host(host: str) -> str:
    if ":" in host:
        # As browsers write it.
        return IPv6Address(host).compressed
    # Requests are compared without the dot of the root.
    host = host.removesuffix(".")
    if host.isascii():
        return host
    dot = "." if host.startswith(".") else ""
    return dot + idna.encode(host.removeprefix("."), uts46=True).decode("ascii")


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
