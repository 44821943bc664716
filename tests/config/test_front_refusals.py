"""What the front answers itself, and what it keeps on disk, without a server in front of it."""

import asyncio
import json
import logging
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from django.http import StreamingHttpResponse

from apps.core.web import body_limits
from apps.mcp.app import create_transport
from apps.mcp.transport import MAX_MESSAGE_BYTES, McpTransport
from config.serving import front as front_module
from config.serving.front import Front
from tests.waiting import PATIENCE_SECONDS

if TYPE_CHECKING:
    from granian._granian import RSGIHTTPProtocol
    from granian.rsgi import Scope

ORIGIN = ("origin", "http://127.0.0.1:6274")
JSON = ("content-type", "application/json")


class _Headers:
    def __init__(self, pairs: list[tuple[str, str]]) -> None:
        self._pairs = pairs

    def items(self) -> list[tuple[str, str]]:
        return self._pairs

    def keys(self) -> list[str]:
        return [name for name, _ in self._pairs]

    def get(self, name: str) -> str | None:
        return dict(self._pairs).get(name)


class _Scope:
    http_version, server, client, scheme, query_string = "1.1", "127.0.0.1:80", "192.0.2.1:9", "http", ""
    authority = None

    def __init__(self, method: str, path: str, headers: list[tuple[str, str]]) -> None:
        self.method, self.path = method, path
        self.headers = _Headers([("host", "127.0.0.1"), *headers])


@dataclass
class _Proto:
    """A client that sends these pieces, and stays silent before the end of its body when it `hangs`."""

    pieces: list[bytes] = field(default_factory=list)
    hangs: bool = False
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            yield piece
        if self.hangs:
            await asyncio.sleep(3600)

    async def client_disconnect(self) -> None:
        await asyncio.sleep(3600)

    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.status, self.headers, self.body = status, {name.lower(): value for name, value in headers}, body

    def response_file(self, status: int, headers: list[tuple[str, str]], file: str) -> None:
        self.response_bytes(status, headers, Path(file).read_bytes())

    def json(self) -> Any:
        return json.loads(self.body)


def _let_pass(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    start_response("204 No Content", [])
    return []


class _Answer(list[bytes]):
    def close(self) -> None:
        pass


Ask = Callable[..., _Proto]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    """Have a front answer one request, and stop it."""

    def answer(
        path: str,
        *headers: tuple[str, str],
        method: str = "POST",
        proto: _Proto | None = None,
        django: Any = _let_pass,
        transport: McpTransport | None = None,
    ) -> _Proto:
        proto = proto or _Proto()
        front = Front(
            django,
            threads={"reads": 1, "changes": 1, "uploads": 1},
            transport=transport or create_transport(_let_pass),
            mcp_path="/mcp",
            folder=tmp_path / "answers",
        )
        loop = asyncio.new_event_loop()
        front.__rsgi_init__(loop)
        try:
            scope = cast("Scope", _Scope(method, path, list(headers)))
            answering = front.__rsgi__(scope, cast("RSGIHTTPProtocol", proto))
            loop.run_until_complete(asyncio.wait_for(answering, PATIENCE_SECONDS))
        finally:
            front.__rsgi_del__(loop)
            loop.close()
        return proto

    return answer


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, -32700),
        (b"1", 400, -32600),
        (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, -32600),
        pytest.param(b" " * (MAX_MESSAGE_BYTES + 1), 413, -32600, id="too large"),
    ],
)
def test_malformed_messages(body: bytes, status: int, code: int, ask: Ask) -> None:
    got = ask("/mcp", JSON, ORIGIN, ("content-length", str(len(body))), proto=_Proto([body]))
    assert (got.status, got.json()["error"]["code"], got.json()["id"]) == (status, code, None)


@pytest.mark.parametrize("length", [7 * 2**20 + 1, 8 * 2**20, 10**15])
def test_a_message_that_announces_too_much_is_too_large(length: int, ask: Ask) -> None:
    got = ask("/mcp", JSON, ORIGIN, ("content-length", str(length)), proto=_Proto(hangs=True))
    assert (got.status, got.json()["error"]["code"]) == (413, -32600)
    assert got.headers["connection"] == "close"
    assert "7 MB" in got.json()["error"]["message"]


