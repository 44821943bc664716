"""FastMCP with one tool, whose listings come straight from PostgreSQL."""

from typing import Any

from fastmcp import FastMCP
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool

from tests.benchmarks.peers.apps.sql import DATABASE_URL, SEARCH

server = FastMCP("peer")
pool = AsyncConnectionPool(DATABASE_URL, min_size=4, max_size=8, open=False, kwargs={"autocommit": True})


@server.tool
async def search_listings(q: str) -> dict[str, Any]:
    """Search listings."""
    # A pool that is open does not open again.
    await pool.open()
    async with pool.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(SEARCH, {"q": q}, prepare=True)
        return {"items": await cursor.fetchall()}


application = server.http_app(stateless_http=True, json_response=True)
