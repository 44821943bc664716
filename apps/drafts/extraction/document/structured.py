"""What the JSON-LD of a page says of the page itself."""

from collections.abc import Iterator

from apps.drafts.extraction.document.document import Document
from apps.drafts.extraction.document.json_ld import Json, strings
from apps.drafts.extraction.page.candidates import Candidate, of_json_ld


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
    for node in document.main_nodes:
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
