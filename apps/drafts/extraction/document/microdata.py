"""Read items marked with itemscope and itemtype, through extruct, within limits."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

from lxml import etree

from apps.drafts.extraction.document.document import Document

MAX_ITEMS = 12
MAX_ITEM_ELEMENTS = 2000
MAX_PROPERTIES = 300


@dataclass(frozen=True)
class Item:
    """An item and its element. Each property is a text, an item, or a list of those."""

    kind: str
    properties: dict[str, Any]
    element: etree._Element


def items_of(document: Document, kinds: frozenset[str]) -> Iterator[Item]:
    """Return the first items whose type is in `kinds`, given in lower case without the vocabulary's URL.

    Nested items are not returned again. Large items are skipped, because the library's time grows with the square of an
    item's properties.
    """
    given: set[etree._Element] = set()
    for element in document.items:
        result = _kinds_of(element) & kinds
        if not result or any(parent in given for parent in islice(element.iterancestors(), 60)):
            continue
        given.add(element)
        if (properties := _properties(element, document)) is not None:
            yield Item(min(result), properties, element)
        if len(given) >= MAX_ITEMS:
            return


def texts_of(value: Any, *, key: str = "name") -> list[str]:
    """Return the texts of a property that is a text, an item with `key`, or a list of either."""
    result = []
    for entry in value[:20] if isinstance(value, list) else [value]:
        inner = entry.get("properties", {}).get(key) if isinstance(entry, dict) else entry
        if isinstance(inner, list):
            inner = next((part for part in inner if isinstance(part, str)), None)
        if isinstance(inner, str) and inner.strip():
            result.append(inner)
    return result


def _kinds_of(element: etree._Element) -> frozenset[str]:
    names = (element.get("itemtype") or "")[:500].lower().split()
    return frozenset(name.rstrip("/").rsplit("/", 1)[-1] for name in names)


def _properties(element: etree._Element, document: Document) -> dict[str, Any] | None:
    if next(islice(element.iter(), MAX_ITEM_ELEMENTS, None), None) is not None:
        return None
    if sum(1 for _ in element.iterfind(".//*[@itemprop]")) > MAX_PROPERTIES:
        return None
    alone = deepcopy(element)
    # itemref names elements elsewhere on the page, any number of times.
    etree.strip_attributes(alone, "itemref")
    try:
        items = _extractor().extract_items(alone, document.base)
    except (ValueError, KeyError, TypeError, RecursionError, etree.LxmlError):
        return None
    properties = items[0].get("properties") if items else None
    return properties if isinstance(properties, dict) else None


@cache
def _extractor() -> Any:
    # The library spends half a second loading parsers for other formats, and few pages need it.
    from extruct.w3cmicrodata import MicrodataExtractor

    return MicrodataExtractor()
