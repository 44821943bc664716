"""JSON Schemas of tools, made from the schemas of OpenAPI 3.1 so that every client's validator reads them."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from apps.core.api.patterns import TEXT

_DROPPED = frozenset({"example", "readOnly", "writeOnly", "discriminator", "externalDocs", "xml"})
# The second says nothing, which careful clients warn of.
_DROPPED_PAIRS: tuple[tuple[str, Any], ...] = (("format", "decimal"), ("additionalProperties", {}), ("pattern", TEXT))
# A longer one helps no model, and every client would read it with every list of tools.
_LONGEST_PATTERN = 60
_ANNOTATIONS = frozenset({"title", "description", "default", "deprecated"})
_MAPS_OF_SCHEMAS = frozenset({"properties", "patternProperties", "dependentSchemas"})
_LISTS_OF_SCHEMAS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_SCHEMAS = frozenset({"items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else"})


def self_contained(schema: Any, *, components: Mapping[str, Any], inside: tuple[str, ...] = ()) -> Any:
    """The schema with `$ref` inlined, `anyOf` in place of type arrays, and OpenAPI's own keywords dropped.

    `components` are the document's named schemas. Raises ImproperlyConfigured for a reference that leads
    nowhere or back to itself.
    """
    if not isinstance(schema, Mapping):
        return schema
    if "$ref" in schema:
        name = str(schema["$ref"]).removeprefix("#/components/schemas/")
        if name in inside or name not in components:
            raise ImproperlyConfigured(f"The schema {name} cannot be inlined into a tool.")
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        return self_contained({**components[name], **beside}, components=components, inside=(*inside, name))

    def walk(inner: Any) -> Any:
        return self_contained(inner, components=components, inside=inside)

    plain: dict[str, Any] = {}
    for key, value in schema.items():
        if _is_dropped(key, value):
            continue
        if key in _MAPS_OF_SCHEMAS:
            plain[key] = {name: walk(inner) for name, inner in value.items()}
        elif key in _LISTS_OF_SCHEMAS:
            plain[key] = [walk(inner) for inner in value]
        else:
            plain[key] = walk(value) if key in _SCHEMAS else value
    return _one_type_each(plain)


def _is_dropped(key: str, value: Any) -> bool:
    if key in _DROPPED or key.startswith("x-") or (key, value) in _DROPPED_PAIRS:
        return True
    return key == "pattern" and isinstance(value, str) and len(value) > _LONGEST_PATTERN


def _one_type_each(schema: dict[str, Any]) -> dict[str, Any]:
    """`{"type": ["string", "null"], …}` as `anyOf`; several clients know a type only as a single word."""
    types = schema.get("type")
    if not isinstance(types, list):
        return schema
    around = {key: value for key, value in schema.items() if key in _ANNOTATIONS}
    rest = {key: value for key, value in schema.items() if key not in _ANNOTATIONS and key != "type"}
    return around | {"anyOf": [_of_type(name, rest) for name in types]}


def _of_type(name: str, rest: dict[str, Any]) -> dict[str, Any]:
    if name == "null":
        return {"type": "null"}
    kept = dict(rest)
    if "enum" in kept:
        kept["enum"] = [value for value in kept["enum"] if value is not None]
    return {"type": name} | kept
