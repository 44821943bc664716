"""Tools: each operation of the OpenAPI document is one, under the same name, unless it says `tool: false`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import mcp_types as types
from django.core.exceptions import ImproperlyConfigured

from apps.core.api.operation import EXTENSION
from apps.mcp.paging import PAGE_ARGUMENT, numbered_schema
from apps.mcp.schemas import concise, nullable, outline, self_contained

KEY_ARGUMENT = "idempotency_key"
_KEY_HEADER = "Idempotency-Key"
_IDEMPOTENT_METHODS = frozenset({"get", "put", "delete"})
_METHODS = _IDEMPOTENT_METHODS | {"post", "patch"}
_JSON = "application/json"
# They mean the same in every tool.
_SAID_ONCE = frozenset({KEY_ARGUMENT, "site", "wait_seconds"})
_VERY_MANY = 30
# Strict clients can't send what a schema doesn't name, so it names the first ones again.
_NAMED_AGAIN = 5
_FIELDS_WORTH_LEAVING = 5

Place = Literal["path", "query", "header", "body"]
Spec = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a tool and its location in the request."""

    name: str
    place: Place
    schema: dict[str, Any]
    is_required: bool


@dataclass(frozen=True, slots=True)
class Tool:
    """An operation's request, and its description for clients. `method` is in upper case."""

    name: str
    method: str
    path: str
    scope: str | None
    arguments: dict[str, Argument]
    takes_body: bool
    takes_large_body: bool
    definition: types.Tool

    @property
    def is_paged(self) -> bool:
        """Return whether the tool returns a page of a list."""
        return PAGE_ARGUMENT in self.named("query")

    def named(self, place: Place) -> set[str]:
        """Return the names of the arguments in one location."""
        return {name for name, argument in self.arguments.items() if argument.place == place}


def read_tools(document: Spec) -> dict[str, Tool]:
    """Return all tools of an OpenAPI document by name, public ones first.

    Raises ImproperlyConfigured for duplicate operations or arguments, a body or answer that isn't an object, or an
    operation without a description.
    """
    components = document.get("components", {}).get("schemas", {})
    tools: dict[str, Tool] = {}
    for path, operations in document["paths"].items():
        for method in sorted(_METHODS & operations.keys()):
            if not operations[method][EXTENSION].get("tool", True):
                continue
            tool = _read(method, path, operations[method], components)
            if tool.name in tools:
                raise ImproperlyConfigured(f"Two operations are named {tool.name}.")
            tools[tool.name] = tool
    _say_once(tools)
    return dict(sorted(tools.items(), key=lambda item: item[1].scope is not None))


def _say_once(tools: Mapping[str, Tool]) -> None:
    """Describe what several tools take or return in the first of them, instead of repeating it.

    Of very many properties, the others have the first ones. An answer similar to an earlier tool's names only the
    fields that the other doesn't have.
    """
    described: dict[str, str] = {}
    answers: list[Spec] = []
    for tool in tools.values():
        if tool.definition.output_schema:
            tool.definition.output_schema = _own_fields(tool.definition.output_schema, answers)
        arguments = tool.definition.input_schema["properties"]
        for name, argument in arguments.items():
            properties = argument.get("properties", {})
            first = described.setdefault(f"{name} {sorted(properties)}", tool.name)
            if len(properties) >= _VERY_MANY and first != tool.name:
                text = f"{argument['description']} Takes what {first} takes."
                again = dict(list(properties.items())[:_NAMED_AGAIN])
                arguments[name] = {"type": "object", "description": text, "properties": again}
        for name in _SAID_ONCE & arguments.keys():
            if described.setdefault(name, tool.name) != tool.name:
                arguments[name].pop("description", None)
        for name in arguments.keys() - set(tool.definition.input_schema.get("required", ())):
            arguments[name] = nullable(arguments[name])


