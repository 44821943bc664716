"""Sitemaps as the crawl reads them: a bounded list of addresses, from untrusted XML, plain or packed."""

import zlib
from dataclasses import dataclass

from lxml import etree

MAX_ADDRESSES = 2000
MAX_UNPACKED_BYTES = 2 * 1024 * 1024
_MAX_ADDRESS = 2000
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Sitemap:
    """What one sitemap names: pages, and further sitemaps when it is an index."""

    pages: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()


def parse_sitemap(body: bytes) -> Sitemap:
    """The addresses in a sitemap, in its order; empty for whatever is no sitemap, plain text included."""
    pages: list[str] = []
    sitemaps: list[str] = []
    try:
        # No entities and no huge_tree, so that an XML bomb is refused instead of expanded.
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
    """A file such as sitemap.xml.gz, as far as a page may be long."""
    if not body.startswith(_GZIP):
        return body
    return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(body, MAX_UNPACKED_BYTES)


def _local_name(element: etree._Element) -> str:
    tag: object = element.tag
    # A processing instruction has a function in place of its tag.
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
