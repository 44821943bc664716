"""Litestar with msgspec, psycopg's pool and SQL by hand."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
from litestar import Litestar, get
from psycopg.rows import class_row
from psycopg_pool import AsyncConnectionPool

from tests.benchmarks.peers.apps.sql import BY_VOTES, DATABASE_URL, SEARCH

pool = AsyncConnectionPool(DATABASE_URL, min_size=4, max_size=8, open=False, kwargs={"autocommit": True})


class Item(msgspec.Struct):
    """A listing of a page."""

    id: int
    slug: str
    name: str
    url: str
    votes: int
    headline: str
    logo_url: str
    categories: list[str]
    launch_week: str
    status: str
    listing_url: str


class Page(msgspec.Struct):
    """A page of listings."""

    items: list[Item]


@get("/listings")
async def listings(q: str = "") -> Page:
    """The listings with a word, or those with the most votes."""
    async with pool.connection() as connection, connection.cursor(row_factory=class_row(Item)) as cursor:
        await cursor.execute(SEARCH if q else BY_VOTES, {"q": q} if q else None, prepare=True)
        return Page(await cursor.fetchall())


@asynccontextmanager
async def lifespan(_: Litestar) -> AsyncIterator[None]:
    """Keep the pool open while the application runs."""
    async with pool:
        yield


application = Litestar([listings], lifespan=[lifespan], openapi_config=None)
