"""Read a body without ever holding more of it than allowed."""

import zlib
from contextlib import aclosing
from typing import Protocol

import httpx2

from apps.core.fetch.errors import FetchError, FetchFailure

_GZIP = zlib.MAX_WBITS | 16
_MAX_MEMBERS = 1000


class _Decoder(Protocol):
    def decode(self, data: bytes, max_bytes: int) -> bytes:
        """Decode at most `max_bytes`, so that a decompression bomb stops at the first excess byte."""


class _Identity:
    def decode(self, data: bytes, max_bytes: int) -> bytes:
        return data[:max_bytes]


class _Gzip:
    """Decode consecutive gzip members, and ignore what follows the last one, such as padding.

    A missing end is not an error here, because HTTP's own framing has already noticed a cut connection.
    """

    def __init__(self) -> None:
        self._inflate = zlib.decompressobj(_GZIP)
        self._members = 1

    def decode(self, data: bytes, max_bytes: int) -> bytes:
        decoded = bytearray()
        while data and len(decoded) < max_bytes:
            if self._inflate.eof:
                if not data.startswith(b"\x1f"):
                    break
                self._count_member()
                self._inflate = zlib.decompressobj(_GZIP)
            decoded += self._inflate.decompress(data, max_bytes - len(decoded))
            data = self._inflate.unused_data
        return bytes(decoded)

    def _count_member(self) -> None:
        # Empty members cost time and never reach a limit on bytes.
        self._members += 1
        if self._members > _MAX_MEMBERS:
            raise FetchError(FetchFailure.TOO_LARGE)


def _decoder(content_encoding: str) -> _Decoder:
    match content_encoding.strip().lower():
        case "" | "identity":
            return _Identity()
        case "gzip" | "x-gzip":
            return _Gzip()
        case _:
            # We accept nothing else, and stacked encodings multiply a bomb.
            raise FetchError(FetchFailure.BAD_RESPONSE)


async def read_body(response: httpx2.Response, *, max_bytes: int) -> bytes:
    """Return the decoded body, at most `max_bytes`. Raises FetchError (too_large, bad_response)."""
    encoding = response.headers.get("content-encoding", "")
    decoder = _decoder(encoding)
    length = response.headers.get("content-length", "")
    if length.isdecimal() and int(length) > max_bytes:
        raise FetchError(FetchFailure.TOO_LARGE)
    body = bytearray()
    async with aclosing(response.aiter_raw()) as chunks:
        async for chunk in chunks:
            try:
                body += decoder.decode(chunk, max_bytes + 1 - len(body))
            except zlib.error:
                raise FetchError(FetchFailure.BAD_RESPONSE) from None
            if len(body) > max_bytes:
                raise FetchError(FetchFailure.TOO_LARGE)
    return bytes(body)


async def read_start(response: httpx2.Response, *, max_bytes: int) -> bytes:
    """Return the first `max_bytes` of the decoded body, however long it is. Raises FetchError (bad_response)."""
    decoder = _decoder(response.headers.get("content-encoding", ""))
    body = bytearray()
    async with aclosing(response.aiter_raw()) as chunks:
        async for chunk in chunks:
            try:
                body += decoder.decode(chunk, max_bytes - len(body))
            except zlib.error:
                raise FetchError(FetchFailure.BAD_RESPONSE) from None
            if len(body) >= max_bytes:
                break
    return bytes(body)
