"""Parse request bodies: JSON only, within limits."""

from collections.abc import Mapping
from typing import IO, Any

import orjson
from django.core.exceptions import RequestDataTooBig
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser

MAX_BODY_BYTES = 256 * 1024
MAX_DEPTH = 32


class BodyTooLarge(APIException):
    status_code = 413
    default_code = "too_large"
    default_detail = "The body is over 256 KB. Send a smaller one."


class StrictJSONParser(BaseParser):
    """Parses a JSON object of at most 256 KB and 32 levels. Refuses NaN, NUL characters and lone surrogates."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Return the body's object. Raises ParseError (400) or BodyTooLarge (413)."""
        raw = self._read(stream)
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

    def _read(self, stream: IO[Any]) -> bytes:
        try:
            raw: bytes = stream.read(MAX_BODY_BYTES + 1)
        except RequestDataTooBig:
            raise BodyTooLarge from None
        if len(raw) > MAX_BODY_BYTES:
            raise BodyTooLarge
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
