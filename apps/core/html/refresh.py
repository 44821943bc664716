"""Find where a page sends its visitors without a click. Source: HTML, 'Pragma directives', the refresh state."""

from itertools import islice
from urllib.parse import urljoin, urlsplit

import regex

from apps.core.html.charset import decode
from apps.core.html.tree import UnreadablePage, parse

# A page that stays longer is there to be read.
MAX_SECONDS = 10
_MAX_VALUE, _MAX_METAS = 4096, 20

# Browsers drop these characters from a URL.
_DROPPED = regex.compile(r"[\t\n\r]")
_MENTIONED = regex.compile(rb"http-equiv\s*=\s*[\"']?\s*refresh", regex.IGNORECASE)
_VALUE = regex.compile(
    r"""\s*(?:(?P<seconds>\d++)[\d.]*+|\.[\d.]*)
    (?:(?=[;,\s])\s*[;,]?\s*(?:url\s*=\s*)?+(?:"(?P<double>[^"]*)(?:".*)?|'(?P<single>[^']*)(?:'.*)?|(?P<bare>.*)))?$""",
    regex.VERBOSE | regex.IGNORECASE | regex.DOTALL,
)


def refresh_target(body: bytes, *, content_type: str, page_url: str, header: str = "") -> str:
    """Return the http(s) URL that a page sends its visitors to within `MAX_SECONDS`, or "".

    `header` is the value of its Refresh header, which counts before its meta tags. Of these, the first one counts that
    browsers show: those in a noscript or a template do nothing.
    """
    if header and (target := _target(header, page_url)) is not None:
        return target
    # Few pages mention one, in bytes with ASCII or in UTF-16, and most aren't decoded here.
    if not _MENTIONED.search(body) and b"\x00" not in body[:99]:
        return ""
    try:
        root = parse(decode(body, content_type=content_type))
    except UnreadablePage:
        return ""
    href = next((base.get("href") for base in root.iter("base") if base.get("href") is not None), None)
    base = _joined(page_url, href or "") or page_url
    metas = (meta for meta in root.iter("meta") if (meta.get("http-equiv") or "").strip().lower() == "refresh")
    for meta in islice(metas, _MAX_METAS):
        target = _target(meta.get("content") or "", base, page_url=page_url)
        if target is not None:
            return target
    return ""


def _target(value: str, base: str, *, page_url: str = "") -> str | None:
    """Return the URL, "" for one that is not to be followed, or None for a value that means nothing."""
    result = _VALUE.match(value[:_MAX_VALUE])
    if result is None:
        return None
    if len(result["seconds"] or "") > 3 or int(result["seconds"] or 0) > MAX_SECONDS:
        return ""
    written = result["double"] or result["single"] or result["bare"] or ""
    return _joined(base, written.strip()) if written.strip() else page_url or base


def _joined(base: str, written: str) -> str:
    try:
        target = urljoin(base, _DROPPED.sub("", written).replace("\\", "/"))
        return target if urlsplit(target).scheme in {"http", "https"} else ""
    except ValueError:
        return ""
