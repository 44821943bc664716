"""What a list of tools costs every model that reads it."""

from typing import Any

import orjson
import pytest

from tests.mcp.clients import VERSIONS, post
from tests.mcp.test_transport import of_version

pytestmark = [pytest.mark.django_db, pytest.mark.parametrize("version", VERSIONS)]

# Bytes per tool, on average.
WHOLE_LIST = 1_250
# Name, description and input schema: what clients give to models.
FOR_MODELS = 800
REFUSED_SOMEWHERE = {"allOf", "oneOf", "not", "format", "pattern", "additionalProperties", "$ref", "$defs"}


@pytest.fixture
def tools(base_url: str, version: str) -> list[dict[str, Any]]:
    sent, headers = of_version({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, version)
    answer = post(base_url, sent, **headers)
    assert answer.status_code == 200
    result: list[dict[str, Any]] = answer.json()["result"]["tools"]
    return result


def walk(schema: Any) -> list[dict[str, Any]]:
    """Every schema inside one, and itself. The names of properties are no keywords."""
    inside = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    return [schema, *(result for one in [*inside, schema.get("items")] if one for result in walk(one))]


def test_the_list_is_short(tools: list[dict[str, Any]]) -> None:
    read_by_models = [[tool["name"], tool["description"], tool["inputSchema"]] for tool in tools]
    assert len(orjson.dumps(tools)) <= WHOLE_LIST * len(tools)
    assert len(orjson.dumps(read_by_models)) <= FOR_MODELS * len(tools)


def test_no_schema_has_what_a_client_refuses(tools: list[dict[str, Any]]) -> None:
    for tool in tools:
        arguments = tool["inputSchema"]
        assert set(arguments) <= {"type", "properties", "required"}, tool["name"]
        for schema in walk(arguments):
            assert REFUSED_SOMEWHERE.isdisjoint(schema), tool["name"]
            assert "" not in schema.get("enum", ()), tool["name"]
            assert "anyOf" in schema or isinstance(schema["type"], str), tool["name"]


def test_optional_arguments_may_be_null(tools: list[dict[str, Any]]) -> None:
    for tool in tools:
        arguments = tool["inputSchema"]
        for name, schema in arguments["properties"].items():
            takes_null = {"type": "null"} in schema.get("anyOf", ())
            assert takes_null != (name in arguments.get("required", ())), f"{tool['name']}: {name}"
