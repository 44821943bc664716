"""From OpenAPI's schemas to those of tools."""

from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from apps.mcp.schemas import nullable, self_contained


def convert(schema: dict[str, Any], **components: Any) -> Any:
    return self_contained(schema, components=components)


def test_references_are_inlined_with_what_is_beside_them() -> None:
    schema = {"type": "array", "items": {"$ref": "#/components/schemas/Item", "description": "One of them."}}
    item = {"type": "object", "properties": {"week": {"$ref": "#/components/schemas/Week"}}}

    assert convert(schema, Item=item, Week={"type": "string"}) == {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"week": {"type": "string"}},
            "description": "One of them.",
        },
    }


@pytest.mark.parametrize("target", ["Missing", "Loop"])
def test_references_that_cannot_be_inlined_fail(target: str) -> None:
    loop = {"properties": {"again": {"$ref": "#/components/schemas/Loop"}}}

    with pytest.raises(ImproperlyConfigured, match=target):
        convert({"$ref": f"#/components/schemas/{target}"}, Loop=loop)


def test_type_arrays_become_any_of() -> None:
    schema = {"type": ["string", "null"], "enum": ["a", None], "description": "May be null.", "default": None}

    assert convert(schema) == {
        "description": "May be null.",
        "default": None,
        "anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}],
    }


def test_null_is_allowed_once_beside_other_choices() -> None:
    null = {"type": "null"}
    assert nullable({"anyOf": [null, {"type": "string"}]}) == {"anyOf": [{"type": "string"}, null]}
    assert nullable({"type": "string", "description": "A."}) == {
        "description": "A.",
        "anyOf": [{"type": "string"}, null],
    }


def test_keywords_of_openapi_alone_are_dropped_but_not_properties_of_the_same_name() -> None:
    schema = {
        "type": "object",
        "properties": {
            "example": {"type": "string", "format": "decimal", "example": "1.0", "readOnly": True},
            "options": {"type": "object", "additionalProperties": {}},
        },
        "additionalProperties": {"type": "string", "format": "uri", "x-order": 1},
    }

    assert convert(schema) == {
        "type": "object",
        "properties": {"example": {"type": "string"}, "options": {"type": "object"}},
        "additionalProperties": {"type": "string", "format": "uri"},
    }
