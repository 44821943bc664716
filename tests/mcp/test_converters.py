"""Other people's libraries make tools of ours for their models, and call them.

The libraries come with requirements-interop.lock, so the tests import them, and one worker runs these tests.
"""

import asyncio
import json
from collections.abc import Mapping
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import httpx2
import orjson
import pytest

from apps.core.api import schema
from apps.mcp.registry import Tool, read_tools
from tests.mcp.clients import VERSIONS, outcome_of, session_of
from tests.mcp.conftest import World

if TYPE_CHECKING:
    from agents.tool import FunctionTool

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("converters")]

TOOLS = read_tools(schema.document())
# They need no rows but the world's.
READING = sorted(name for name, tool in TOOLS.items() if tool.method == "GET" and tool.named("path") <= {"listing_id"})


def shown(tool: Tool) -> dict[str, Any]:
    return deepcopy(tool.definition.input_schema)


def arguments_of(name: str, world: World, *, null: bool) -> dict[str, Any]:
    """The required arguments; with `null`, every other one as well, as strict modes send them."""
    known = {"listing_id": world.listing.pk}
    arguments = TOOLS[name].definition.input_schema
    return {argument: known.get(argument) for argument in arguments["properties"] if null or argument in known}


@pytest.mark.interop
@pytest.mark.parametrize("name", TOOLS)
def test_openai_s_strict_mode_takes_every_tool(name: str) -> None:
    from agents.strict_schema import ensure_strict_json_schema

    strict = ensure_strict_json_schema(shown(TOOLS[name]))

    assert strict["additionalProperties"] is False
    assert set(strict["required"]) == set(strict["properties"])


@pytest.mark.interop
@pytest.mark.parametrize("name", TOOLS)
def test_langchain_and_pydantic_take_every_tool(name: str) -> None:
    from langchain_core.tools import StructuredTool
    from langchain_core.utils.function_calling import convert_to_openai_tool
    from pydantic_ai import Tool as PydanticTool
    from pydantic_ai.profiles.google import GoogleJsonSchemaTransformer
    from pydantic_ai.profiles.openai import OpenAIJsonSchemaTransformer

    async def call(**arguments: Any) -> Mapping[str, Any]:
        return arguments

    description, properties = TOOLS[name].definition.description or "", set(shown(TOOLS[name])["properties"])
    chained = StructuredTool(name=name, description=description, args_schema=shown(TOOLS[name]), coroutine=call)
    typed = PydanticTool.from_schema(call, name, description, shown(TOOLS[name]))

    assert set(convert_to_openai_tool(chained)["function"]["parameters"]["properties"]) == properties
    for transformer in (OpenAIJsonSchemaTransformer, GoogleJsonSchemaTransformer):
        assert (
            set(transformer(deepcopy(typed.tool_def.parameters_json_schema), strict=None).walk()["properties"])
            == properties
        )


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("version", VERSIONS)
def test_every_optional_argument_may_be_sent_as_null(version: str, base_url: str, world: World) -> None:
    async def answers(*, null: bool) -> list[Any]:
        async with session_of(f"{base_url}/mcp", version=version, key=world.key) as session:
            tried = [(name, arguments_of(name, world, null=null)) for name in READING]
            return [(await outcome_of(session, name, sent)).structured_content for name, sent in tried]

    sent_as_null = asyncio.run(answers(null=True))
    assert all(sent_as_null)
    assert sent_as_null == asyncio.run(answers(null=False))


@pytest.mark.interop
@pytest.mark.django_db
def test_gemini_is_told_every_tool(base_url: str, world: World) -> None:
    from google.genai import Client
    from google.genai.types import HttpOptions

    told: list[dict[str, Any]] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        told.extend(orjson.loads(request.content)["tools"])
        return httpx2.Response(200, json={})

    async def ask() -> None:
        async with (
            httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as http,
            session_of(f"{base_url}/mcp", version=VERSIONS[-1], key=world.key) as session,
        ):
            model = Client(api_key="test", http_options=HttpOptions(httpx_async_client=http)).aio.models
            await model.generate_content(model="gemini", contents="Hello", config={"tools": [session]})

    asyncio.run(ask())
    declared = {one["name"]: one["parameters"] for tool in told for one in tool["functionDeclarations"]}
    assert declared.keys() == TOOLS.keys()
    for name, parameters in declared.items():
        assert set(parameters.get("properties", {})) == set(shown(TOOLS[name])["properties"]), name
        assert parameters.get("required") == shown(TOOLS[name]).get("required"), name


# Its values are in update_draft, because tool lists have a budget.
NOT_STRICT = {"submit_draft"}


def changes_of(name: str, values: dict[str, Any]) -> dict[str, Any]:
    """Every argument of a tool, with null for those without a value, also in what is inside."""

    def filled(schema: Mapping[str, Any], value: Any) -> Any:
        schema = next((one for one in schema.get("anyOf", ()) if one["type"] != "null"), schema)
        if isinstance(value, list):
            return [filled(schema["items"], one) for one in value]
        if not isinstance(value, dict):
            return value
        return {key: filled(inner, value.get(key)) for key, inner in schema["properties"].items()}

    sent: dict[str, Any] = filled(shown(TOOLS[name]), values)
    return sent


@pytest.mark.interop
@pytest.mark.django_db
def test_agents_in_strict_mode_call_what_they_converted(base_url: str, world: World) -> None:
    from agents.mcp import MCPServerStreamableHttp, MCPUtil
    from agents.tool_context import ToolContext

    async def answers() -> list[Any]:
        params: Any = {"url": f"{base_url}/mcp", "headers": {"Authorization": f"Bearer {world.key}"}}
        async with MCPServerStreamableHttp(params, use_structured_content=True) as server:
            converted = [MCPUtil.to_function_tool(tool, server, True) for tool in await server.list_tools()]
            assert {tool.name for tool in converted} == TOOLS.keys()
            # One without arguments has nothing to be strict about.
            strict = {tool.name for tool in converted if tool.strict_json_schema}
            assert strict >= {name for name, tool in TOOLS.items() if tool.arguments} - NOT_STRICT
            return [await called(tool) for tool in converted if tool.name in READING or tool.name in changes]

    changes: dict[str, dict[str, Any]] = {
        "update_my_listing": {"listing_id": world.listing.pk, "fields": {"headline": "Said in strict mode"}},
        "update_profile": {"role": "Founder"},
        "quote_order": {"items": [{"product": "launch", "listing_id": world.listing.pk}]},
    }

    async def called(tool: "FunctionTool") -> Any:
        known = changes_of(tool.name, changes[tool.name]) if tool.name in changes else None
        sent = json.dumps(known or arguments_of(tool.name, world, null=True))
        context = ToolContext(context=None, tool_name=tool.name, tool_call_id="1", tool_arguments=sent)
        return orjson.loads(await tool.on_invoke_tool(context, sent))

    answered = asyncio.run(answers())
    assert len(answered) == len(READING) + len(changes)
    assert [answer["changed"] for answer in answered if "changed" in answer] == [["headline"]]
    assert not [answer for answer in answered if "errors" in answer]
