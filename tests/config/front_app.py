"""A small application behind the front, for tests: `application` for RSGI, `plain` for WSGI. Served by Granian."""

import json
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any, cast

import django

django.setup()

from django.conf import settings  # noqa: E402 - needs the line above

from apps.mcp.transport import McpTransport, Reply  # noqa: E402 - needs Django's applications
from config.front import Front  # noqa: E402 - as the line before

LARGE = 200
PIECE = b"x" * 65536
calls: list[str] = []


class _Answer:
    def __init__(self, pieces: Iterator[bytes], *, streaming: bool = False) -> None:
        self._pieces = pieces
        self.streaming = streaming

    def __iter__(self) -> Iterator[bytes]:
        return self._pieces

    def close(self) -> None:
        pass


def plain(environ: dict[str, Any], start_response: Callable[..., Any]) -> _Answer:
    path = environ["PATH_INFO"]
    body = environ["wsgi.input"].read()
    calls.append(path)
    if path == "/stream":
        start_response("200 OK", [("Content-Type", "text/plain")])
        return _Answer((PIECE for _ in range(LARGE)), streaming=True)
    if path.startswith("/sleep"):
        time.sleep(1)
    shown = {key: value for key, value in environ.items() if key.isupper() and isinstance(value, str)}
    shown |= {"scheme": environ["wsgi.url_scheme"], "body": body.decode("latin-1")}
    answer = json.dumps(calls if path == "/calls" else shown).encode()
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(answer)))])
    return _Answer(iter([answer]))


class _Mcp:
    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        yield

    async def answer(self, scope: dict[str, Any], body: bytes) -> Reply:
        return Reply(200, [(b"content-type", b"text/plain")], scope["client"][0].encode() + b" " + body)


application = Front(
    plain,
    threads={"reads": 1, "changes": 1, "uploads": 1},
    transport=cast("McpTransport", _Mcp()),
    mcp_path="/mcp",
    folder=settings.DATA_DIR / "answers",
    waiting_paths=("/sleep/waits",),
)
