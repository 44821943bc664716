"""Convert OpenAPI 3.1 schemas to JSON Schemas that every client's validator accepts."""

from collections.abc import Collection, Mapping
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from apps.core.api.patterns import TEXT

_DROPPED = frozenset({"example", "readOnly", "writeOnly", "discriminator", "externalDocs", "xml"})
# Careful clients warn about the second, which says nothing.
_DROPPED_PAIRS: tuple[tuple[str, Any], ...] = (("format", "decimal"), ("additionalProperties", {}), ("pattern", TEXT))
# Longer ones help no model, and every client would read them in each tool list.
_LONGEST_PATTERN = 60
_ONLY_FOR_THE_API = frozenset({"pattern", "minLength", "minItems", "uniqueItems", "format"})
_LARGEST_SAID = 100_000
_MOST_CHOICES_NAMED = 30
_SELF_EXPLANATORY = frozenset({"page", "per_page"})
_USUAL_URL = 500
_LONGEST_SAID = 1_000
_BEYOND_DOUBT = frozenset(
    {
        "idempotency_key", "include", "country", "billing_country", "week", "vat_number", "contact_email", "site",
        "name", "city", "stage", "funding", "legal_name", "audience",
    }
)  # fmt: skip
_MOST_SAID = 10
_ANNOTATIONS = frozenset({"title", "description", "default", "deprecated"})
_OF_NUMBERS = frozenset({"minimum", "maximum"})
_OF_TEXT = frozenset({"minLength", "maxLength", "pattern", "format"})
_NULL = {"type": "null"}
_MAPS_OF_SCHEMAS = frozenset({"properties", "patternProperties", "dependentSchemas"})
_LISTS_OF_SCHEMAS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_SCHEMAS = frozenset({"items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else"})


def self_contained(schema: Any, *, components: Mapping[str, Any], inside: tuple[str, ...] = ()) -> Any:
    """Return the schema with `$ref` inlined, `anyOf` instead of type arrays, and no OpenAPI keywords.

    `components` are the document's named schemas. Raises ImproperlyConfigured for a missing or circular reference.
    """
    if not isinstance(schema, Mapping):
        return schema
    if "$ref" in schema:
        name = str(schema["$ref"]).removeprefix("#/components/schemas/")
        if name in inside or name not in components:
            raise ImproperlyConfigured(f"The schema {name} can't be inlined into a tool.")
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


def concise(schema: Any, *, name: str = "") -> Any:
    """Return an argument's schema without what only the API needs, because models read every tool list.

    The API validates the rest and says what to send instead.
    """
    if not isinstance(schema, Mapping):
        return schema
    merged = _merge_parts(_without_null(schema))
    result = {key: value for key, value in merged.items() if key not in _ONLY_FOR_THE_API}
    if result.get("default") in ("", False):
        del result["default"]
    # google-genai can't read a boolean there.
    if isinstance(result.get("additionalProperties"), bool):
        del result["additionalProperties"]
    for shorten in (_loosen_bounds, _shorten_words, _name_choices):
        result = shorten(result, name)
    for key, value in result.items():
        if key == "properties":
            result[key] = _concise_properties(value, required=result.get("required", ()), of=name)
        elif key in _LISTS_OF_SCHEMAS:
            result[key] = [concise(one) for one in value]
        elif key in _SCHEMAS:
            result[key] = concise(value)
    return result


def _concise_properties(properties: Mapping[str, Any], *, required: Collection[str], of: str) -> dict[str, Any]:
    """Return an object's properties without objects whose own properties are all beside them.

    Optional ones take null, because strict modes send them all. An empty link is none, so links need no null.
    """
    shortened = {name: concise(inner, name=name) for name, inner in properties.items()}
    return {
        name: inner if name in required or of == "socials" else nullable(inner)
        for name, inner in shortened.items()
        if not inner.get("properties") or inner["properties"].keys() - shortened.keys()
    }