def test_who_announces_too_much_elsewhere_is_told_that_the_connection_closes(ask: Ask) -> None:
    for length, closes in ((10**15, True), (2, False)):
        proto = _Proto([] if closes else [b"{}"], hangs=closes)
        header = ("content-length", str(length))
        got = ask("/api/v1/drafts", JSON, header, proto=proto, django=lambda *args: _Answer(_let_pass(*args)))
        assert (got.headers.get("connection") == "close") is closes


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_limits, "IDLE_SECONDS", 0.05)


@pytest.mark.usefixtures("_impatient")
def test_a_slow_message_is_refused_in_json_rpc(ask: Ask) -> None:
    got = ask(
        "/mcp",
        JSON,
        ORIGIN,
        ("content-length", "9"),
        ("x-request-id", "from-the-client-1"),
        proto=_Proto([b"{"], hangs=True),
    )
    assert (got.status, got.headers["retry-after"], got.headers["x-request-id"]) == (408, "1", "from-the-client-1")
    assert got.json()["error"]["code"] == -32600
    assert got.headers["access-control-allow-origin"] == "*"
    assert "Retry-After" in got.headers["access-control-expose-headers"]


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize(
    ("path", "has_cors"), [("/api/v1/drafts", True), ("/oauth/token", True), ("/account/x", False)]
)
def test_programs_in_browsers_may_read_that_they_were_too_slow(path: str, has_cors: bool, ask: Ask) -> None:
    got = ask(path, JSON, ORIGIN, ("content-length", "9"), proto=_Proto([b"{"], hangs=True))
    assert (got.status, got.json()["code"], got.headers["retry-after"]) == (408, "too_slow", "1")
    assert got.json()["request_id"] == got.headers["x-request-id"]
    assert (got.headers.get("access-control-allow-origin") == "*") is has_cors
    assert ("access-control-expose-headers" in got.headers) is has_cors


@pytest.mark.usefixtures("_impatient")
def test_a_person_who_was_too_slow_reads_words(ask: Ask) -> None:
    sent = (("accept", "text/html"), ("content-length", "9"))
    got = ask("/account/x", *sent, proto=_Proto([b"a"], hangs=True))
    assert (got.status, got.body) == (408, b"The body did not arrive in time. Send the request again.")


@asynccontextmanager
async def _cannot_run() -> AsyncIterator[None]:
    for problem in ("no threads",):
        raise RuntimeError(problem)
    yield


def test_mcp_that_cannot_start_is_unavailable(
    ask: Ask, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    transport = create_transport(_let_pass)
    monkeypatch.setattr(transport, "running", _cannot_run)
    with caplog.at_level(logging.ERROR, "config.serving.front"):
        got = ask("/mcp", JSON, ("content-length", "2"), proto=_Proto([b"{}"]), transport=transport)
    assert (got.status, got.headers["retry-after"], got.json()["error"]["code"]) == (503, "30", -32603)
    assert "/mcp has ended" in caplog.text


class _Streaming:
    """An answer of three megabytes, which may break off."""

    def __init__(self, *, breaks: bool = False) -> None:
        self._breaks = breaks

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> StreamingHttpResponse:
        start_response("200 OK", [])
        return StreamingHttpResponse(self._pieces())

    def _pieces(self) -> Iterator[bytes]:
        yield from [b"x" * 2**20] * 3
        if self._breaks:
            raise ValueError("broken")


def test_an_answer_that_breaks_off_leaves_no_file(ask: Ask, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="broken"):
        ask("/ledger", method="GET", django=_Streaming(breaks=True))
    assert list((tmp_path / "answers").iterdir()) == []


def test_large_answers_take_up_so_much_of_the_disk(ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front_module, "MOST_IN_FILES", 4 * 2**20)
    assert len(ask("/ledger", method="GET", django=_Streaming()).body) == 3 * 2**20
    [kept] = (tmp_path / "answers").iterdir()
    refused = ask("/ledger", method="GET", django=_Streaming())
    assert (refused.status, refused.json()["code"], refused.headers["retry-after"]) == (503, "unavailable", "30")
    assert list((tmp_path / "answers").iterdir()) == [kept]


def test_what_a_killed_process_left_behind_is_removed(ask: Ask, tmp_path: Path) -> None:
    folder = tmp_path / "answers"
    folder.mkdir()
    old, new = folder / "old", folder / "new"
    for path, age in ((old, 2 * 3600), (new, 60)):
        path.write_bytes(b"x")
        os.utime(path, (time.time() - age,) * 2)
    ask("/p", method="GET", django=_Streaming(), proto=_Proto())
    assert (old.exists(), new.exists()) == (False, True)
