"""Typed readers of environment variables. Settings use nothing else."""

import os

from django.core.exceptions import ImproperlyConfigured

_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"0", "false", "no", "off", ""}


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


def number(name: str, default: int) -> int:
    """Return a whole number of zero or more."""
    raw = text(name, str(default))
    if not raw.isascii() or not raw.isdigit():
        raise ImproperlyConfigured(f"{name} must be a whole number of zero or more.")
    return int(raw)


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