def _own_fields(schema: dict[str, Any], earlier: list[Spec]) -> dict[str, Any]:
    """Return an object's schema without the fields that it shares with the most similar earlier one, and remember it.

    Of a list, that is also done to the items.
    """
    fields = schema.get("properties", {})
    if "items" in fields:
        items = _own_fields(fields["items"].get("items", {}), earlier)
        fields = {**fields, "items": {**fields["items"], "items": items}}
    shared = max(
        ([name for name in fields if known.get(name) == fields[name]] for known in earlier), key=len, default=[]
    )
    earlier.append(fields)
    left_out = shared if len(shared) >= _FIELDS_WORTH_LEAVING else []
    own = {name: field for name, field in fields.items() if name not in left_out}
    return {**schema, "properties": own} if own else {"type": "object"}


def _read(method: str, path: str, operation: Spec, components: Spec) -> Tool:
    name = operation["operationId"]
    if not operation.get("description"):
        raise ImproperlyConfigured(f"{name} needs a docstring: it is the tool's description.")
    declared = operation[EXTENSION]
    body = _object(operation.get("requestBody", {}), components, of=name)
    arguments = _unique(_arguments(operation, body or {}, components), of=name)
    scope: str | None = declared["scope"]
    return Tool(
        name=name,
        method=method.upper(),
        path=path,
        scope=scope,
        arguments=arguments,
        takes_body=body is not None,
        takes_large_body="max_body_bytes" in declared,
        definition=types.Tool(
            name=name,
            title=operation.get("summary"),
            description=operation["description"],
            input_schema=_input_schema(arguments),
            output_schema=_output_schema(operation, components, is_paged=PAGE_ARGUMENT in arguments),
            annotations=types.ToolAnnotations(
                read_only_hint=method == "get" or declared["read_only"],
                destructive_hint=declared["destructive"],
                idempotent_hint=method in _IDEMPOTENT_METHODS or declared["idempotent"],
                open_world_hint=declared["open_world"],
            ),
            _meta={"securitySchemes": _security(declared)},
        ),
    )


def _security(declared: Spec) -> list[Spec]:
    """Return the alternatives that grant access; any one is enough."""
    scopes = [declared[name] for name in ("scope", "or_scope") if declared.get(name)]
    return [{"type": "oauth2", "scopes": [scope]} for scope in scopes] or [{"type": "noauth"}]


def _arguments(operation: Spec, body: Spec, components: Spec) -> Iterable[Argument]:
    for parameter in operation.get("parameters", []):
        name, place = parameter["name"], parameter["in"]
        if place == "header" and name != _KEY_HEADER:
            continue
        schema = self_contained(parameter["schema"], components=components)
        if description := parameter.get("description"):
            schema = {**schema, "description": description}
        yield Argument(KEY_ARGUMENT if place == "header" else name, place, schema, parameter.get("required", False))
    for name, schema in body.get("properties", {}).items():
        yield Argument(name, "body", schema, name in body.get("required", ()))


def _unique(arguments: Iterable[Argument], *, of: str) -> dict[str, Argument]:
    named: dict[str, Argument] = {}
    for argument in arguments:
        if argument.name in named:
            raise ImproperlyConfigured(f"{of} has two arguments named {argument.name}.")
        named[argument.name] = argument
    return named


def _input_schema(arguments: dict[str, Argument]) -> dict[str, Any]:
    required = [argument.name for argument in arguments.values() if argument.is_required]
    return {
        "type": "object",
        "properties": {
            name: concise(argument.schema, name=name)
            for name, argument in arguments.items()
            if not argument.schema.get("deprecated")
        },
    } | ({"required": required} if required else {})


def _output_schema(operation: Spec, components: Spec, *, is_paged: bool) -> dict[str, Any] | None:
    success = next(status for status in operation["responses"] if status.startswith("2"))
    schema = _object(operation["responses"][success], components, of=operation["operationId"])
    if schema is None:
        return None
    shown: dict[str, Any] = outline(numbered_schema(schema) if is_paged else schema, depth=2 if is_paged else 1)
    return shown


def _object(message: Spec, components: Spec, *, of: str) -> dict[str, Any] | None:
    """Return the schema of a JSON body or answer, or None."""
    content = message.get("content", {})
    if _JSON not in content:
        return None
    schema: dict[str, Any] = self_contained(content[_JSON]["schema"], components=components)
    if schema.get("type") != "object":
        # A single answer of another type makes older clients drop the whole tool list.
        raise ImproperlyConfigured(f"A body or answer of {of} isn't an object.")
    return schema
