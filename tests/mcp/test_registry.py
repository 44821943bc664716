"""From operations to tools."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.exceptions import ImproperlyConfigured
from jsonschema import Draft202012Validator

from apps.core.api import schema
from apps.core.api.operation import EXTENSION
from apps.core.api.scopes import OWNER_SCOPES
from apps.mcp.registry import Tool, read_tools

TOOLS = read_tools(schema.document())
PUBLISHED = Path(__file__).parents[2] / "docs" / "openapi.yaml"
OBJECT = {"content": {"application/json": {"schema": {"type": "object", "properties": {"id": {"type": "integer"}}}}}}


def an_operation(**changes: Any) -> dict[str, Any]:
    return {
        "operationId": "do_it",
        "summary": "Do it",
        "description": "Does it.",
        "responses": {"200": OBJECT, "404": {}},
        EXTENSION: {"scope": None, "read_only": False, "destructive": False, "idempotent": False, "open_world": False},
    } | changes


def read(operation: dict[str, Any], *, method: str = "post", path: str = "/api/v1/things") -> Tool:
    [tool] = read_tools({"paths": {path: {method: operation}}}).values()
    return tool


def parameter(name: str, place: str, *, required: bool = False, kind: str = "string") -> dict[str, Any]:
    return {"name": name, "in": place, "required": required, "schema": {"type": kind}}


def test_the_tools_are_the_operations_of_the_api() -> None:
    """A tool that appears, goes or is renamed is a change of the interface: do it on purpose."""
    operations = {
        operation["operationId"]
        for path in schema.document()["paths"].values()
        for operation in path.values()
        if operation[EXTENSION].get("tool", True)
    }

    assert TOOLS.keys() == operations
    published = yaml.load(PUBLISHED.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    assert TOOLS.keys() == read_tools(published).keys()


def test_what_anybody_may_call_is_listed_first() -> None:
    """It is what an assistant can use immediately; some of other people's checks simply call the first tool."""
    public = [tool.scope is None for tool in TOOLS.values()]

    assert public == sorted(public, reverse=True)


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_every_tool_is_well_formed(name: str) -> None:
    tool = TOOLS[name]
    described, answered = tool.definition.input_schema, tool.definition.output_schema

    assert tool.definition.description
    assert described["type"] == "object"
    assert answered is None or answered["type"] == "object"
    for made in filter(None, (described, answered)):
        Draft202012Validator.check_schema(made)
        assert "$ref" not in str(made)
        assert not [kind for kind in _types_in(made) if isinstance(kind, list)]


def _types_in(made: Any) -> list[Any]:
    if isinstance(made, list):
        return [kind for inner in made for kind in _types_in(inner)]
    if not isinstance(made, dict):
        return []
    own = [made["type"]] if isinstance(made.get("type"), str | list) else []
    return own + [kind for inner in made.values() for kind in _types_in(inner)]


def test_arguments_are_one_flat_object() -> None:
    body = {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}
    tool = read(
        an_operation(
            parameters=[
                parameter("thing_id", "path", required=True, kind="integer"),
                parameter("page", "query", kind="integer"),
                parameter("Idempotency-Key", "header"),
                parameter("X-Other", "header"),
            ],
            requestBody={"content": {"application/json": {"schema": body}}},
        ),
        path="/api/v1/things/{thing_id}",
    )

    assert tool.definition.input_schema == {
        "type": "object",
        "properties": {
            "thing_id": {"type": "integer"},
            "page": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "idempotency_key": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "title": {"type": "string"},
        },
        "required": ["thing_id", "title"],
    }


def test_a_collision_of_names_fails() -> None:
    body = {"type": "object", "properties": {"page": {"type": "string"}}}
    operation = an_operation(
        parameters=[parameter("page", "query")], requestBody={"content": {"application/json": {"schema": body}}}
    )

    with pytest.raises(ImproperlyConfigured, match="do_it has two arguments named page"):
        read(operation)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"/a": {"get": an_operation()}, "/b": {"get": an_operation()}}, "Two operations are named do_it"),
        ({"/a": {"get": an_operation(description="")}}, "do_it needs a docstring"),
        (
            {
                "/a": {
                    "get": an_operation(
                        responses={"200": {"content": {"application/json": {"schema": {"type": "array"}}}}}
                    )
                }
            },
            "do_it isn't an object",
        ),
    ],
)
def test_what_cannot_be_a_tool_fails(document: dict[str, Any], message: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=message):
        read_tools({"paths": document})


@pytest.mark.parametrize(
    ("method", "is_reading", "is_idempotent"),
    [
        ("get", True, True),
        ("put", False, True),
        ("delete", False, True),
        ("post", False, False),
        ("patch", False, False),
    ],
)
def test_hints_follow_the_method(method: str, is_reading: bool, is_idempotent: bool) -> None:
    hints = read(an_operation(), method=method).definition.annotations

    assert hints is not None
    assert (hints.read_only_hint, hints.idempotent_hint) == (is_reading, is_idempotent)
    assert (hints.destructive_hint, hints.open_world_hint) == (False, False)


def test_hints_follow_the_declaration() -> None:
    declared = {
        "scope": "listings:write",
        "read_only": False,
        "destructive": True,
        "idempotent": True,
        "open_world": True,
    }
    tool = read(an_operation(**{EXTENSION: declared}))

    assert tool.definition.annotations is not None
    assert tool.definition.annotations.destructive_hint is True
    assert tool.definition.annotations.open_world_hint is True
    assert tool.definition.annotations.idempotent_hint is True
    assert tool.definition.meta == {"securitySchemes": [{"type": "oauth2", "scopes": ["listings:write"]}]}


def test_a_tool_for_everybody_says_so() -> None:
    assert read(an_operation()).definition.meta == {"securitySchemes": [{"type": "noauth"}]}


def test_each_scope_that_is_enough_is_named() -> None:
    tool = TOOLS["get_draft"]
    enough = [{"type": "oauth2", "scopes": [scope]} for scope in ("account:read", "listings:write")]
    assert tool.definition.meta == {"securitySchemes": enough}


def test_what_changes_nothing_more_when_done_again_says_so() -> None:
    hints = {name: tool.definition.annotations for name, tool in TOOLS.items()}
    unsafe = {name for name, hint in hints.items() if hint and not hint.idempotent_hint}

    assert unsafe == {"add_milestone", "create_checkout", "post_listing_update"}


def test_what_saves_nothing_says_so() -> None:
    hints = {name: tool.definition.annotations for name, tool in TOOLS.items()}
    reading = {name for name, hint in hints.items() if hint and hint.read_only_hint and TOOLS[name].method != "GET"}

    assert reading == {"quote_order"}


def test_a_paged_tool_names_the_next_page_as_an_argument() -> None:
    """Said by the first paged tool, as every shape that later answers share."""
    described = {name: (tool.definition.output_schema or {}).get("properties", {}) for name, tool in TOOLS.items()}
    links = {name: fields["next"] for name, fields in described.items() if "next" in fields}
    assert set(links) == {next(name for name, tool in TOOLS.items() if tool.is_paged)}
    assert list(links.values()) == [{"anyOf": [{"type": "integer"}, {"type": "null"}]}]


def test_an_operation_without_answer_has_no_output_schema() -> None:
    assert read(an_operation(responses={"204": {}})).definition.output_schema is None


def test_every_owners_tool_names_a_scope_that_exists() -> None:
    scopes = {tool.scope for tool in TOOLS.values()}

    assert scopes <= {None, *OWNER_SCOPES}
