"""Reading schemas of the OpenAPI document: references followed, and the parts of a schema put together."""

from collections.abc import Mapping
from typing import Any

JSON = "application/json"
_REF = "#/components/schemas/"

Schema = Mapping[str, Any]


def body_of(spec: Schema) -> Schema | None:
    """The schema of an operation's body; None when it takes none."""
    content = spec.get("requestBody", {}).get("content", {})
    return content[JSON]["schema"] if JSON in content else None


def answer_of(spec: Schema) -> tuple[str, Schema | None]:
    """The status of an operation's good answer, and its schema; None when the answer is empty."""
    status = next(status for status in spec["responses"] if status.startswith("2"))
    content = spec["responses"][status].get("content", {})
    return status, content[JSON]["schema"] if JSON in content else None


def resolved(schema: Schema, *, components: Schema) -> dict[str, Any]:
    """The schema without `$ref` and `allOf` at its top; of alternatives the first that is not null.

    What stands beside a reference, such as a description, goes before what it refers to.
    """
    beside = {key: value for key, value in schema.items() if key not in {"$ref", "allOf", "oneOf", "anyOf"}}
    plain: dict[str, Any] = {}
    if "$ref" in schema:
        plain |= resolved(components[str(schema["$ref"]).removeprefix(_REF)], components=components)
    for part in schema.get("allOf", []):
        plain |= resolved(part, components=components)
    for choice in [*schema.get("oneOf", []), *schema.get("anyOf", [])]:
        chosen = resolved(choice, components=components)
        if chosen.get("type") != "null" and chosen.get("enum") != [None]:
            plain |= chosen
            break
    return plain | beside


def types_of(schema: Schema, *, components: Schema) -> list[str]:
    """The JSON types that a schema allows, null among them, in the order in which it names them."""
    named = schema.get("type")
    found = [named] if isinstance(named, str) else list(named or [])
    if "$ref" in schema:
        found += types_of(components[str(schema["$ref"]).removeprefix(_REF)], components=components)
    for part in [*schema.get("allOf", []), *schema.get("oneOf", []), *schema.get("anyOf", [])]:
        found += types_of(part, components=components)
    return list(dict.fromkeys(found))
