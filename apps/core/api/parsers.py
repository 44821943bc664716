"""Parse request bodies: JSON only, within limits."""

from collections.abc import Mapping
from typing import IO, Any

import orjson
from django.core.exceptions import RequestDataTooBig
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser

from apps.core.api.operation import operation_of

MAX_BODY_BYTES = 256 * 1024
MAX_DEPTH = 32
# More members than any body needs, so that a large one takes no multiple of its size in memory.
_MAX_MARKS = 20_000


class BodyTooLarge(APIException):
    status_code = 413
    default_code = "too_large"

    def __init__(self, most_bytes: int) -> None:
        super().__init__(f"The body is over {size_text(most_bytes)}. Send a smaller one.")


def size_text(size: int) -> str:
    """Return a limit in KB or MB."""
    return f"{size // 2**20} MB" if size >= 2**20 else f"{size // 2**10} KB"


def is_mostly_text(raw: bytes) -> bool:
    """Return whether a large body consists of few long strings, such as a picture, and is safe to parse."""
    return sum(raw.count(mark) for mark in (b'"', b",", b"[", b"{")) <= _MAX_MARKS


class StrictJSONParser(BaseParser):
    """Parses a JSON object of at most 256 KB and 32 levels. Refuses NaN, NUL characters and lone surrogates.

    An operation with `max_body_bytes` takes larger ones.
    """

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Return the body's object. Raises ParseError (400) or BodyTooLarge (413)."""
        declared = operation_of((parser_context or {}).get("view"))
        raw = self._read(stream, most_bytes=(declared and declared.max_body_bytes) or MAX_BODY_BYTES)
        if not raw.strip():
            return {}
        try:
            body = orjson.loads(raw)
        except orjson.JSONDecodeError as error:
            where = f"line {error.lineno}, column {error.colno}"
            raise ParseError(f"Invalid JSON at {where}.") from None
        if not isinstance(body, dict):
            raise ParseError("Send a JSON object as the body.")
        _check(body, depth=1)
        return body

    def _read(self, stream: IO[Any], *, most_bytes: int) -> bytes:
        try:
            raw: bytes = stream.read(most_bytes + 1)
        except RequestDataTooBig:
            raise BodyTooLarge(most_bytes) from None
        if len(raw) > most_bytes:
            raise BodyTooLarge(most_bytes)
        if len(raw) > MAX_BODY_BYTES and not is_mostly_text(raw):
            raise BodyTooLarge(MAX_BODY_BYTES)
        return raw


def _check(value: Any, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise ParseError(f"The body is nested too deeply. Use up to {MAX_DEPTH} levels.")
    if isinstance(value, dict):
        for key, inner in value.items():
            _check(key, depth)
            _check(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            _check(inner, depth + 1)
    elif isinstance(value, str) and "\x00" in value:
        raise ParseError("Remove the NUL character from the body.")
