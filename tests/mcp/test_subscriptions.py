"""The event log as a resource, and subscriptions to it in the version that has them."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import orjson
import pytest
from django.core.handlers.wsgi import WSGIHandler

from apps.events.models import EventCounter
from apps.mcp import subscriptions
from apps.mcp.app import asgi_scope, create_transport
from apps.mcp.transport import STREAM, Reply
from apps.sites.models import Site
from tests.mcp.clients import VERSIONS, post
from tests.mcp.conftest import World
from tests.mcp.test_transport import of_version
from tests.webhooks.happening import happen

pytestmark = pytest.mark.django_db

VERSION = "2026-07-28"
ID = "io.modelcontextprotocol/subscriptionId"


class Client:
    """Reads a stream's messages; `read` waits for the next one."""

    def __init__(self) -> None:
        self.status = 0
        self._parts: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._left = asyncio.Event()

    def begin(self, reply: Reply) -> Callable[[bytes], Awaitable[None]]:
        self.status = reply.status

        async def write(part: bytes) -> None:
            for line in part.splitlines():
                if line.startswith(b"data: "):
                    self._parts.put_nowait(orjson.loads(line.removeprefix(b"data: ")))

        return write

    async def wait_closed(self) -> None:
        await self._left.wait()

    def leave(self) -> None:
        self._left.set()

    async def read(self) -> dict[str, Any]:
        return await asyncio.wait_for(self._parts.get(), 60)


Listen = Callable[..., "asyncio.Task[Reply]"]
Talk = Callable[[Listen], Awaitable[Any]]


def listening(base_url: str, key: str, talk: Talk) -> Any:
    """What `talk` returns, which listens as it likes at a transport on an event loop of its own."""
    host = base_url.removeprefix("http://")

    transport = create_transport(WSGIHandler(), with_streams=True)

    def listen(client: Client, *uris: str, id_: int = 1, **others: bool) -> "asyncio.Task[Reply]":
        params = {"notifications": {"resourceSubscriptions": list(uris), **others}}
        sent = {"jsonrpc": "2.0", "id": id_, "method": "subscriptions/listen", "params": params}
        message, headers = of_version(sent, VERSION)
        environ = {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": "/mcp",
            "wsgi.url_scheme": "http",
            "SERVER_NAME": "127.0.0.1",
            "SERVER_PORT": "80",
            "HTTP_HOST": host,
            "HTTP_ACCEPT": "application/json, text/event-stream",
            "CONTENT_TYPE": "application/json",
            **{f"HTTP_{name.upper()}": value for name, value in headers.items()},
        }
        if key:
            environ["HTTP_AUTHORIZATION"] = f"Bearer {key}"
        body = orjson.dumps(message)
        return asyncio.ensure_future(transport.answer({**asgi_scope(environ), STREAM: client}, body))

    async def run() -> Any:
        async with transport.running():
            return await asyncio.wait_for(talk(listen), 100)

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, run()).result()


