"""All addresses of the project, from its URL patterns."""

import re
from collections.abc import Iterator, Mapping

from django.urls import URLPattern, URLResolver, get_resolver

PLACEHOLDERS = {
    "int": "1",
    "slug": "acme",
    "str": "acme",
    "path": "acme",
    "uuid": "0" * 8 + "-0000-4000-8000-" + "0" * 12,
}
# Answered before anybody's session is looked at.
PROBES = {"/healthz", "/readyz"}


def routes() -> list[str]:
    """Every route, as written in the patterns."""
    return sorted(set(_routes(get_resolver())))


def _routes(resolver: URLResolver, prefix: str = "") -> Iterator[str]:
    for entry in resolver.url_patterns:
        route = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from _routes(entry, route)
        elif isinstance(entry, URLPattern):
            yield route


def filled(route: str, values: Mapping[str, str] | None = None) -> str:
    """A route as a path; `values` are for parameters of some names."""

    def fill(found: re.Match[str]) -> str:
        return (values or {}).get(found[2]) or PLACEHOLDERS.get(found[1] or "str", "1")

    # Patterns that are regular expressions, such as the admin's last one, are asked as they read.
    return "/" + re.sub(r"<(?:(\w+):)?(\w+)>", fill, re.sub(r"[\^$?]|\(\?.*", "", route))
