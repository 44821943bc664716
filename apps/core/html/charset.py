"""Decode the bytes of a page as browsers do.

Sources: WHATWG, 'Encoding', and HTML, 'Determining the character encoding'.
"""

import codecs
import re
from collections.abc import Iterator
from itertools import islice

import webencodings
from charset_normalizer import from_bytes

from apps.core.html.heads import meta_tags

META_WINDOW = 16 * 1024
GUESS_WINDOW = 64 * 1024
# One character in so many may be lost, and text still is of that set. Bytes of others make little valid UTF-8.
MAX_LOST, MAX_LOST_OF_UTF_8 = 1 / 10, 1 / 2
# A page declares one set, or some by mistake. Each is tried.
_MAX_LABELS, _MAX_SETS = 20, 3
# The bytes of the longest character.
_LONGEST = 4
# The character that stands for bytes that could not be decoded.
LOST = "\ufffd"

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LABEL = re.compile(r"charset\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s;\"']+))", re.IGNORECASE)
_XML = re.compile(rb"<\?xml\s[^>]{0,200}?\bencoding\s*=\s*[\"']([^\"'>]{1,40})[\"']")
_XML_IN_UTF16 = (("<?x".encode("utf-16-le"), "utf-16le"), ("<?x".encode("utf-16-be"), "utf-16be"))
_UTF16 = frozenset({"utf-16le", "utf-16be"})
# Sets whose bytes may by accident be valid UTF-8: those of two bytes a character, and one of ASCII bytes alone.
_EAST_ASIAN = frozenset({"shift_jis", "euc-jp", "euc-kr", "gbk", "gb18030", "big5"})
_ESCAPES = "iso-2022-jp"
# In none of the others does ASCII mean something else, which could hide anything.
_GUESSED = sorted(
    webencodings.lookup(name).codec_info.name
    for name in {*webencodings.LABELS.values()} - _UTF16 - {_ESCAPES, "replacement", "x-user-defined"}
)
# The sets of pages in languages that others than windows-1252 are for. Source: HTML's table of defaults by language,
# and what was also common.
_OF_LANGUAGES = {
    "ar fa ur": "windows-1256 iso-8859-6",
    "be bg kk ky mk ru sr tg tt uk": "windows-1251 koi8-r koi8-u iso-8859-5 ibm866",
    "bs cs hr hu pl ro sk sl": "windows-1250 iso-8859-2",
    "el": "windows-1253 iso-8859-7",
    "et lt lv": "windows-1257 iso-8859-13",
    "he iw": "windows-1255 iso-8859-8",
    "ja": "shift_jis euc-jp",
    "ko": "euc-kr",
    "az ku tr": "windows-1254",
    "th": "windows-874",
    "vi": "windows-1258",
    "zh": "gb18030 big5",
}
_SETS = {
    language: [webencodings.lookup(name).codec_info.name for name in names.split()]
    for languages, names in _OF_LANGUAGES.items()
    for language in languages.split()
}
_LANGUAGE = re.compile(rb"<html\b[^>]{0,500}?\blang\s*=\s*[\"']?\s*([a-z]{2})\b", re.IGNORECASE)
# What text in windows-1252 doesn't have: many such letters in a row, signs inside words, and free positions.
_UNLIKE_WESTERN = re.compile(
    rb"[\xa1-\xff]{3,}|[\x81\x8d\x8f\x90\x9d]|(?<=[A-Za-z\xc0-\xff])"
    rb"[\x80\x82-\x89\x8b\x93-\x95\x98\x99\x9b\xa1-\xac\xae-\xb3\xb5\xb6\xb8\xb9\xbb-\xbf](?=[A-Za-z\xa1-\xff])"
)
_HIGH = bytes(range(0x80, 0x100))
# The first character that takes three bytes in UTF-8, as all of those sets' languages do.
_THREE_BYTES = re.compile("[\u0800-\U0010ffff]")
# Python's codecs that differ from the standard's decoders of the same name.
_CODECS = {"euc-jp": "euc_jp", "iso-2022-jp": "iso2022_jp_ext", "gbk": "gb18030"}
_LENIENT = "as-browsers"


