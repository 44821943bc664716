"""Other people's libraries make tools of ours for their models, and call them.

The libraries come with requirements-interop.lock, so the tests import them, and one worker runs these tests.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import httpx2
import mcp_types as types
import orjson
import pytest

from apps.core.api import schema
from apps.launches.badges import checks
from apps.listings.claims import api
from apps.listings.models import Listing
from apps.mcp.registry import Tool, read_tools
from tests.factories import ListingFactory, api_key
from tests.mcp.clients import VERSIONS, outcome_of, session_of
from tests.mcp.conftest import World
from tests.mcp.every_tool import Calls, Conversation, calls, make_rows

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
    from agents import FunctionTool

    async def call(context: Any, arguments: str) -> str:
        return arguments

    tool = FunctionTool(name, TOOLS[name].definition.description or "", shown(TOOLS[name]), call)
    strict = tool.params_json_schema

    assert tool.strict_json_schema
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


def filled(schema: Mapping[str, Any], value: Any) -> Any:
    """A value as strict modes send it: with null for everything that it leaves out, also inside."""
    schema = next((one for one in schema.get("anyOf", ()) if one["type"] != "null"), schema)
    if isinstance(value, list):
        return [filled(schema["items"], one) for one in value]
    if not isinstance(value, dict):
        return value
    assert value.keys() <= schema["properties"].keys()
    return {key: filled(inner, value.get(key)) for key, inner in schema["properties"].items()}


def content_of(result: types.CallToolResult) -> Any:
    """The answer, which may have no content."""
    assert not result.is_error, result.content
    return result.structured_content or {}


async def through(wanted: Calls, ask: Callable[[str, dict[str, Any]], Awaitable[Any]]) -> None:
    """Make each call, and have every tool answered."""
    conversation = Conversation(wanted)
    call = conversation.after(None)
    while call:
        call = conversation.after(await ask(*call))
    assert conversation.names == TOOLS.keys()


@pytest.fixture
def listing(world: World) -> Listing:
    """A listing whose owner has used up no limit."""
    made: Listing = world.committed(lambda: ListingFactory.create(live=True))
    return made


@pytest.fixture
def key(world: World, listing: Listing) -> str:
    return world.committed(lambda: api_key(listing.company.owner))


@pytest.fixture
def wanted(world: World, listing: Listing, monkeypatch: pytest.MonkeyPatch) -> Calls:
    """A call of every tool. No worker checks anything, so none is waited for."""
    for module in (api, checks):
        monkeypatch.setattr(module, "WAIT_SECONDS", 0)
    return calls(world.committed(lambda: make_rows(listing)))


@pytest.mark.interop
@pytest.mark.django_db
def test_agents_call_every_tool_in_strict_mode(base_url: str, key: str, wanted: Calls) -> None:
    from agents.mcp import MCPServerStreamableHttp, MCPUtil
    from agents.tool_context import ToolContext

    async def called(tool: "FunctionTool", arguments: dict[str, Any]) -> Any:
        sent = json.dumps(filled(shown(TOOLS[tool.name]), arguments))
        context = ToolContext(context=None, tool_name=tool.name, tool_call_id="1", tool_arguments=sent)
        answer = await tool.on_invoke_tool(context, sent)
        # Without content it is the text as a part of a message.
        return orjson.loads(answer) if isinstance(answer, str) else answer

    async def ask() -> None:
        params: Any = {"url": f"{base_url}/mcp", "headers": {"Authorization": f"Bearer {key}"}}
        async with MCPServerStreamableHttp(params, use_structured_content=True) as server:
            converted = {tool.name: MCPUtil.to_function_tool(tool, server, True) for tool in await server.list_tools()}
            # One without arguments has nothing to be strict about.
            strict = {name for name, tool in converted.items() if tool.strict_json_schema}
            assert strict >= {name for name, tool in TOOLS.items() if tool.arguments}
            await through(wanted, lambda name, arguments: called(converted[name], arguments))

    asyncio.run(ask())


@pytest.mark.interop
@pytest.mark.django_db
def test_langchain_calls_every_tool(base_url: str, key: str, wanted: Calls) -> None:
    from langchain_core.tools import StructuredTool

    async def ask() -> None:
        async with session_of(f"{base_url}/mcp", version=VERSIONS[-1], key=key) as session:

            def chained(tool: types.Tool) -> StructuredTool:
                async def call(**arguments: Any) -> Any:
                    return content_of(await session.call_tool(tool.name, arguments))

                said = tool.description or ""
                return StructuredTool(name=tool.name, description=said, args_schema=tool.input_schema, coroutine=call)

            converted = {tool.name: chained(tool) for tool in (await session.list_tools()).tools}
            await through(wanted, lambda name, arguments: converted[name].ainvoke(arguments))

    asyncio.run(ask())


@pytest.mark.interop
@pytest.mark.django_db
def test_pydantic_calls_every_tool(base_url: str, key: str, wanted: Calls) -> None:
    from pydantic_ai import Agent, UsageLimits
    from pydantic_ai import Tool as PydanticTool
    from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    conversation = Conversation(wanted)

    def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        assert {tool.name for tool in info.function_tools} == TOOLS.keys()
        last = messages[-1].parts[-1]
        call = conversation.after(last.content if isinstance(last, ToolReturnPart) else None)
        return ModelResponse(parts=[ToolCallPart(*call) if call else TextPart("Done.")])

    async def ask() -> None:
        async with session_of(f"{base_url}/mcp", version=VERSIONS[-1], key=key) as session:

            def typed(tool: types.Tool) -> PydanticTool:
                async def call(**arguments: Any) -> Any:
                    return content_of(await session.call_tool(tool.name, arguments))

                return PydanticTool.from_schema(call, tool.name, tool.description or "", tool.input_schema)

            agent = Agent(FunctionModel(respond), tools=[typed(tool) for tool in (await session.list_tools()).tools])
            await agent.run("Hello", usage_limits=UsageLimits(request_limit=None))

    asyncio.run(ask())
    assert conversation.names == TOOLS.keys()


@pytest.mark.interop
@pytest.mark.django_db
def test_gemini_is_told_every_tool_and_calls_it(base_url: str, key: str, wanted: Calls) -> None:
    from google.genai import Client
    from google.genai.types import HttpOptions

    told: list[Any] = []
    conversation = Conversation(wanted)

    def answer(request: httpx2.Request) -> httpx2.Response:
        """The model's side: read the answer to the last call, and make the next one."""
        sent = orjson.loads(request.content)
        told[:] = sent["tools"]
        said = sent["contents"][-1]["parts"][0].get("functionResponse")
        call = conversation.after(said and content_of(types.CallToolResult.model_validate(said["response"]["result"])))
        part = {"functionCall": {"name": call[0], "args": call[1]}} if call else {"text": "Done."}
        return httpx2.Response(200, json={"candidates": [{"content": {"role": "model", "parts": [part]}}]})

    async def ask() -> None:
        async with (
            httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as http,
            session_of(f"{base_url}/mcp", version=VERSIONS[-1], key=key) as session,
        ):
            model = Client(api_key="test", http_options=HttpOptions(httpx_async_client=http)).aio.models
            most = {"maximum_remote_calls": 2 * len(TOOLS)}
            config: Any = {"tools": [session], "automatic_function_calling": most}
            await model.generate_content(model="gemini", contents="Hello", config=config)

    asyncio.run(ask())
    declared = {one["name"]: one["parameters"] for tool in told for one in tool["functionDeclarations"]}
    assert declared.keys() == TOOLS.keys()
    for name, parameters in declared.items():
        assert set(parameters.get("properties", {})) == set(shown(TOOLS[name])["properties"]), name
        assert parameters.get("required") == shown(TOOLS[name]).get("required"), name
    assert conversation.names == TOOLS.keys()
