"""The official SDK's server alone: one tool, whose listings come straight from PostgreSQL."""

from typing import Any

import mcp_types as types
import orjson
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool

from tests.benchmarks.peers.apps.sql import DATABASE_URL, SEARCH

_SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
_pool = AsyncConnectionPool(DATABASE_URL, min_size=4, max_size=8, open=False, kwargs={"autocommit": True})


async def _list_tools(
    ctx: ServerRequestContext[Any, Any], params: types.PaginatedRequestParams | None
) -> types.ListToolsResult:
    return types.ListToolsResult(
        tools=[types.Tool(name="search_listings", description="Search listings.", input_schema=_SCHEMA)]
    )


async def _call_tool(ctx: ServerRequestContext[Any, Any], params: types.CallToolRequestParams) -> types.CallToolResult:
    # A pool that is open does not open again.
    await _pool.open()
    async with _pool.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(SEARCH, params.arguments, prepare=True)
        result = {"items": await cursor.fetchall()}
    text = types.TextContent(type="text", text=orjson.dumps(result).decode())
    return types.CallToolResult(content=[text], structured_content=result)


_server: Server[Any] = Server("peer", on_list_tools=_list_tools, on_call_tool=_call_tool)
application = _server.streamable_http_app(stateless_http=True, json_response=True)
