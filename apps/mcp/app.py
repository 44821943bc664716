"""Entry points of the MCP server: the transport for the front, and a WSGI wrapper around Django."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from http import HTTPStatus
from threading import Lock
from typing import Any

from anyio.from_thread import start_blocking_portal
from django.conf import settings
from starlette.types import Scope

from apps.core.api import schema
from apps.mcp.bridge import DjangoBridge, WsgiApplication
from apps.mcp.registry import read_tools
from apps.mcp.server import ToolServer
from apps.mcp.transport import McpTransport


def create_transport(django: WsgiApplication, *, with_streams: bool = False) -> McpTransport:
    """Return a new transport that answers /mcp by calling `django`. `with_streams` if its caller can stream.

    Raises ImproperlyConfigured if an operation can't be a tool.
    """
    document = schema.document()
    tools = ToolServer(read_tools(document), DjangoBridge(django))
    info = document["info"]
    return McpTransport(tools, name=info["title"], version=info["version"], with_streams=with_streams)


class OnePort:
    """A WSGI application that routes one path to MCP, on an event loop in its own thread, and all others to Django.

    The path may end with a slash. The thread starts with the first request to it, and so after the server has forked.
    """

    def __init__(self, django: WsgiApplication, *, path: str) -> None:
        self._django = django
        self._path = path
        self._transport = create_transport(django)
        self._starting = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stack = ExitStack()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if environ["PATH_INFO"].removesuffix("/") != self._path:
            return self._django(environ, start_response)
        loop = self._loop or self._start()
        answering = self._transport.answer(asgi_scope(environ), _body(environ))
        reply = asyncio.run_coroutine_threadsafe(answering, loop).result()
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in reply.headers]
        start_response(f"{reply.status} {HTTPStatus(reply.status).phrase}", headers)
        # A list, not a generator: Granian reads status and headers before the first chunk.
        return [reply.body]

    def close(self) -> None:
        """Stop the thread if it runs. The application can't be used afterwards."""
        self._loop = None
        self._stack.close()

    def _start(self) -> asyncio.AbstractEventLoop:
        with self._starting:
            if self._loop is None:
                with ExitStack() as stack:
                    portal = stack.enter_context(start_blocking_portal(name="mcp-loop"))
                    stack.enter_context(portal.wrap_async_context_manager(self._transport.running()))
                    self._loop, self._stack = portal.call(asyncio.get_running_loop), stack.pop_all()
            return self._loop


def asgi_scope(environ: Mapping[str, Any]) -> Scope:
    """Convert a WSGI request to an ASGI scope."""
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
    most = settings.MAX_JSON_PICTURE_BYTES + 1
    body: bytes = environ["wsgi.input"].read(min(int(length), most) if is_said else most)
    return body
