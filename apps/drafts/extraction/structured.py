"""Which node of a page's JSON-LD speaks of the page itself, and what it says."""

from collections.abc import Iterator

from apps.drafts.extraction.addresses import page_key
from apps.drafts.extraction.candidates import Candidate, of_json_ld
from apps.drafts.extraction.document import Document
from apps.drafts.extraction.json_ld import Json, Node, strings, types_of
from apps.drafts.extraction.schema_types import CONTENT_TYPES, PAGE_TYPES


def main_nodes(document: Document) -> list[Node]:
    """The nodes about the page, best first: content at its address, content, the page, the rest."""
    here = page_key(document.url)

    def rank(node: Node) -> int:
        types = types_of(node)
        if types & CONTENT_TYPES:
            return 0 if _address_of(node) == here else 1
        return 2 if types & PAGE_TYPES else 3

    return sorted(document.json_ld.nodes, key=rank)


def _address_of(node: Node) -> str | None:
    for key in ("url", "mainEntityOfPage", "@id"):
        for value in strings(node.get(key), key="@id"):
            if value.startswith("http"):
                return page_key(value)
    return None


def property_values(
    document: Document, path: str, *, confidence: float, key: str = "name", follow: bool = True
) -> Iterator[Candidate]:
    """Candidates at a dotted path of the main nodes, one for each text; bare references count if `follow`."""
    for texts in property_lists(document, path, key=key, follow=follow):
        for text in texts:
            yield of_json_ld(path, text, confidence=confidence)


def property_lists(document: Document, path: str, *, key: str = "name", follow: bool = True) -> Iterator[list[str]]:
    """The texts at a dotted path, a list for each main node that has any."""
    first, *rest = path.split(".")
    for node in main_nodes(document):
        value = walk(document, node.get(first), rest)
        if texts := strings(_resolved(document, value) if follow else value, key=key):
            yield texts


def walk(document: Document, value: Json, path: list[str]) -> Json:
    """Follow a path of keys through objects, first members of lists, and references."""
    for step in path:
        if isinstance(value, list):
            value = value[0] if value else None
        value = document.json_ld.resolve(value)
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _resolved(document: Document, value: Json) -> Json:
    if isinstance(value, list):
        return [document.json_ld.resolve(item) for item in value[:20]]
    return document.json_ld.resolve(value)