def happened(world: World) -> int:
    """Commit an event, and return its number."""

    def work() -> int:
        happen(world.owner, Site.objects.get(is_default=True), "order.paid")
        return int(EventCounter.objects.get(account=world.owner).last)

    return world.committed(work)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_log_is_read_as_by_list_events(version: str, base_url: str, world: World) -> None:
    last = happened(world)
    uri = f"slipway://events?after={last - 1}"

    def ask(method: str, **params: Any) -> Any:
        message, headers = of_version({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, version)
        headers |= {"mcp_name": params["uri"]} if "uri" in params else {}
        return post(base_url, message, **headers, authorization=f"Bearer {world.key}").json()

    assert [one["uri"] for one in ask("resources/list")["result"]["resources"]] == [subscriptions.FIRST]
    templates = ask("resources/templates/list")["result"]["resourceTemplates"]
    assert [one["uriTemplate"] for one in templates] == [subscriptions.TEMPLATE]
    result = ask("resources/read", uri=uri)["result"]
    assert result.get("cacheScope", "private") == "private"
    assert [item["seq"] for item in orjson.loads(result["contents"][0]["text"])["items"]] == [last]
    whole, first = (
        ask("resources/read", uri=one)["result"]["contents"][0]["text"]
        for one in ("slipway://events", subscriptions.FIRST)
    )
    assert whole == first
    assert "error" in ask("resources/read", uri=f"slipway://events?after={last + 1}")
    assert "error" in ask("resources/read", uri="slipway://events?after=-1")


@pytest.mark.parametrize("version", VERSIONS)
def test_reading_needs_a_credential(version: str, base_url: str) -> None:
    sent = {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": subscriptions.FIRST}}
    message, headers = of_version(sent, version)
    answer = post(base_url, message, **headers, mcp_name=subscriptions.FIRST)

    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")


def test_a_subscriber_is_told_of_each_new_event_until_it_leaves(
    base_url: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscriptions, "_GATHER_SECONDS", 0.01)
    uri = f"slipway://events?after={happened(world)}"

    async def talk(listen: Listen) -> tuple[int, list[dict[str, Any]], Reply]:
        client = Client()
        stream = listen(client, "slipway://other", uri, id_=7, toolsListChanged=True)
        told = [await client.read()]
        for _ in range(2):
            await asyncio.to_thread(happened, world)
            told.append(await client.read())
        client.leave()
        return client.status, told, await stream

    status, (acknowledged, *told), reply = listening(base_url, world.key, talk)
    assert (status, reply.is_sent) == (200, True)
    assert acknowledged["method"] == "notifications/subscriptions/acknowledged"
    assert acknowledged["params"]["notifications"] == {"resourceSubscriptions": [uri]}
    assert [(one["method"], one["params"]["uri"]) for one in told] == [("notifications/resources/updated", uri)] * 2
    assert {one["params"]["_meta"][ID] for one in (acknowledged, *told)} == {7}


def test_a_stream_whose_client_is_gone_ends_without_an_error(
    base_url: str, world: World, caplog: pytest.LogCaptureFixture
) -> None:
    class Gone(Client):
        def begin(self, reply: Reply) -> Callable[[bytes], Awaitable[None]]:
            async def write(part: bytes) -> None:
                raise ConnectionResetError

            return write

    async def talk(listen: Listen) -> Reply:
        return await listen(Gone(), f"slipway://events?after={happened(world)}")

    with caplog.at_level("INFO", "apps.mcp.transport"):
        assert listening(base_url, world.key, talk).is_sent
    assert [record.levelname for record in caplog.records if record.name == "apps.mcp.transport"] == ["INFO"]


@pytest.mark.slow
def test_what_happened_before_is_told_and_the_stream_ends_in_time(
    base_url: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscriptions, "STREAM_SECONDS", 0.0)
    uri = f"slipway://events?after={happened(world) - 1}"

    async def talk(listen: Listen) -> list[dict[str, Any]]:
        client = Client()
        assert (await listen(client, uri)).is_sent
        return [await client.read() for _ in range(3)]

    _, told, ended = listening(base_url, world.key, talk)
    assert told["method"] == "notifications/resources/updated"
    assert ended["result"]["_meta"][ID] == 1


@pytest.mark.parametrize("is_signed_in", [True, False])
def test_other_subscriptions_are_acknowledged_as_none(is_signed_in: bool, base_url: str, world: World) -> None:
    async def talk(listen: Listen) -> list[dict[str, Any]]:
        client = Client()
        await listen(client, "slipway://other", toolsListChanged=True)
        return [await client.read() for _ in range(2)]

    acknowledged, ended = listening(base_url, world.key if is_signed_in else "", talk)
    assert acknowledged["params"]["notifications"] == {}
    assert "result" in ended


def test_a_subscription_needs_a_credential_and_a_known_position(base_url: str, world: World) -> None:
    last = happened(world)

    def refused(key: str, after: int) -> Reply:
        async def talk(listen: Listen) -> Reply:
            return await listen(Client(), f"slipway://events?after={after}")

        reply: Reply = listening(base_url, key, talk)
        assert not reply.is_sent
        assert "error" in orjson.loads(reply.body)
        return reply

    assert refused("", last).status == 401
    assert dict(refused("", last).headers)[b"www-authenticate"].startswith(b"Bearer")
    assert orjson.loads(refused(world.key, last + 1).body)["error"]["code"] == -32602


def test_a_revoked_key_ends_its_stream(base_url: str, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subscriptions, "_WAIT_SECONDS", 0)
    monkeypatch.setattr(subscriptions, "_PAUSE_SECONDS", 0.05)
    uri = f"slipway://events?after={happened(world)}"

    def revoke(is_active: bool) -> Callable[[], int]:
        return lambda: type(world.owner).objects.filter(pk=world.owner.pk).update(is_active=is_active)

    async def talk(listen: Listen) -> list[dict[str, Any]]:
        client = Client()
        listen(client, uri)
        acknowledged = await client.read()
        await asyncio.to_thread(world.committed, revoke(is_active=False))
        return [acknowledged, await client.read()]

    try:
        _, ended = listening(base_url, world.key, talk)
    finally:
        world.committed(revoke(is_active=True))
    assert ended["error"]["code"] == -32010


def test_a_credential_and_a_process_have_so_many_streams(
    base_url: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscriptions, "MOST_STREAMS_PER_CREDENTIAL", 2)
    monkeypatch.setattr(subscriptions, "_WAIT_SECONDS", 0)
    uri = f"slipway://events?after={happened(world)}"

    async def talk(listen: Listen) -> tuple[Reply, Reply]:
        clients = [Client() for _ in range(4)]
        streams = [listen(client, uri) for client in clients[:2]]
        for client in clients[:2]:
            await client.read()
        refused = await listen(clients[2], uri)
        clients[0].leave()
        await streams[0]
        last = listen(clients[3], uri)
        await clients[3].read()
        for client in clients:
            client.leave()
        await streams[1]
        return refused, await last

    refused, after = listening(base_url, world.key, talk)
    assert orjson.loads(refused.body)["error"]["code"] == -32603
    assert after.is_sent


def test_the_server_says_what_can_be_subscribed_to(base_url: str) -> None:
    """This one, behind WSGI, can't stream."""
    message, headers = of_version({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {}}, VERSION)
    capabilities = post(base_url, message, **headers).json()["result"]["capabilities"]
    assert not capabilities["tools"].get("listChanged")
    assert not capabilities["resources"].get("subscribe")

    sent = {"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {"notifications": {}}}
    message, headers = of_version(sent, VERSION)
    assert post(base_url, message, **headers).json()["error"]["code"] == -32601
