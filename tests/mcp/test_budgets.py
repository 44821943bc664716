"""What a list of tools costs every model that reads it."""

from typing import Any

import orjson
import pytest

from tests.mcp.clients import VERSIONS, post
from tests.mcp.test_transport import of_version

pytestmark = [pytest.mark.django_db, pytest.mark.parametrize("version", VERSIONS)]

WHOLE_LIST = 45_000
# Name, description and input schema: what clients give to models.
FOR_MODELS = 20_000
REFUSED_SOMEWHERE = {"allOf", "not", "format", "pattern", "$ref", "$defs"}


@pytest.fixture
def tools(base_url: str, version: str) -> list[dict[str, Any]]:
    sent, headers = of_version({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, version)
    answer = post(base_url, sent, **headers)
    assert answer.status_code == 200
    found: list[dict[str, Any]] = answer.json()["result"]["tools"]
    return found


def walk(schema: Any) -> list[dict[str, Any]]:
    """Every schema inside one, and itself."""
    if isinstance(schema, list):
        return [found for one in schema for found in walk(one)]
    if not isinstance(schema, dict):
        return []
    return [schema, *(found for one in schema.values() for found in walk(one))]


def test_the_list_is_short(tools: list[dict[str, Any]]) -> None:
    read_by_models = [[tool["name"], tool["description"], tool["inputSchema"]] for tool in tools]
    assert len(orjson.dumps(tools)) <= WHOLE_LIST
    assert len(orjson.dumps(read_by_models)) <= FOR_MODELS


def test_no_schema_has_what_a_client_refuses(tools: list[dict[str, Any]]) -> None:
    for tool in tools:
        arguments = tool["inputSchema"]
        assert set(arguments) <= {"type", "properties", "required", "additionalProperties"}, tool["name"]
        for schema in walk(list(arguments["properties"].values())):
            assert "" not in schema.get("enum", ()), tool["name"]
            if isinstance(schema.get("type"), str):
                assert REFUSED_SOMEWHERE.isdisjoint(schema), tool["name"]
