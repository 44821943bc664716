"""The official client subscribes to the event log of a running installation."""

from collections.abc import Iterator
from typing import Any

import anyio
import httpx2
import orjson
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextResourceContents

from tests.running import Running
from tests.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.processes

VERSION = "2026-07-28"


@pytest.fixture
def rest(slipway: Running) -> Iterator[httpx2.Client]:
    bearer = {"Authorization": f"Bearer {slipway.api_key}"}
    with httpx2.Client(base_url=f"{slipway.up['api_url']}/", headers=bearer, timeout=PATIENCE_SECONDS) as client:
        yield client


def test_a_client_is_told_of_an_event_and_reads_it(slipway: Running, rest: httpx2.Client) -> None:
    def read_all() -> int:
        after = 0
        while (body := rest.get("events", params={"after": after, "limit": 500}).raise_for_status().json())["items"]:
            after = body["next_after"]
        return after

    def cause() -> None:
        listing = rest.get("me/listings").raise_for_status().json()["items"][0]["id"]
        sent = {"date": "2026-01-01", "title": "First customer"}
        rest.post(f"me/listings/{listing}/milestones", json=sent).raise_for_status()

    async def subscribe(last: int) -> tuple[Any, Any, list[dict[str, Any]]]:
        uri = f"slipway://events?after={last}"
        async with (
            httpx2.AsyncClient(
                headers={"Authorization": f"Bearer {slipway.api_key}"}, timeout=PATIENCE_SECONDS
            ) as http,
            Client(streamable_http_client(slipway.up["mcp_url"], http_client=http), mode=VERSION) as client,
            client.listen(resource_subscriptions=[uri], tools_list_changed=True) as subscription,
        ):
            await anyio.to_thread.run_sync(cause)
            told = await anext(aiter(subscription))
            [content] = (await client.read_resource(uri)).contents
            assert isinstance(content, TextResourceContents)
            return subscription.honored, told, orjson.loads(content.text)["items"]

    last = read_all()
    uri = f"slipway://events?after={last}"
    honored, told, items = anyio.run(subscribe, last)

    assert honored.resource_subscriptions == [uri]
    assert not honored.tools_list_changed
    assert told.uri == uri
    # A new installation may still be issuing an invoice of the demo.
    assert [item["seq"] for item in items] == list(range(last + 1, last + 1 + len(items)))
    assert [item["type"] for item in items].count("milestone.added") == 1
