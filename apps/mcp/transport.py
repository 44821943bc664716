"""HTTP layer in front of the SDK's transport: one POST in, one JSON response out, or a stream of events."""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlsplit

import anyio
import mcp_types as types
import orjson
from django.conf import settings
from django.http.request import split_domain_port, validate_host
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import Message, Scope

from apps.core.api.parsers import MAX_BODY_BYTES, is_mostly_text, size_text
from apps.core.request.request_ids import begin_request
from apps.mcp.bridge import CLIENT_GONE, Answer, Call, never
from apps.mcp.faults import (
    NOT_ACCEPTABLE,
    UNEXPLAINED,
    as_meant,
    id_of,
    media_type_fault,
    message_fault,
    params_fault,
    version_fault,
)
from apps.mcp.results import LeftOut, error_of, put_back
from apps.mcp.server import API_ANSWER, LEFT_OUT, ToolServer
from apps.mcp.widgets import declares_apps

logger = logging.getLogger(__name__)

# The REST API's largest body plus the surrounding message.
MAX_MESSAGE_BYTES = MAX_BODY_BYTES + 16 * 1024
MAX_BATCH = 20
# Batches that may run concurrently. The other threads are for single calls.
BATCHES_AT_ONCE = max(1, settings.WEB_THREADS["tools"] // 2)
# The only version with batches, and the default without the header.
_BATCH_VERSION = "2025-03-26"
_VERSION_HEADER = "mcp-protocol-version"
# Older versions declare capabilities once. The session's name is all that is kept of them, by the client.
_SESSION_HEADER = "mcp-session-id"
_WITH_PAGES = "pages-"
# Not null, which is JSON.
_UNREADABLE = object()
# Headers of the API's response that the HTTP response repeats.
_TAKEN_OVER = ("www-authenticate", "retry-after", "ratelimit-policy", "ratelimit")

# ASGI scope key of the stream that the request may be answered with.
STREAM = "slipway.stream"

Pairs = list[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete HTTP response."""

    status: int
    headers: Pairs
    body: bytes = b""
    # Whether it was sent as a stream already.
    is_sent: bool = False


class Stream(Protocol):
    """A response that is sent in parts."""

    def begin(self, reply: Reply) -> Callable[[bytes], Awaitable[None]]:
        """Send status and headers. Returns the function that sends a part."""

    async def wait_closed(self) -> None:
        """Wait until the client has disconnected or the server stops."""


class McpTransport:
    """Answer /mcp while `running` is entered, which is possible once."""

    def __init__(self, tools: ToolServer, *, name: str, version: str, with_streams: bool = False) -> None:
        self._tools = tools
        # Two servers, so that clients that take no pages get the same bytes as if there were none.
        self._manager, self._manager_with_pages = (
            StreamableHTTPSessionManager(
                tools.build(name=name, version=version, with_pages=with_pages, with_streams=with_streams),
                stateless=True,
                json_response=True,
                # Django's rules check hosts and origins below. They know *.localhost and wildcards.
                security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
                max_request_body_size=settings.MAX_JSON_PICTURE_BYTES,
            )
            for with_pages in (False, True)
        )
        self._batches = asyncio.Semaphore(BATCHES_AT_ONCE)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve until left. Then the bridge's threads end, too."""
        try:
            async with self._manager.run(), self._manager_with_pages.run():
                yield
        finally:
            # In a thread, because Django closes no connections on an event loop.
            await asyncio.to_thread(self._tools.close)

    async def answer(self, scope: Scope, body: bytes) -> Reply:
        """Answer an HTTP request. `body` may be cut off beyond MAX_JSON_PICTURE_BYTES. Never raises."""
        # The REST call behind a tool has the same ID.
        MutableHeaders(scope=scope)["x-request-id"] = begin_request(Headers(scope=scope).get("x-request-id"))
        try:
            reply = await self._answer(scope, body)
        except Exception:
            if not scope.get(CLIENT_GONE, never)():
                logger.exception("mcp request failed")
            reply = _error(500, types.INTERNAL_ERROR, "Internal server error")
        return _complete(scope, reply)

    def refuse(self, scope: Scope, status: int, message: str) -> Reply:
        """Answer a request that isn't read, such as one whose body didn't arrive."""
        MutableHeaders(scope=scope)["x-request-id"] = begin_request(Headers(scope=scope).get("x-request-id"))
        code = types.INTERNAL_ERROR if status >= 500 else types.INVALID_REQUEST
        return _complete(scope, _error(status, code, message))

    async def _answer(self, scope: Scope, body: bytes) -> Reply:
        headers = Headers(scope=scope)
        if scope["method"] == "OPTIONS":
            return Reply(204, [(b"allow", b"POST")])
        if scope["method"] != "POST":
            # The SDK would keep a GET open for messages that never come.
            return Reply(405, [(b"allow", b"POST"), (b"content-length", b"0")])
        if refusal := _foreign(headers):
            return refusal
        # The front doesn't read bodies announced as too large.
        size = max(len(body), _announced(headers))
        is_large = size > MAX_MESSAGE_BYTES
        message = _UNREADABLE
        if not is_large or (size <= settings.MAX_JSON_PICTURE_BYTES and is_mostly_text(body)):
            with suppress(orjson.JSONDecodeError):
                message = orjson.loads(body)
        if is_large and not self._takes_large(message):
            limit = max(most for most in (MAX_MESSAGE_BYTES, settings.MAX_JSON_PICTURE_BYTES) if size > most)
            return _error(413, types.INVALID_REQUEST, f"The request is over {size_text(limit)}. Send a smaller one.")
        return await self._read(scope, message, body)

    async def _read(self, scope: Scope, message: Any, body: bytes) -> Reply:
        if fault := media_type_fault(MutableHeaders(scope=scope)):
            status, rule = fault
            return await self._checked(scope, _error(status, types.INVALID_REQUEST, rule))
        if message is _UNREADABLE:
            return await self._checked(scope, _error(400, types.PARSE_ERROR, "The body is not valid JSON."))
        headers = MutableHeaders(scope=scope)
        if not headers.get(_VERSION_HEADER):
            # Without a value it is as good as missing.
            del headers[_VERSION_HEADER]
        version = headers.get(_VERSION_HEADER, _BATCH_VERSION)
        if unknown := version_fault(version):
            (rule, data), id_ = unknown, id_of(message)
            error = _error(400, types.UNSUPPORTED_PROTOCOL_VERSION, rule, id_=id_, data=data)
            return await self._checked(scope, error, id_)
        if isinstance(message, list) and version == _BATCH_VERSION:
            return await self._batch(scope, message)
        return await self._single(scope, message, body)

    def _takes_large(self, message: Any) -> bool:
        """Return whether a message calls a tool with a larger body than others."""
        is_call = isinstance(message, dict) and message.get("method") == "tools/call"
        params = message.get("params") if is_call else None
        name = params.get("name") if isinstance(params, dict) else None
        tool = self._tools.tools.get(name) if isinstance(name, str) else None
        return tool is not None and tool.takes_large_body

    async def _batch(self, scope: Scope, messages: list[Any]) -> Reply:
        """Answer a JSON-RPC batch of 2025-03-26: run its entries in sequence and return an array."""
        is_opening = any(isinstance(message, dict) and message.get("method") == "initialize" for message in messages)
        if is_opening or not 1 <= len(messages) <= MAX_BATCH:
            rule = f"Send 1 to {MAX_BATCH} entries per batch, without initialize."
            return await self._checked(scope, _error(400, types.INVALID_REQUEST, rule))
        async with self._batches:
            replies = [reply async for reply in self._entries(scope, messages)]
        # The status tells a client to sign in, regardless of the other entries.
        status = next((reply.status for reply in replies if reply.status in {401, 403}), 200)
        extra = {name: value for reply in replies for name, value in reply.headers if name.decode() in _TAKEN_OVER}
        answers = [reply.body for reply in replies if reply.body]
        if not answers:
            return Reply(202, [(b"content-length", b"0"), *extra.items()])
        return _json(status, b"[" + b",".join(answers) + b"]", extra.items())

    async def _entries(self, scope: Scope, messages: list[Any]) -> AsyncIterator[Reply]:
        """Return the entries' replies. Past a rate limit, refuse the rest without calling the API."""
        refusal: Answer | None = None
        for message in messages:
            if scope.get(CLIENT_GONE, never)():
                return
            if refusal is not None:
                if isinstance(message, dict) and "id" in message:
                    error = error_of(refusal).error
                    yield _error(429, error.code, error.message, id_=id_of(message), data=error.data)
                continue
            entry = dict(scope)
            yield await self._single(entry, message)
            answer: Answer | None = entry.get(API_ANSWER)
            if answer is not None and answer.status == 429:
                refusal = answer

    async def _single(self, scope: Scope, written: Any, body: bytes | None = None) -> Reply:
        message = as_meant(written)
        id_ = id_of(message)
        if fault := message_fault(message):
            code, rule = fault
            # An invalid request has no ID (JSON-RPC 2.0, section 5).
            answer_id = id_ if code == types.INVALID_PARAMS else None
            return await self._checked(scope, _error(400, code, rule, id_=answer_id), answer_id)
        if message.get("method") != "tools/call" and (refusal := await self._refusal(scope, id_)):
            return refusal
        takes_pages = _takes_pages(scope, message)
        reply = await self._ask_sdk(
            self._manager_with_pages if takes_pages else self._manager,
            scope,
            body if body and message is written else orjson.dumps(message),
        )
        if reply.is_sent:
            return reply
        reply = _explained(reply, message, Headers(scope=scope))
        if takes_pages and message.get("method") == "initialize":
            reply.headers.append((_SESSION_HEADER.encode(), f"{_WITH_PAGES}{secrets.token_hex(16)}".encode()))
        if API_ANSWER in scope:
            return _with_taken_over(reply, scope[API_ANSWER])
        # Invalid calls never reach the API.
        return await self._checked(scope, reply, id_)

    async def _checked(self, scope: Scope, reply: Reply, id_: Any = None) -> Reply:
        """Return the reply to a message that didn't reach the API, unless the API refuses it."""
        return await self._refusal(scope, id_) or _with_taken_over(reply, scope[API_ANSWER])

    async def _refusal(self, scope: Scope, id_: Any = None) -> Reply | None:
        """Return the API's error for a message that is not a tool call: credential, limits or outages."""
        answer = await self._tools.ask(Call("POST", settings.MCP_PATH), scope)
        if answer.status == 204:
            return None
        if answer.status not in {401, 429, 503}:
            raise RuntimeError(f"the API answered {answer.status}")
        error = error_of(answer).error
        return _with_taken_over(_error(answer.status, error.code, error.message, id_=id_, data=error.data), answer)

    async def _ask_sdk(self, manager: StreamableHTTPSessionManager, scope: Scope, body: bytes) -> Reply:
        left_out: LeftOut = {}
        scope[LEFT_OUT] = left_out
        exchange = _Exchange(scope, body)
        try:
            await manager.handle_request(scope, exchange.receive, exchange.send)
        except Exception:
            # Most often the client has left.
            if not exchange.is_streaming:
                raise
            logger.info("a stream of /mcp broke off", exc_info=True)
        if exchange.is_streaming:
            return Reply(200, [], is_sent=True)
        reply = exchange.reply()
        return _json(reply.status, put_back(reply.body, left_out)) if left_out else reply


class _Exchange:
    """An ASGI request with its body, and its response: kept, or sent on if it is a stream."""

    def __init__(self, scope: Scope, body: bytes) -> None:
        self._scope = scope
        self._unread: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]
        self._sent: list[Message] = []
        self._stream: Stream | None = scope.get(STREAM)
        self._write: Callable[[bytes], Awaitable[None]] | None = None

    @property
    def is_streaming(self) -> bool:
        return self._write is not None

    async def receive(self) -> Message:
        if self._unread:
            return self._unread.pop()
        if self._stream is None:
            await anyio.sleep_forever()
        else:
            await self._stream.wait_closed()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        if self._write is not None:
            await self._write(message.get("body", b""))
        elif self._stream is not None and _begins_stream(message):
            self._write = self._stream.begin(_complete(self._scope, Reply(message["status"], list(message["headers"]))))
        else:
            self._sent.append(message)

    def reply(self) -> Reply:
        start, *chunks = self._sent
        return Reply(start["status"], list(start["headers"]), b"".join(chunk.get("body", b"") for chunk in chunks))


def _complete(scope: Scope, reply: Reply) -> Reply:
    """Add what every response contains."""
    if reply.is_sent:
        return reply
    request_id = Headers(scope=scope)["x-request-id"].encode("ascii")
    extra = [(b"x-request-id", request_id), (b"cache-control", b"no-store"), *_cors(scope)]
    headers = [(name, value) for name, value in reply.headers if name.lower() != b"cache-control"]
    return Reply(reply.status, headers + extra, reply.body)


def _begins_stream(message: Message) -> bool:
    return message["type"] == "http.response.start" and any(
        name.lower() == b"content-type" and value.startswith(b"text/event-stream") for name, value in message["headers"]
    )


def _announced(headers: Headers) -> int:
    length = headers.get("content-length", "")
    return int(length[:12]) if length.isascii() and length.isdigit() else 0


def _explained(reply: Reply, message: dict[str, Any], headers: Headers) -> Reply:
    """Return the SDK's reply, with what to send if it refuses the request without saying that."""
    if reply.status == 406:
        return _error(406, types.INVALID_REQUEST, NOT_ACCEPTABLE, id_=id_of(message))
    version = headers.get(_VERSION_HEADER, _BATCH_VERSION)
    if UNEXPLAINED in reply.body and (rule := params_fault(message, version=version)):
        return _error(reply.status, types.INVALID_PARAMS, rule, id_=id_of(message))
    return reply


def _takes_pages(scope: Scope, message: dict[str, Any]) -> bool:
    """Return whether the client shows MCP Apps: by what the request declares, or its session has declared."""
    params = message.get("params")
    params = params if isinstance(params, dict) else {}
    if message.get("method") == "initialize":
        return declares_apps(params.get("capabilities"))
    meta = params.get("_meta")
    declared = meta.get(types.CLIENT_CAPABILITIES_META_KEY) if isinstance(meta, dict) else None
    return declares_apps(declared) or Headers(scope=scope).get(_SESSION_HEADER, "").startswith(_WITH_PAGES)


def _foreign(headers: Headers) -> Reply | None:
    """Refuse foreign hosts, and foreign origins on loopback (docs/decisions/0008)."""
    if not _is_ours(headers.get("host", "")):
        return _error(421, types.INVALID_REQUEST, "This host is not served here.")
    origin = headers.get("origin")
    if settings.IS_LOOPBACK and origin is not None and not _is_ours(_netloc(origin)):
        return _error(403, types.INVALID_REQUEST, "This origin is not allowed.")
    return None


def _netloc(origin: str) -> str:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def _is_ours(host: str) -> bool:
    domain, _ = split_domain_port(host)
    return bool(domain) and validate_host(domain, [*settings.ALLOWED_HOSTS, settings.PUBLIC_HOST])


def _cors(scope: Scope) -> Pairs:
    """Return CORS headers that let browser programs call, as in the rest of the API."""
    if "origin" not in Headers(scope=scope):
        return []
    said = {"allow-origin": ["*"], "expose-headers": settings.CORS_EXPOSE_HEADERS}
    if scope["method"] == "OPTIONS":
        said |= {"allow-methods": settings.CORS_ALLOW_METHODS, "allow-headers": settings.CORS_ALLOW_HEADERS}
        said["max-age"] = ["86400"]
    return [(f"access-control-{name}".encode(), ", ".join(values).encode()) for name, values in said.items()]


def _with_taken_over(reply: Reply, answer: Answer | None) -> Reply:
    """Add the status of a challenge and the headers of the API's response."""
    if answer is None:
        return reply
    extra = [(name.encode(), answer.headers[name].encode()) for name in _TAKEN_OVER if name in answer.headers]
    return Reply(answer.status if answer.challenge else reply.status, reply.headers + extra, reply.body)


def _error(status: int, code: int, message: str, *, id_: Any = None, data: Any = None) -> Reply:
    error = {"code": code, "message": message} | ({} if data is None else {"data": data})
    return _json(status, orjson.dumps({"jsonrpc": "2.0", "id": id_, "error": error}))


def _json(status: int, body: bytes, extra: Iterable[tuple[bytes, bytes]] = ()) -> Reply:
    length = str(len(body)).encode("ascii")
    return Reply(status, [(b"content-type", b"application/json"), (b"content-length", length), *extra], body)
