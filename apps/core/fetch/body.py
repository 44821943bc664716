"""Read a body without ever holding more of it than allowed."""

import zlib
from collections.abc import Callable
from contextlib import aclosing
from typing import NamedTuple

import brotli
import httpx2
import zstandard

from apps.core.fetch.errors import FetchError, FetchFailure

_MAX_MEMBERS = 1000
_MAX_LAYERS = 3
# What browsers allow, too.
_MAX_ZSTD_WINDOW = 8 * 1024 * 1024
_GZIP, _ZSTD = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
_GZIP_TRAILER = 8
_CODINGS, _NONE = frozenset({"br", "deflate", "gzip", "x-gzip", "zstd"}), frozenset({"", "identity"})
_TEXT_WINDOW = 1024
_PIECE = 16 * 1024
# Characters that text has, in any set of characters that ASCII is a part of.
_TEXT = bytes({*range(0x20, 0x100), *b"\t\n\f\r\x1b"})


class Body(NamedTuple):
    """A decoded body, and why its end is missing if it is."""

    data: bytes
    cut: FetchFailure | None = None


async def read_body(response: httpx2.Response, *, max_bytes: int) -> bytes:
    """Return the decoded body, at most `max_bytes`. Raises FetchError (too_large, bad_response)."""
    length = response.headers.get("content-length", "")
    if length.isdecimal() and int(length) > max_bytes:
        raise FetchError(FetchFailure.TOO_LARGE)
    body = await read_start(response, max_bytes=max_bytes)
    if body.cut is not None:
        raise FetchError(body.cut)
    return body.data


async def read_start(response: httpx2.Response, *, max_bytes: int) -> Body:
    """Return the first `max_bytes` of the decoded body, or what arrived of it before the connection broke.

    Raises FetchError if nothing could be read, and for a body that is not what its headers say (bad_response).
    """
    encoding = response.headers.get("content-encoding", "")
    most = 2 * max_bytes if encoding else max_bytes
    raw, cut = bytearray(), None
    try:
        async with aclosing(response.aiter_raw()) as chunks:
            async for chunk in chunks:
                raw += chunk
                if len(raw) > most:
                    cut = FetchFailure.TOO_LARGE
                    break
    except FetchError as error:
        cut = error.code
    except (httpx2.RemoteProtocolError, httpx2.ReadError):
        cut = FetchFailure.BAD_RESPONSE
    decoded = decode_body(bytes(raw), encoding=encoding, max_bytes=2 * max_bytes + 1)
    cut = FetchFailure.TOO_LARGE if len(decoded.data) > max_bytes else cut or decoded.cut
    if cut is not None and not decoded.data:
        raise FetchError(cut)
    return Body(decoded.data[:max_bytes], cut)


def decode_body(raw: bytes, *, encoding: str, max_bytes: int) -> Body:
    """Decode a body, at most `max_bytes` of each layer, so that a bomb stops at the first excess byte.

    `encoding` is the Content-Encoding. Some servers also send it for what they didn't encode, or leave it out, so gzip
    and zstd are recognized by their first bytes. Raises FetchError (bad_response) for bytes that are neither encoded as
    it says nor text.
    """
    codings = [coding for part in encoding.split(",") if (coding := part.strip().lower()) not in _NONE]
    is_known = _CODINGS.issuperset(codings)
    data, is_whole = raw, True
    for _ in range(_MAX_LAYERS if raw else 0):
        coding = codings.pop() if codings else ""
        decode = _decoder_of(data, coding)
        if decode is None:
            continue
        try:
            data, is_end = decode(data, max_bytes)
        except (zlib.error, brotli.error, zstandard.ZstdError):
            is_known = False
        else:
            is_whole = is_whole and is_end
    if not is_known and data[:_TEXT_WINDOW].translate(None, _TEXT):
        raise FetchError(FetchFailure.BAD_RESPONSE)
    return Body(data, None if is_whole else FetchFailure.BAD_RESPONSE)


