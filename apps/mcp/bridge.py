"""Call the REST API inside the process: a WSGI request to Django's handler."""

import asyncio
import io
import json
import re
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

from django.conf import settings
from django.db import connections
from opentelemetry.propagate import inject
from starlette.datastructures import Headers
from starlette.types import Scope

from apps.core.api.audience import AUDIENCE_KEY
from apps.core.operations.metrics import THREAD_SECONDS
from apps.mcp.registry import KEY_ARGUMENT, Tool

# Scope key of a function that returns whether the client has disconnected. Some servers have none.
CLIENT_GONE = "slipway.client_gone"
WsgiApplication = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

# Characters allowed in a path argument. A slash would reach another operation.
SEGMENT = re.compile(r"[^/\x00-\x1f\x7f]{1,255}")
# Nothing else is passed on, least of all cookies. The last three are a proxy's, with scheme and address.
_FORWARDED = (
    "host",
    "authorization",
    "accept-language",
    "x-request-id",
    "traceparent",
    "x-forwarded-proto",
    "x-forwarded-for",
    "forwarded",
)


@dataclass(frozen=True, slots=True)
class Call:
    """A request to the REST API. `path` is decoded, and `body` is a JSON object or None."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    key: Any = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A response of the REST API. Header names are lower case."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def is_json(self) -> bool:
        media_type = self.headers.get("content-type", "").partition(";")[0]
        return media_type in {"application/json", "application/problem+json"}

    @property
    def challenge(self) -> str | None:
        """Return WWW-Authenticate if the response asks for another credential."""
        return self.headers.get("www-authenticate") if self.status in {401, 403} else None


def call_of(tool: Tool, arguments: Mapping[str, Any]) -> Call:
    """Place each argument in the request. Unknown names go where the operation will reject them."""

    def segment(name: re.Match[str]) -> str:
        text = str(arguments.get(name[1], 0))
        return text if SEGMENT.fullmatch(text) else "0"

    path = re.sub(r"\{(\w+)\}", segment, tool.path)
    key = arguments.get(KEY_ARGUMENT) if tool.named("header") else None
    placed = tool.named("path") | tool.named("header")
    query = {
        name: value
        for name, value in arguments.items()
        if name in tool.named("query") or not (name in placed or tool.takes_body)
    }
    body = {name: value for name, value in arguments.items() if name not in placed | query.keys()}
    return Call(tool.method, path, query, body if tool.takes_body else None, key)


class DjangoBridge:
    """Run calls in a bounded thread pool. Each thread keeps its database connections."""

    def __init__(self, django: WsgiApplication) -> None:
        self._django = django
        self._opened: list[Any] = []
        threads = settings.WEB_THREADS["tools"]
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="mcp", initializer=self._share_connections)

    async def run(self, call: Call, scope: Scope) -> Answer:
        """Run a call for a request's client. If it has disconnected, return 503 without calling."""
        environ, is_gone = _environ(call, scope), scope.get(CLIENT_GONE, never)
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._request, environ, is_gone)

    def close(self) -> None:
        """Stop the threads and close their connections."""
        self._pool.shutdown()
        for connection in self._opened:
            connection.close()

    def _share_connections(self) -> None:
        for connection in connections.all():
            # Only to let `close` be called from outside after the thread has ended.
            connection.inc_thread_sharing()
            self._opened.append(connection)

    def _request(self, environ: dict[str, Any], is_gone: Callable[[], bool]) -> Answer:
        if is_gone():
            return Answer(503, {}, b"")
        started: list[tuple[str, list[tuple[str, str]]]] = []
        began = time.perf_counter()

        def start_response(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> None:
            started.append((status, headers))

        response = self._django(environ, start_response)
        try:
            body = b"".join(response)
        finally:
            # Django finishes the request here: signals, connections.
            close = getattr(response, "close", None)
            if close is not None:
                close()
            THREAD_SECONDS.labels("tools").inc(time.perf_counter() - began)
        status, headers = started[-1]
        return Answer(int(status[:3]), {name.lower(): value for name, value in headers}, body)


def _environ(call: Call, scope: Scope) -> dict[str, Any]:
    body = b"" if call.body is None else json.dumps(call.body, separators=(",", ":")).encode()
    server, client = scope.get("server") or ("localhost", 80), scope.get("client") or ("", 0)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": call.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": call.path.encode().decode("latin-1"),
        "QUERY_STRING": urlencode({name: _text(value) for name, value in call.query.items()}, quote_via=quote),
        "CONTENT_LENGTH": str(len(body)),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": client[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        AUDIENCE_KEY: settings.MCP_PATH,
    }
    if call.body is not None:
        environ["CONTENT_TYPE"] = "application/json"
    if call.key is not None:
        environ["HTTP_IDEMPOTENCY_KEY"] = str(call.key)
    headers = Headers(scope=scope)
    for name in _FORWARDED:
        if values := headers.getlist(name):
            # As WSGI servers join them: two credentials count as none.
            environ[f"HTTP_{name.upper().replace('-', '_')}"] = ",".join(values)
    traced: dict[str, str] = {}
    inject(traced)
    if "traceparent" in traced:
        # The request belongs to the span of the tool call, if such spans are made.
        environ["HTTP_TRACEPARENT"] = traced["traceparent"]
    return environ


def never() -> bool:
    """Report that the client is still connected, for servers that can't tell."""
    return False


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value)