def decode(body: bytes, *, content_type: str) -> str:
    """Decode the bytes of a page, whatever its headers claim.

    Tries in turn: byte order mark, UTF-8, the `charset` of `content_type`, the page's `<meta>` and XML declaration, the
    page's language, detection from the bytes. UTF-8 goes before a declaration, because pages that declare another set
    by mistake are many, and text of another set that is valid UTF-8 is rare. A byte that can't be read becomes U+FFFD,
    so this never raises.
    """
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return body[len(mark) :].decode(encoding, "replace")
    text = _as_utf8(body)
    if text is not None and not _could_be_other(text, body):
        return text
    declared = list(dict.fromkeys(islice(_declared(body, content_type), _MAX_LABELS)))[:_MAX_SETS]
    if text is not None and not _means_other(text, body, declared):
        return text
    if (wide := _wide(body, declared)) is not None:
        return wide
    return _as_declared(body, [name for name in declared if name not in _UTF16]) or _guess(body)


def _as_declared(body: bytes, names: list[str]) -> str:
    """Return the text of the first set that reads all of it, or else of the first that reads most. Empty for none."""
    almost = ""
    for name in names:
        most = MAX_LOST_OF_UTF_8 if name == "utf-8" else MAX_LOST
        # Decoding bytes of another set takes long. The end of the window may be inside a character.
        if not _is_sound(_read(body[:GUESS_WINDOW], name)[:-_LONGEST], most):
            continue
        text = _read(body, name)
        if LOST not in text:
            return text
        almost = almost or (text if _is_sound(text, most) else "")
    return almost


def _as_utf8(body: bytes) -> str | None:
    """Return the text if it is UTF-8 with few broken bytes at most."""
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        # A page cut off at the size limit may end inside a character. It is still UTF-8.
        if error.start >= len(body) - 3 and error.reason == "unexpected end of data":
            return body[: error.start].decode("utf-8")
    text = body.decode("utf-8", "replace")
    return text if _is_sound(text) else None


def _is_sound(text: str, most: float = MAX_LOST) -> bool:
    return text.count(LOST) <= most * (len(text) - len(text.encode("ascii", "ignore")))


def _could_be_other(text: str, body: bytes) -> bool:
    """Return whether bytes that are valid UTF-8 could be text of another set. Few pages get past this."""
    is_wide = "\x00" in text and _by_zeros(body) != ""
    return is_wide or "\x1b" in text or (not text.isascii() and not _THREE_BYTES.search(text))


def _means_other(text: str, body: bytes, declared: list[str]) -> bool:
    """Return whether bytes that could be text of another set are, by what is declared or by their zeros."""
    if "\x00" in text and _by_zeros(body):
        return True
    if "\x1b" in text and _ESCAPES in declared:
        return True
    is_east_asian = declared[:1] and declared[0] in _EAST_ASIAN
    return bool(is_east_asian) and not _THREE_BYTES.search(text) and LOST not in _read(body, declared[0])


def _wide(body: bytes, declared: list[str]) -> str | None:
    """Return the text of UTF-16 without a byte order mark, as its header declares or its zeros show."""
    name = _by_zeros(body) or next((name for name in declared if name in _UTF16), "")
    text = _read(body, name) if name else LOST
    return text if _is_sound(text) else None


def _by_zeros(body: bytes) -> str:
    """Return the kind of UTF-16 that puts zeros where these bytes have them, as every ASCII character does."""
    window = body[:META_WINDOW]
    even, odd = window[::2].count(0), window[1::2].count(0)
    if max(even, odd) * 8 < len(window) or min(even, odd) * 8 > max(even, odd):
        return ""
    return "utf-16le" if odd > even else "utf-16be"


