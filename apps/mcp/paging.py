"""Paging in tool answers: page numbers instead of REST's URLs."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

PAGE_ARGUMENT = "page"
_LINKS = {"next": "Number of the next page, or null.", "previous": "Number of the previous page, or null."}


def with_page_numbers(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a paged body with page numbers in place of links."""
    return {name: _page_in(value) if name in _LINKS and value else value for name, value in body.items()}


def numbered_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of such a body."""
    links = {
        name: {"anyOf": [{"type": "integer"}, {"type": "null"}], "description": text} for name, text in _LINKS.items()
    }
    return {**schema, "properties": schema["properties"] | links}


def _page_in(address: str) -> int:
    return int(parse_qs(urlsplit(address).query)[PAGE_ARGUMENT][0])
