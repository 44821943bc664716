"""Every tool, in every protocol version, says exactly what the REST API says."""

import asyncio
from itertools import product
from typing import Any

import mcp_types as types
import orjson
import pytest

from apps.core.api import schema
from apps.core.api.idempotency import REPLAYED
from apps.core.api.parsers import MAX_BODY_BYTES
from apps.mcp.paging import with_page_numbers
from apps.mcp.registry import KEY_ARGUMENT, Tool, read_tools
from tests.factories import ListingFactory
from tests.mcp.clients import VERSIONS, outcome_of, rest_answer, session_of, text_of
from tests.mcp.conftest import World

pytestmark = pytest.mark.django_db
TOOLS = read_tools(schema.document())
UNKNOWN = "no_such_argument"


def _arguments_to_try(tool: Tool, world: World) -> list[dict[str, Any]]:
    """Arguments that REST can be given as well, of which none creates anything."""
    nowhere = {
        name: 987654321 if tool.arguments[name].schema["type"] == "integer" else "nowhere"
        for name in tool.named("path")
    }
    own = nowhere | {name: value for name, value in {"listing_id": world.listing.pk}.items() if name in nowhere}
    tries = [nowhere]
    if tool.method == "GET":
        tries += [own]
    if tool.takes_body or tool.named("query"):
        tries += [own | {UNKNOWN: 1}]
    if "page" in tool.arguments:
        tries += [nowhere | {"page": 0}, nowhere | {"per_page": 1000}]
    return tries


def _same(tool: Tool, result: types.CallToolResult, rest: tuple[int, dict[str, Any] | None]) -> None:
    status, body = rest
    said = text_of(result)
    if status == 204:
        assert not result.is_error
        assert result.structured_content is None
        return
    assert body is not None
    if status < 300:
        expected = with_page_numbers(body) if tool.is_paged else body
        assert not result.is_error
        assert result.structured_content == expected
        assert orjson.loads(said) == expected
        return
    assert result.is_error
    assert result.structured_content is None
    assert _timeless(orjson.loads(said)) == _timeless(body)


def _timeless(problem: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in problem.items() if key != "request_id"}


# One of each kind: no arguments, arguments of a path, pages, a body.
KINDS = ("get_profile", "get_my_listing", "list_my_listings", "create_draft")


@pytest.mark.parametrize(
    ("name", "version"),
    [(name, VERSIONS[-1]) for name in sorted(TOOLS)] + list(product(KINDS, VERSIONS[:-1])),
)
def test_every_tool_answers_as_rest_does(name: str, version: str, base_url: str, world: World) -> None:
    tool = TOOLS[name]
    tries = _arguments_to_try(tool, world)
    host = base_url.removeprefix("http://")

    async def results(key: str | None) -> list[types.CallToolResult]:
        async with session_of(f"{base_url}/mcp", version=version, key=key) as session:
            return [await outcome_of(session, name, arguments) for arguments in tries]

    for key in (None, world.key):
        expected = [rest_answer(tool, arguments, host=host, key=key) for arguments in tries]
        for result, rest in zip(asyncio.run(results(key)), expected, strict=True):
            _same(tool, result, rest)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_retry_by_rest_gets_what_the_tool_answered(version: str, base_url: str, world: World) -> None:
    arguments = {"url": "https://tidewater.example.com/", KEY_ARGUMENT: f"retry-{version}"}

    async def create() -> types.CallToolResult:
        async with session_of(f"{base_url}/mcp", version=version, key=world.key) as session:
            return await outcome_of(session, "create_draft", arguments)

    results = [asyncio.run(create()), asyncio.run(create())]
    host = base_url.removeprefix("http://")
    status, body = rest_answer(TOOLS["create_draft"], arguments, host=host, key=world.key)

    assert status < 300
    assert [result.structured_content for result in results] == [body, body]
    replayed = [(result.meta or {}).get(f"slipway/{REPLAYED.lower()}") for result in results]
    assert replayed == [None, "true"]


@pytest.mark.parametrize("version", VERSIONS)
def test_the_next_page_is_an_argument(version: str, base_url: str, world: World) -> None:
    def list_another() -> None:
        ListingFactory.create(company__owner=world.owner)

    world.committed(list_another)

    async def pages() -> list[dict[str, Any]]:
        async with session_of(f"{base_url}/mcp", version=version, key=world.key) as session:
            first = await session.call_tool("list_my_listings", {"per_page": 1})
            assert first.structured_content is not None
            then = {"per_page": 1, "page": first.structured_content["next"]}
            second = await session.call_tool("list_my_listings", then)
            return [first.structured_content, second.structured_content or {}]

    first, second = asyncio.run(pages())
    assert (first["next"], first["previous"]) == (2, None)
    assert (second["page"], second["previous"]) == (2, 1)
    assert first["items"] != second["items"]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_body_that_is_too_large_for_rest_is_too_large_for_its_tool(version: str, base_url: str, world: World) -> None:
    arguments = {"url": "x" * MAX_BODY_BYTES}

    async def create() -> types.CallToolResult:
        async with session_of(f"{base_url}/mcp", version=version, key=world.key) as session:
            return await outcome_of(session, "create_draft", arguments)

    result = asyncio.run(create())
    tool = TOOLS["create_draft"]
    _same(tool, result, rest_answer(tool, arguments, host=base_url.removeprefix("http://"), key=world.key))
    assert orjson.loads(text_of(result))["code"] == "too_large"
