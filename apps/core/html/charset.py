"""Decode the bytes of a page."""

import codecs
import re

from charset_normalizer import from_bytes

META_WINDOW = 4096
GUESS_WINDOW = 64 * 1024
# One broken byte among this many good characters still means UTF-8.
MIN_SOUND_SHARE = 10

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_HEADER = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{2,40})", re.IGNORECASE)
_META = re.compile(rb"<meta\b[^>]{0,400}?charset\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE)

# The WHATWG encoding standard reads these labels as their Windows supersets, and so do browsers.
_SUPERSETS = {
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
}
_TEXT_CODECS = re.compile(r"^(utf[_-]|iso8859|cp\d|koi8|mac[_-]|gb|big5|euc|shift_jis|ascii|tis|latin|johab|hz|ptcp)")


def decode(body: bytes, *, content_type: str) -> str:
    """Decode the bytes of a page, whatever its headers claim.

    Tries in turn: byte order mark, strict UTF-8, the `charset` of `content_type`, the page's own `<meta>`, detection
    from the bytes. An invalid byte becomes U+FFFD, so this never raises.
    """
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return body[len(mark) :].decode(encoding, "replace")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        # A page cut off at the size limit may end inside a character. It is still UTF-8.
        if error.start >= len(body) - 3 and error.reason == "unexpected end of data":
            return body[: error.start].decode("utf-8")
    lenient = body.decode("utf-8", "replace")
    if lenient.count("\ufffd") * MIN_SOUND_SHARE <= _count_beyond_ascii(lenient):
        return lenient
    for label in _declared(body, content_type):
        try:
            return body.decode(label)
        except (UnicodeDecodeError, LookupError):
            continue
    return _guess(body)


def _count_beyond_ascii(text: str) -> int:
    return len(text) - len(text.encode("ascii", "ignore"))


def _declared(body: bytes, content_type: str) -> list[str]:
    labels = []
    if header := _HEADER.search(content_type):
        labels.append(header[1])
    if meta := _META.search(body[:META_WINDOW]):
        labels.append(meta[1].decode("ascii", "replace"))
    return [codec for label in labels if (codec := _codec(label))]


def _codec(label: str) -> str | None:
    """Return Python's codec for a label. Codecs that are not character sets (zlib, idna) don't count."""
    try:
        name = codecs.lookup(label).name
    except (LookupError, ValueError):
        return None
    if not _TEXT_CODECS.match(name) or name.startswith("utf-8"):
        return None
    return _SUPERSETS.get(name, name)


def _guess(body: bytes) -> str:
    best = from_bytes(body[:GUESS_WINDOW], steps=3, chunk_size=512).best()
    return body.decode(best.encoding if best is not None else "utf-8", "replace")
