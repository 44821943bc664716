"""A small application behind the front, for tests: `application` for RSGI, `plain` for WSGI. Served by Granian."""

import json
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from multiprocessing import util
from typing import Any, cast

import django
from django.conf import settings

from apps.core.web import body_limits
from tests.config.support import LARGE, PIECE

django.setup()

from apps.core.operations.metrics import ABANDONED  # noqa: E402 - needs Django's applications
from apps.mcp.transport import McpTransport, Reply  # noqa: E402 - as the line before
from config.serving import front  # noqa: E402 - as the line before

# A test changes limits by variables of their names.
for name in ("IDLE_SECONDS", "BODY_SECONDS", "UPLOAD_SECONDS"):
    setattr(body_limits, name, float(os.environ.get(name, getattr(body_limits, name))))
front.HEARTBEAT_SECONDS = 0.1
HOLD_SECONDS = 120
# A process that is killed does not get there.
util.Finalize(None, (settings.DATA_DIR / f"ended-{os.getpid()}").touch, exitpriority=0)
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
    if "/hold/" in path:
        _hold(path.rpartition("/")[2])
    shown = {key: value for key, value in environ.items() if key.isupper() and isinstance(value, str)}
    shown |= {"scheme": environ["wsgi.url_scheme"], "body": body.decode("latin-1")}
    answer = json.dumps(calls if path == "/calls" else shown).encode()
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(answer)))])
    return _Answer(iter([answer]))


def _hold(name: str) -> None:
    """Tell the test by a file that this is held, until another file lets it go."""
    (settings.DATA_DIR / f"held-{name}").touch()
    ends_at = time.monotonic() + HOLD_SECONDS
    while not (settings.DATA_DIR / f"free-{name}").exists() and time.monotonic() < ends_at:
        time.sleep(0.01)


class _Mcp:
    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        yield

    async def answer(self, scope: dict[str, Any], body: bytes) -> Reply:
        abandoned = sum(
            sample.value
            for metric in ABANDONED.collect()
            for sample in metric.samples
            if sample.name.endswith("_total")
        )
        waiting = application._lanes["reads"]._jobs.qsize()
        answer = {"client": scope["client"][0], "body": body.decode(), "abandoned": abandoned, "waiting": waiting}
        return Reply(200, [(b"content-type", b"application/json")], json.dumps(answer).encode())


application = front.Front(
    plain,
    threads={"reads": 1, "changes": 1, "uploads": 1},
    transport=cast("McpTransport", _Mcp()),
    mcp_path="/mcp",
    folder=settings.DATA_DIR / "answers",
    waiting_paths=("/waits/",),
)
