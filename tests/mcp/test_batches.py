"""What a batch may cost, and what is not done for a client that has gone."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock
from typing import Any

import orjson
import pytest
from django.conf import settings

from apps.core.request.waiting import WAITERS
from apps.mcp.app import asgi_scope, create_transport
from apps.mcp.bridge import CLIENT_GONE
from apps.mcp.transport import BATCHES_AT_ONCE, MAX_BATCH, Reply
from apps.orders.providers.concurrency import AT_ONCE
from tests.mcp.clients import call_message
from tests.waiting import PATIENCE_SECONDS

ENVIRON = {
    "REQUEST_METHOD": "POST",
    "PATH_INFO": "/mcp",
    "SERVER_NAME": "127.0.0.1",
    "SERVER_PORT": "80",
    "REMOTE_ADDR": "192.0.2.1",
    "wsgi.url_scheme": "http",
    "HTTP_HOST": "127.0.0.1",
    "HTTP_ACCEPT": "application/json",
    "CONTENT_TYPE": "application/json",
}


class Api:
    """In place of Django: counts requests, and how many it has at a time. The first waits for so many `together`."""

    def __init__(self, *, seconds: float = 0, limit: int | None = None, together: int = 1) -> None:
        self.asked = self.at_once = self.most_at_once = 0
        self._seconds, self._limit, self._lock = seconds, limit, Lock()
        self._together, self._have_met = together, Event()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        with self._lock:
            self.asked += 1
            self.at_once += 1
            self.most_at_once = max(self.at_once, self.most_at_once)
            is_refused = self._limit is not None and self.asked > self._limit
            if self.at_once == self._together:
                self._have_met.set()
        self._have_met.wait(PATIENCE_SECONDS)
        time.sleep(self._seconds)
        with self._lock:
            self.at_once -= 1
        if is_refused:
            start_response("429 Too Many", [("Content-Type", "application/problem+json"), ("Retry-After", "9")])
            return [b'{"code": "rate_limited", "detail": "Too many requests. Wait 9 seconds."}']
        start_response("200 OK", [("Content-Type", "application/json")])
        return [b"{}"]


def answers(api: Api, batches: list[list[dict[str, Any]]], **scope: Any) -> list[Reply]:
    """The replies to batches that arrive together, and to one single call behind them."""

    async def ask() -> list[Reply]:
        transport = create_transport(api)
        async with transport.running():
            sent = [transport.answer({**asgi_scope(ENVIRON), **scope}, orjson.dumps(batch)) for batch in batches]
            return list(await asyncio.gather(*sent))

    # In a thread, which has no database connection that a test could be in.
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, ask()).result()


def batch(size: int) -> list[dict[str, Any]]:
    return [call_message("list_products", id_=number) for number in range(size)]


def test_what_waits_leaves_threads_of_every_lane() -> None:
    threads = settings.WEB_THREADS
    assert threads["tools"] > BATCHES_AT_ONCE + WAITERS
    assert threads["changes"] > AT_ONCE + WAITERS
    assert threads["reads"] > AT_ONCE


@pytest.mark.slow
def test_batches_share_two_threads() -> None:
    api = Api(seconds=0.05, together=BATCHES_AT_ONCE)
    replies = answers(api, [batch(3)] * 6)
    assert [len(orjson.loads(reply.body)) for reply in replies] == [3] * 6
    assert (api.asked, api.most_at_once) == (18, BATCHES_AT_ONCE)


def test_past_a_rate_limit_the_rest_of_a_batch_is_refused_unasked() -> None:
    api = Api(limit=2)
    [reply] = answers(api, [batch(MAX_BATCH)])
    entries = orjson.loads(reply.body)
    assert api.asked == 3
    assert [entry["id"] for entry in entries] == list(range(MAX_BATCH))
    assert [entry["result"]["isError"] for entry in entries[:3]] == [False, False, True]
    assert {entry["error"]["code"] for entry in entries[3:]} == {-32011}
    assert (b"retry-after", b"9") in reply.headers


def test_past_a_rate_limit_no_malformed_id_is_repeated() -> None:
    deep: list[Any] = []
    for _ in range(200):
        deep = [deep]
    [reply] = answers(Api(limit=0), [[*batch(1), {**call_message("list_products"), "id": deep}]])
    assert [entry["id"] for entry in orjson.loads(reply.body)] == [0, None]


@pytest.mark.parametrize("message", [batch(MAX_BATCH), call_message("list_products")])
def test_nothing_is_asked_for_a_client_that_has_gone(message: Any, caplog: pytest.LogCaptureFixture) -> None:
    api = Api()
    answers(api, [message], **{CLIENT_GONE: lambda: True})
    assert api.asked == 0
    assert not caplog.records