def _without_null(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Leave null out, which every optional value takes."""
    if "anyOf" not in schema:
        return schema
    choices = [choice for choice in schema["anyOf"] if choice != _NULL]
    rest = {key: value for key, value in schema.items() if key != "anyOf"}
    return {**rest, **choices[0]} if len(choices) == 1 else {**rest, "anyOf": choices}


def _merge_parts(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Replace a single-part `allOf` with its part. The API checks rules between values."""
    parts = schema.get("allOf", [])
    rest = {key: value for key, value in schema.items() if key != "allOf" or len(parts) > 1}
    if any("not" in part for part in parts):
        del rest["allOf"]
    if "type" in schema and any("type" not in choice for choice in schema.get("anyOf", ())):
        del rest["anyOf"]
    return {**parts[0], **rest} if len(parts) == 1 else rest


def _loosen_bounds(schema: dict[str, Any], name: str) -> dict[str, Any]:
    """Drop bounds that nobody reaches by accident."""
    longest = schema.get("maxLength", 0)
    is_loose = {
        "maximum": schema.get("maximum", 0) > _LARGEST_SAID,
        "minimum": schema.get("minimum", 2) <= 1,
        "maxLength": longest == _USUAL_URL or longest >= _LONGEST_SAID or name in _BEYOND_DOUBT,
        "maxItems": schema.get("maxItems", 0) > _MOST_SAID,
    }
    schema = {key: value for key, value in schema.items() if not is_loose.get(key)}
    if isinstance(schema.get("items"), Mapping):
        schema["items"] = {
            key: value for key, value in schema["items"].items() if key not in {"maxLength", "description"}
        }
    return schema


def _shorten_words(schema: dict[str, Any], name: str) -> dict[str, Any]:
    if name in _SELF_EXPLANATORY:
        return {key: value for key, value in schema.items() if key != "description"}
    if str(schema.get("description")).startswith("An https URL"):
        rest = {key: value for key, value in schema.items() if key != "description"}
        # Other names say it.
        return rest if name.endswith("_url") else rest | {"description": "https URL"}
    return schema


def _name_choices(schema: dict[str, Any], name: str) -> dict[str, Any]:
    """List choices in words: several clients reject them as a schema or would repeat them."""
    if "" in schema.get("enum", ()) and len(schema["enum"]) > _MOST_CHOICES_NAMED:
        # Its error lists them.
        return {key: value for key, value in schema.items() if key != "enum"}
    if "" in schema.get("enum", ()):
        choices = ", ".join(str(value) for value in schema["enum"] if value)
        rest = {key: value for key, value in schema.items() if key != "enum"}
        return rest | {"description": f"One of {choices}; empty removes it."}
    return schema


def nullable(schema: dict[str, Any]) -> dict[str, Any]:
    """Allow null: clients in strict mode send every argument of a tool."""
    if "anyOf" in schema:
        without_null = [one for one in schema["anyOf"] if one != _NULL]
        return {**schema, "anyOf": [*without_null, _NULL]}
    around = {key: value for key, value in schema.items() if key in _ANNOTATIONS}
    rest = {key: value for key, value in schema.items() if key not in _ANNOTATIONS}
    return around | {"anyOf": [rest, _NULL]}


def outline(schema: Any, *, depth: int) -> Any:
    """Return an answer's schema with only names and types, and objects expanded to a number of levels."""
    if not isinstance(schema, Mapping):
        return {}
    choices = schema.get("anyOf") or schema.get("oneOf")
    if choices:
        kinds = [outline(one, depth=depth) for one in choices]
        return {"anyOf": [kind for place, kind in enumerate(kinds) if kind not in kinds[:place]]}
    parts = schema.get("allOf", [])
    if len(parts) == 1 and "type" not in schema:
        return outline(parts[0], depth=depth)
    kind = schema.get("type")
    if kind == "object" and depth and schema.get("properties"):
        named = {name: outline(inner, depth=depth - 1) for name, inner in schema["properties"].items()}
        return {"type": "object", "properties": named}
    if kind == "array" and depth and (items := outline(schema.get("items"), depth=depth)) != {}:
        return {"type": "array", "items": items}
    return {"type": kind} if kind else {}


def _is_dropped(key: str, value: Any) -> bool:
    if key in _DROPPED or key.startswith("x-") or (key, value) in _DROPPED_PAIRS:
        return True
    return key == "pattern" and isinstance(value, str) and len(value) > _LONGEST_PATTERN


def _one_type_each(schema: dict[str, Any]) -> dict[str, Any]:
    """Replace `{"type": ["string", "null"], …}` by `anyOf`, because several clients read only single types."""
    types = schema.get("type")
    if not isinstance(types, list):
        return schema
    around = {key: value for key, value in schema.items() if key in _ANNOTATIONS}
    rest = {key: value for key, value in schema.items() if key not in _ANNOTATIONS and key != "type"}
    return around | {"anyOf": [_of_type(name, rest) for name in types]}


def _of_type(name: str, rest: dict[str, Any]) -> dict[str, Any]:
    if name == "null":
        return {"type": "null"}
    others = _OF_TEXT if name in {"integer", "number"} else _OF_NUMBERS
    result = {key: value for key, value in rest.items() if key not in others}
    if "enum" in result:
        result["enum"] = [value for value in result["enum"] if value is not None]
    return {"type": name} | result