_Decoder = Callable[[bytes, int], tuple[bytes, bool]]
"""Returns about so many bytes at most, and whether nothing is missing. Raises its library's error for other bytes."""


def _decoder_of(data: bytes, coding: str) -> _Decoder | None:
    if data.startswith(_GZIP):
        return _from_gzip
    if data.startswith(_ZSTD) or coding == "zstd":
        return _from_zstd
    if coding == "br":
        return _from_brotli
    if coding in {"deflate", "gzip", "x-gzip"}:
        return _from_deflate
    return None


def _from_gzip(data: bytes, max_bytes: int) -> tuple[bytes, bool]:
    """Decode consecutive members, and ignore what follows the last one, such as padding.

    As in browsers, the checksum behind a member doesn't count.
    """
    decoded, at, is_end = bytearray(), 0, True
    for _ in range(_MAX_MEMBERS):
        if not data.startswith(_GZIP, at) or len(decoded) >= max_bytes:
            return bytes(decoded), is_end
        is_end, at = _inflate(data, _after_gzip_header(data, at), decoded, max_bytes)
        at += _GZIP_TRAILER
    # Empty members cost time and never reach a limit on bytes.
    return bytes(decoded), False


def _after_gzip_header(data: bytes, at: int) -> int:
    """Return where the compressed data of a member begins. Source: RFC 1952, 2.3."""
    flags, at = data[at + 3 : at + 4], at + 10
    bits = flags[0] if flags else 0
    if bits & 0x04:
        at += 2 + int.from_bytes(data[at : at + 2], "little")
    for text in (0x08, 0x10):
        if bits & text:
            at = data.find(b"\x00", at) + 1 or len(data)
    return at + 2 if bits & 0x02 else at


def _from_deflate(data: bytes, max_bytes: int) -> tuple[bytes, bool]:
    """Decode what "deflate" means, zlib's format, and the bare one that some servers send."""
    has_header = len(data) > 1 and data[0] & 0x0F == 8 and int.from_bytes(data[:2], "big") % 31 == 0
    decoded = bytearray()
    is_end, _ = _inflate(data, 2 if has_header else 0, decoded, max_bytes)
    return bytes(decoded), is_end


def _inflate(data: bytes, at: int, decoded: bytearray, max_bytes: int) -> tuple[bool, int]:
    """Append what the bytes from `at` on mean. Returns whether nothing is missing, and where they end."""
    inflate = zlib.decompressobj(-zlib.MAX_WBITS)
    while at < len(data) and len(decoded) < max_bytes and not inflate.eof:
        piece = data[at : at + _PIECE]
        try:
            decoded += inflate.decompress(piece, max_bytes - len(decoded))
        except zlib.error:
            if not decoded:
                raise
            return False, len(data)
        at += len(piece) - len(inflate.unused_data)
    return inflate.eof or len(decoded) >= max_bytes, at


def _from_brotli(data: bytes, max_bytes: int) -> tuple[bytes, bool]:
    decoded, decoder = bytearray(), brotli.Decompressor()
    for at in range(0, len(data), _PIECE):
        try:
            decoded += decoder.process(data[at : at + _PIECE], output_buffer_limit=max_bytes - len(decoded))
        except brotli.error:
            if not decoded:
                raise
            return bytes(decoded), False
        if len(decoded) >= max_bytes:
            return bytes(decoded), True
    return bytes(decoded), decoder.is_finished()


def _from_zstd(data: bytes, max_bytes: int) -> tuple[bytes, bool]:
    decoded, size = bytearray(), zstandard.frame_content_size(data)
    reader = zstandard.ZstdDecompressor(max_window_size=_MAX_ZSTD_WINDOW).stream_reader(data, read_across_frames=True)
    try:
        while len(decoded) < max_bytes and (piece := reader.read(min(_PIECE, max_bytes - len(decoded)))):
            decoded += piece
    except zstandard.ZstdError:
        if not decoded:
            raise
        return bytes(decoded), False
    return bytes(decoded), len(decoded) >= min(size, max_bytes)
