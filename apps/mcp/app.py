"""The whole adapter in its two forms: an ASGI application, or beside Django in one WSGI application."""

import asyncio
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from http import HTTPStatus
from typing import Any

from starlette.types import Scope

from apps.core import schema
from apps.mcp.bridge import DjangoBridge, WsgiApplication
from apps.mcp.registry import read_tools
from apps.mcp.server import ToolServer
from apps.mcp.transport import MAX_MESSAGE_BYTES, McpTransport

_Running = tuple[McpTransport, asyncio.AbstractEventLoop, asyncio.Event]


def create_transport(django: WsgiApplication) -> McpTransport:
    """The ASGI application of /mcp, calling `django`; a new one for each time it is run.

    Raises ImproperlyConfigured when an operation cannot be a tool.
    """
    document = schema.document()
    tools = ToolServer(read_tools(document), DjangoBridge(django))
    return McpTransport(tools, name=document["info"]["title"], version=document["info"]["version"])


class OnePort:
    """A WSGI application: one path goes to MCP on an event loop in a thread of its own, all else to Django.

    The thread starts with the first request to that path, and so after the server has forked.
    """

    def __init__(self, django: WsgiApplication, *, path: str) -> None:
        self._django = django
        self._path = path
        self._transport = create_transport(django)
        self._starting = threading.Lock()
        self._running: _Running | None = None
        self._thread: threading.Thread | None = None

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if environ["PATH_INFO"] != self._path:
            return self._django(environ, start_response)
        transport, loop, _ = self._running or self._start()
        asked = transport.answer(_scope(environ), _body(environ))
        reply = asyncio.run_coroutine_threadsafe(asked, loop).result()
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in reply.headers]
        start_response(f"{reply.status} {HTTPStatus(reply.status).phrase}", headers)
        # A list, not a generator: Granian reads status and headers before the first chunk.
        return [reply.body]

    def close(self) -> None:
        """End the thread, if it was started; the application cannot be used afterwards."""
        running, self._running = self._running, None
        if running and self._thread:
            _, loop, stop = running
            loop.call_soon_threadsafe(stop.set)
            self._thread.join()

    def _start(self) -> _Running:
        with self._starting:
            if self._running is None:
                started: Future[_Running] = Future()
                self._thread = threading.Thread(target=self._run, args=[started], name="mcp-loop", daemon=True)
                self._thread.start()
                self._running = started.result()
            return self._running

    def _run(self, started: "Future[_Running]") -> None:
        try:
            asyncio.run(self._serve(started))
        except Exception as error:
            if started.done():
                raise
            started.set_exception(error)

    async def _serve(self, started: "Future[_Running]") -> None:
        stop = asyncio.Event()
        async with self._transport.running():
            started.set_result((self._transport, asyncio.get_running_loop(), stop))
            await stop.wait()


def _scope(environ: dict[str, Any]) -> Scope:
    headers = [
        (name.removeprefix("HTTP_").lower().replace("_", "-").encode("latin-1"), value.encode("latin-1"))
        for name, value in environ.items()
        if name.startswith("HTTP_") or name in {"CONTENT_TYPE", "CONTENT_LENGTH"}
    ]
    return {
        "type": "http",
        "method": environ["REQUEST_METHOD"],
        "scheme": environ["wsgi.url_scheme"],
        "path": environ["PATH_INFO"],
        "query_string": environ.get("QUERY_STRING", "").encode("latin-1"),
        "server": (environ["SERVER_NAME"], int(environ["SERVER_PORT"] or 0)),
        "client": (environ.get("REMOTE_ADDR", ""), 0),
        "headers": headers,
    }


def _body(environ: dict[str, Any]) -> bytes:
    length = environ.get("CONTENT_LENGTH", "")
    is_said = length.isascii() and length.isdigit()
    if not is_said and not environ.get("wsgi.input_terminated"):
        return b""
    most = MAX_MESSAGE_BYTES + 1
    body: bytes = environ["wsgi.input"].read(min(int(length), most) if is_said else most)
    return body
