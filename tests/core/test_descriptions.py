"""Descriptions of operations and fields are short: every assistant reads all of them with each list of tools."""

from collections.abc import Iterator
from typing import Any

from apps.core.api import schema

OPERATION_WORDS = 60
FIELD_WORDS = 20


def _described(node: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every description below a node, with its path."""
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for name, child in children:
        if name == "description" and isinstance(child, str):
            yield path, child
        else:
            yield from _described(child, f"{path}/{name}")


def _operations() -> list[dict[str, Any]]:
    return [operation for methods in schema.document()["paths"].values() for operation in methods.values()]


def test_an_operation_is_described_in_sixty_words() -> None:
    counts = {operation["operationId"]: len(operation["description"].split()) for operation in _operations()}
    assert {name: count for name, count in counts.items() if count > OPERATION_WORDS} == {}
    assert min(counts.values()) > 5


def test_a_field_is_described_in_twenty_words() -> None:
    document = schema.document()
    named = list(_described(document["components"], "components"))
    for operation in _operations():
        body = {name: part for name, part in operation.items() if name not in {"description", "responses"}}
        named += _described(body, operation["operationId"])
    assert len(named) > 100
    assert {path: text for path, text in named if len(text.split()) > FIELD_WORDS} == {}


def test_every_tag_of_an_operation_is_described() -> None:
    described = {tag["name"] for tag in schema.document()["tags"]}
    assert described == {tag for operation in _operations() for tag in operation["tags"]}
