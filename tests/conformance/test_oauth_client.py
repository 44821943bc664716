"""The official SDK's client, which gets itself a token: nothing is asked for public tools, once for all others."""

import asyncio
import json

import mcp_types as types
import pytest
from mcp.shared.auth import OAuthToken

from apps.core.api import schema
from apps.core.api.scopes import OWNER_SCOPES
from apps.mcp.registry import Tool, read_tools
from tests.conformance.person import Person
from tests.installation import Document
from tests.mcp.assistants import Assistant
from tests.mcp.clients import VERSIONS, outcome_of, session_of
from tests.running import Running

pytestmark = pytest.mark.processes

TOOLS = read_tools(schema.document())


def harmless(tool: Tool) -> dict[str, object]:
    """Arguments of which nothing comes."""
    kinds = {name: tool.arguments[name].schema["type"] for name in tool.named("path")}
    return {name: 987654321 if kind == "integer" else "nowhere" for name, kind in kinds.items()}


@pytest.fixture(params=["registration", "document"])
def assistant(request: pytest.FixtureRequest, slipway: Running, person: Person, client_document: Document) -> Assistant:
    document_url = client_document.url if request.param == "document" else None
    return Assistant(slipway.up["mcp_url"], person, document_url)


@pytest.mark.parametrize("version", VERSIONS)
def test_access_is_asked_for_once(
    version: str, assistant: Assistant, person: Person, client_document: Document
) -> None:
    public = [tool for tool in TOOLS.values() if tool.scope is None]
    owners = [tool for tool in TOOLS.values() if tool.scope is not None]

    async def use(tools: list[Tool]) -> list[types.CallToolResult]:
        async with session_of(assistant.url, version=version, auth=assistant.provider()) as session:
            await session.list_tools()
            return [await outcome_of(session, tool.name, harmless(tool)) for tool in tools]

    asyncio.run(use(public))
    assert (person.consents, assistant.memory.tokens) == (0, None)

    results = dict(zip([tool.name for tool in owners], asyncio.run(use(owners)), strict=True))
    assert person.consents == 1
    assert not results["list_my_listings"].is_error
    assert not results["list_my_orders"].is_error
    refused = [json.loads(result.content[0].text) for result in results.values() if result.is_error]  # type: ignore[union-attr]  # an error is text
    assert {problem["status"] for problem in refused} <= {404, 422}

    # A client that was closed in between does not ask again either.
    asyncio.run(use(owners[:1]))
    assert person.consents == 1
    assert assistant.memory.tokens is not None
    assert set((assistant.memory.tokens.scope or "").split()) == {str(scope) for scope in OWNER_SCOPES}
    assert assistant.memory.client is not None
    assert (assistant.memory.client.client_id == client_document.url) == (assistant.document_url is not None)
    if assistant.document_url:
        assert client_document.requests


def test_an_expired_token_is_renewed_without_asking(assistant: Assistant, person: Person) -> None:
    async def use() -> list[OAuthToken | None]:
        provider = assistant.provider()
        async with session_of(assistant.url, version=VERSIONS[-1], auth=provider) as session:
            await session.call_tool("list_my_listings", {})
            first = assistant.memory.tokens
            provider.context.token_expiry_time = 1.0
            renewed = await session.call_tool("list_my_listings", {})
            assert not renewed.is_error
            return [first, assistant.memory.tokens]

    first, second = asyncio.run(use())

    assert person.consents == 1
    assert first is not None
    assert second is not None
    assert {first.access_token, first.refresh_token}.isdisjoint({second.access_token, second.refresh_token})
    assert second.scope == first.scope
