"""Read OpenAPI schemas: follow references and merge their parts."""

from collections.abc import Mapping
from typing import Any

JSON = "application/json"
_REF = "#/components/schemas/"

Schema = Mapping[str, Any]


def body_of(spec: Schema) -> Schema | None:
    """Return the schema of an operation's body, or None if it takes none."""
    content = spec.get("requestBody", {}).get("content", {})
    return content[JSON]["schema"] if JSON in content else None


def answer_of(spec: Schema) -> tuple[str, Schema | None]:
    """Return the success status of an operation and its schema, or None if it has no body."""
    status = next(status for status in spec["responses"] if status.startswith("2"))
    content = spec["responses"][status].get("content", {})
    return status, content[JSON]["schema"] if JSON in content else None


def resolved(schema: Schema, *, components: Schema) -> dict[str, Any]:
    """Return the schema without top-level `$ref` and `allOf`. Of several alternatives, take the first that isn't null.

    Keys beside a reference, such as a description, override the referenced schema.
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
    """Return a schema's JSON types in order, including null."""
    named = schema.get("type")
    result = [named] if isinstance(named, str) else list(named or [])
    if "$ref" in schema:
        result += types_of(components[str(schema["$ref"]).removeprefix(_REF)], components=components)
    for part in [*schema.get("allOf", []), *schema.get("oneOf", []), *schema.get("anyOf", [])]:
        result += types_of(part, components=components)
    return list(dict.fromkeys(result))
