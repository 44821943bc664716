"""The official client in each protocol version, plain messages, and the REST answer to compare with."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import mcp_types as types
import orjson
from django.test import Client as DjangoClient
from mcp.client.client import Client
from mcp.client.session import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher

from apps.mcp.bridge import call_of
from apps.mcp.registry import Tool
from tests.waiting import PATIENCE_SECONDS

VERSIONS = ("2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
_MODES = {"2025-11-25": "legacy", "2026-07-28": "2026-07-28"}


@asynccontextmanager
async def session_of(
    url: str, *, version: str, key: str | None = None, auth: httpx2.Auth | None = None
) -> AsyncIterator[ClientSession]:
    """The SDK's client, forced to one protocol version; with a key, or with what gets itself a token."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    async with httpx2.AsyncClient(headers=headers, auth=auth, timeout=PATIENCE_SECONDS) as http:
        transport = streamable_http_client(url, http_client=http)
        if version in _MODES:
            async with Client(transport, mode=_MODES[version]) as client:
                yield client.session
            return
        async with (
            transport as (reading, writing),
            ClientSession(dispatcher=JSONRPCDispatcher(reading, writing)) as session,
        ):
            await _initialize(session, version)
            yield session


async def _initialize(session: ClientSession, version: str) -> None:
    params = types.InitializeRequestParams(
        protocol_version=version,
        capabilities=types.ClientCapabilities(),
        client_info=types.Implementation(name="tests", version="1"),
    )
    result = await session.send_request(types.InitializeRequest(params=params), types.InitializeResult)
    assert result.protocol_version == version
    session.adopt(result)
    await session.send_notification(types.InitializedNotification())


async def outcome_of(session: ClientSession, tool: str, arguments: Mapping[str, Any]) -> types.CallToolResult:
    """The result of a call; for a JSON-RPC error of ours, the result in its data."""
    try:
        return await session.call_tool(tool, dict(arguments))
    except MCPError as error:
        return types.CallToolResult.model_validate(error.error.data)


def text_of(result: types.CallToolResult) -> str:
    [content] = result.content
    assert isinstance(content, types.TextContent)
    return content.text


def rest_answer(
    tool: Tool, arguments: Mapping[str, Any], *, host: str, key: str | None = None
) -> tuple[int, dict[str, Any] | None]:
    """Status and body of the operation called by REST."""
    call = call_of(tool, arguments)
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    if call.key is not None:
        headers["Idempotency-Key"] = call.key
    response = DjangoClient(raise_request_exception=False).generic(
        call.method,
        call.path,
        b"" if call.body is None else orjson.dumps(call.body),
        content_type="" if call.body is None else "application/json",
        query_params=dict(call.query),
        headers=headers,
        HTTP_HOST=host,
    )
    return response.status_code, orjson.loads(response.content) if response.content else None


def post(base_url: str, message: Any, **headers: str) -> httpx2.Response:
    """Send any body to /mcp as JSON; header names are given with underscores."""
    raw = message if isinstance(message, bytes) else orjson.dumps(message)
    sent = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx2.post(f"{base_url}/mcp", content=raw, headers=sent, timeout=PATIENCE_SECONDS)


def call_message(tool: str, arguments: Mapping[str, Any] | None = None, *, id_: int = 1) -> dict[str, Any]:
    return {
        "jsonrpc": "2.0",
        "id": id_,
        "method": "tools/call",
        "params": {"name": tool, "arguments": dict(arguments or {})},
    }