def _declared(body: bytes, content_type: str) -> Iterator[str]:
    """Yield the names of the declared sets, surest first. Labels that browsers don't know declare nothing."""
    for header in _labels(content_type):
        if name := _name_of(header):
            yield name
    for start, name in _XML_IN_UTF16:
        if body.startswith(start):
            yield name
    window = body[:META_WINDOW]
    metas = [label for tag in meta_tags(window.decode("latin-1"), anywhere=True) for label in _labels_of(tag)]
    xml = [result[1].decode("ascii", "ignore") for result in [_XML.match(window)] if result]
    labels = [*xml, *metas] if "xml" in content_type.lower() else [*metas, *xml]
    for label in labels:
        # Bytes in which a label can be read are no UTF-16.
        if (name := _name_of(label)) and name not in _UTF16:
            yield name


def _labels_of(tag: dict[str, str]) -> list[str]:
    if "charset" in tag:
        return [tag["charset"]]
    return _labels(tag.get("content", "")) if tag.get("http-equiv", "").strip().lower() == "content-type" else []


def _labels(content_type: str) -> list[str]:
    return [next(filter(None, result.groups()), "") for result in [_LABEL.search(content_type)] if result]


def _name_of(label: str) -> str:
    """Return the standard's name for a label, or "" for one that browsers don't read."""
    result = webencodings.lookup(label) if label.isascii() else None
    if result is None or result.name == "replacement":
        return ""
    # The set that scripts use for bytes is what authors write for text they can't name.
    return "windows-1252" if result.name == "x-user-defined" else str(result.name)


def _read(body: bytes, name: str) -> str:
    codec = _CODECS.get(name) or webencodings.lookup(name).codec_info.name
    return body.decode(codec, _LENIENT)


def _guess(body: bytes) -> str:
    """Decode by the page's language, as windows-1252, or by what the bytes make likely."""
    window = body[:GUESS_WINDOW]
    result = _LANGUAGE.search(window[:META_WINDOW])
    own = _SETS.get(result[1].decode("ascii").lower() if result else "")
    if own is None and _is_western(window):
        return body.decode("cp1252", _LENIENT)
    for names in filter(None, (own, _GUESSED)):
        best = from_bytes(window, steps=3, chunk_size=512, cp_isolation=names).best()
        if best is not None:
            return body.decode(best.encoding, "replace")
    return body.decode("utf-8", "replace")


def _is_western(window: bytes) -> bool:
    """Return whether text looks like windows-1252, which browsers read undeclared text as in most languages."""
    unlike = sum(len(result[0]) for result in _UNLIKE_WESTERN.finditer(window))
    return unlike <= MAX_LOST * (len(window) - len(window.translate(None, _HIGH)))


def _as_browsers(error: UnicodeError) -> tuple[str, int]:
    """Read what the standard's decoders know and Python's don't. Everything else is lost, one byte at a time."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    at, codec = error.start, error.encoding.lower().replace("-", "_")
    pair = error.object[at : at + 2]
    if codec in {"euc_jp", "iso2022_jp_ext"}:
        text = _of_row_and_cell(pair)
    elif codec.startswith("big5"):
        text = _of_pair(pair, "cp950")
    elif codec == "gb18030" and pair[:1] == b"\x80":
        return "€", at + 1
    elif error.reason.startswith("character maps to") and pair[0] < 0xA0:
        # The positions that the Windows sets leave free are control characters.
        return chr(pair[0]), at + 1
    else:
        text = ""
    return (text, at + 2) if text else (LOST, at + 1)


def _of_row_and_cell(pair: bytes) -> str:
    """Read a character of the rows that Windows added to JIS X 0208, such as "①" and "㈱"."""
    row, cell = (byte & 0x7F for byte in pair) if len(pair) == 2 else (0, 0)
    if not (0x21 <= row <= 0x7E and 0x21 <= cell <= 0x7E):
        return ""
    lead = (row - 0x1F) // 2 + (0x80 if row < 0x5F else 0xC0)
    trail = cell + (0x1F + (cell > 0x5F) if row % 2 else 0x7E)
    return _of_pair(bytes((lead, trail)), "cp932")


def _of_pair(pair: bytes, codec: str) -> str:
    try:
        return pair.decode(codec)
    except UnicodeDecodeError:
        return ""


codecs.register_error(_LENIENT, _as_browsers)
