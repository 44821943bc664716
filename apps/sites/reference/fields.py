"""Turn the fields of bodies, answers and parameters into rows of the reference."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from apps.sites.reference.schemas import Schema, resolved, types_of

_FORMAT_WORDS = {"date": "date", "date-time": "date-time", "uri": "URL", "email": "email"}
# Enumerations repeat their values in the description, each with its label.
_LABELLED = "* `"
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Field:
    """A row. `path` leads to the field from the top, such as `items[].week`. `kind`, `limits` and `text` are prose."""

    path: str
    kind: str
    limits: str
    text: str
    is_required: bool
    depth: int


def parameter_fields(spec: Schema, place: str, *, components: Schema) -> list[Field]:
    """Return an operation's parameters in one location: path, query or header."""
    return [
        _field(
            parameter["name"],
            {"description": parameter.get("description", ""), **parameter["schema"]},
            components,
            is_required=parameter.get("required", False),
            depth=0,
        )
        for parameter in spec.get("parameters", [])
        if parameter["in"] == place
    ]


def schema_fields(schema: Schema, *, components: Schema) -> list[Field]:
    """Return the fields of an object and its nested objects, each after its parent."""
    return list(_walk(schema, components, path="", depth=0))


def _walk(schema: Schema, components: Schema, *, path: str, depth: int) -> Iterator[Field]:
    plain = resolved(schema, components=components)
    required = plain.get("required", [])
    for name, inner in plain.get("properties", {}).items():
        where = f"{path}{name}"
        yield _field(where, inner, components, is_required=name in required, depth=depth)
        if depth < _DEEPEST:
            yield from _walk(
                _entry(inner, components), components, path=where + _join(inner, components), depth=depth + 1
            )


def _entry(schema: Schema, components: Schema) -> Schema:
    """Return the schema, or that of a list's items."""
    plain = resolved(schema, components=components)
    result: Schema = plain.get("items", plain) if "array" in types_of(schema, components=components) else plain
    return result


def _join(schema: Schema, components: Schema) -> str:
    return "[]." if "array" in types_of(schema, components=components) else "."


def _field(path: str, schema: Schema, components: Schema, *, is_required: bool, depth: int) -> Field:
    plain = resolved(schema, components=components)
    text = str(plain.get("description", "")).split(_LABELLED, 1)[0].strip()
    return Field(
        path=path,
        kind=_kind(schema, components),
        limits=", ".join(_limits(plain, components)),
        text=text,
        is_required=is_required,
        depth=depth,
    )


def _kind(schema: Schema, components: Schema) -> str:
    plain = resolved(schema, components=components)
    types = types_of(schema, components=components)
    named = [kind for kind in types if kind != "null"]
    if plain.get("enum"):
        words = "enum"
    elif len(named) > 1:
        words = "any"
    elif named == ["array"]:
        words = f"array of {_kind(plain.get('items', {}), components)}s"
    elif named == ["string"]:
        form = _FORMAT_WORDS.get(plain.get("format", ""))
        words = f"string ({form})" if form else "string"
    else:
        words = named[0] if named else "object"
    return f"{words} or null" if "null" in types and "any" not in words else words


def _limits(plain: dict[str, Any], components: Schema) -> Iterator[str]:
    values = plain.get("enum") or resolved(plain.get("items", {}), components=components).get("enum")
    if values:
        yield ", ".join(str(value) for value in values if value not in {None, ""})
    least, most = plain.get("minimum"), plain.get("maximum")
    # Hide the bounds of database columns.
    if least is not None and most is not None and most < 2**31:
        yield f"{least:,} to {most:,}"
    elif least:
        yield f"at least {least:,}"
    if "maxLength" in plain:
        yield f"at most {plain['maxLength']:,} characters"
    if "maxItems" in plain:
        yield f"at most {plain['maxItems']:,}"
    if plain.get("default") not in (None, "", [], {}):
        yield f"default {str(plain['default']).lower()}"
