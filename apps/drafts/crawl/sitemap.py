"""Parse sitemaps, which are untrusted and often broken XML, into a bounded list of URLs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from lxml import etree

from apps.core.fetch import FetchError
from apps.core.fetch.body import decode_body
from apps.core.html import decode

MAX_ADDRESSES = 2000
MAX_UNPACKED_BYTES = 2 * 1024 * 1024
_MAX_ADDRESS = 2000
# Sitemaps, and feeds in their place, whatever stands before: blanks, declarations, or a warning of the server's.
_ROOT = re.compile(r"<(?:[\w-]+:)?(?:urlset|sitemapindex|rss|rdf|feed)[\s>]", re.IGNORECASE)
_ENTITY = re.compile(r"<!ENTITY\b", re.IGNORECASE)
_DECLARATION = re.compile(r"<\?xml\b[^<>]*\?>", re.IGNORECASE)
_BARE_AMPERSAND = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});)")
_LINE = re.compile(r"(?:https?:/)?/\S+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sitemap:
    """The contents of one sitemap: pages, and further sitemaps if it is an index."""

    pages: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()


def parse_sitemap(body: bytes, *, content_type: str = "") -> Sitemap:
    """Return the URLs in a sitemap in order, as written there: of XML, a feed, or text with a URL on each line.

    It may be compressed. Reads broken XML as far as possible. Empty for anything else.
    """
    try:
        body = decode_body(body, encoding="", max_bytes=MAX_UNPACKED_BYTES).data
    except FetchError:
        return Sitemap()
    text = decode(body, content_type=content_type or "application/xml").strip("\ufeff \t\r\n").replace("\x00", "")
    if _ENTITY.search(text):
        # No honest sitemap has entities of its own, and the parser would leave them out of the URLs.
        return Sitemap()
    root = _ROOT.search(text)
    if root is None:
        lines = () if text.startswith("<") else text.splitlines()
        pages = (line.strip() for line in lines if len(line) <= _MAX_ADDRESS and _LINE.fullmatch(line.strip()))
        return Sitemap(tuple(islice(pages, MAX_ADDRESSES)))
    # A file that was cut off ends inside a URL, and one that was joined from several begins again.
    xml = _DECLARATION.sub("", text[root.start() : text.rfind(">") + 1])
    result = list(islice(_entries(f"<all>{xml}</all>"), MAX_ADDRESSES))
    return Sitemap(
        tuple(address for kind, address in result if kind != "sitemap"),
        tuple(address for kind, address in result if kind == "sitemap"),
    )


def _entries(xml: str) -> Iterator[tuple[str, str]]:
    """Yield what each entry is, and its URL."""
    # Without huge_tree, depth is bounded.
    parser = etree.XMLParser(
        recover=True, resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, encoding="utf-8"
    )
    try:
        root = etree.fromstring(_BARE_AMPERSAND.sub("&amp;", xml).encode("utf-8", "replace"), parser)
    except (etree.LxmlError, ValueError):
        return
    for entry in root.iter("*") if root is not None else ():
        kind = _local_name(entry)
        if kind in {"url", "sitemap", "item", "entry"}:
            address = _address_of(entry)
            if 0 < len(address) <= _MAX_ADDRESS:
                yield kind, address


def _address_of(entry: etree._Element) -> str:
    for child in sorted(entry, key=lambda child: _local_name(child) != "loc"):
        if _local_name(child) == "loc" or _is_own_link(child):
            # `&amp;` is left of an ampersand in CDATA, or one that was escaped twice.
            return (child.text or child.get("href") or "").strip().replace("&amp;", "&")
    return ""


def _is_own_link(element: etree._Element) -> bool:
    """Return whether a link is the entry's URL, not one of its comments or of the same page in another language."""
    is_other = element.get("hreflang") is not None or element.get("rel", "alternate") != "alternate"
    return _local_name(element) == "link" and not is_other


def _local_name(element: etree._Element) -> str:
    """Return the name without its namespace, and without a prefix that the file doesn't declare."""
    tag: object = element.tag
    # The tag of a processing instruction is a function.
    return tag.rpartition("}")[2].rpartition(":")[2].lower() if isinstance(tag, str) else ""
