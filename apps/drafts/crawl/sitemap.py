"""Parse sitemaps, which are untrusted XML, plain or compressed, into a bounded list of URLs."""

import zlib
from dataclasses import dataclass

from lxml import etree

MAX_ADDRESSES = 2000
MAX_UNPACKED_BYTES = 2 * 1024 * 1024
_MAX_ADDRESS = 2000
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Sitemap:
    """The contents of one sitemap: pages, and further sitemaps if it is an index."""

    pages: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()


def parse_sitemap(body: bytes) -> Sitemap:
    """Return the URLs in a sitemap in order. Empty for anything else, including plain text."""
    pages: list[str] = []
    sitemaps: list[str] = []
    try:
        # Without entities and huge_tree, the parser refuses an XML bomb instead of expanding it.
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True)
        root = etree.fromstring(_unpacked(body), parser)
    except (etree.LxmlError, ValueError, zlib.error):
        return Sitemap()
    for entry in root:
        kind = _local_name(entry)
        address = next((child.text or "" for child in entry if _local_name(child) == "loc"), "").strip()
        if not address or len(address) > _MAX_ADDRESS:
            continue
        if kind == "url":
            pages.append(address)
        elif kind == "sitemap":
            sitemaps.append(address)
        if len(pages) + len(sitemaps) >= MAX_ADDRESSES:
            break
    return Sitemap(tuple(pages), tuple(sitemaps))


def _unpacked(body: bytes) -> bytes:
    """Decompress a file such as sitemap.xml.gz, up to the size limit of a page."""
    if not body.startswith(_GZIP):
        return body
    return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(body, MAX_UNPACKED_BYTES)


def _local_name(element: etree._Element) -> str:
    tag: object = element.tag
    # The tag of a processing instruction is a function.
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
