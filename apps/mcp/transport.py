"""What stands in front of the SDK's transport: one POST in, one JSON answer out."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import anyio
import mcp_types as types
import orjson
from django.conf import settings
from django.http.request import split_domain_port, validate_host
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import ValidationError
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import Message, Receive, Scope, Send

from apps.core.parsers import MAX_BODY_BYTES
from apps.core.request_ids import begin_request
from apps.mcp.results import CHALLENGE, challenge_of, demand
from apps.mcp.server import ToolServer

logger = logging.getLogger(__name__)

# The largest body of the REST API, and room for the message around it.
MAX_MESSAGE_BYTES = MAX_BODY_BYTES + 16 * 1024
MAX_BATCH = 20
# The one version with batches; it is also what a request without the header speaks.
_BATCH_VERSION = "2025-03-26"
_VERSION_HEADER = "mcp-protocol-version"


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole HTTP answer."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


class McpTransport:
    """The ASGI application of /mcp. It answers while `running` is entered, which works once."""

    def __init__(self, tools: ToolServer, *, name: str, version: str) -> None:
        self._tools = tools
        self._manager = StreamableHTTPSessionManager(
            tools.build(name=name, version=version),
            stateless=True,
            json_response=True,
            # Hosts and origins are checked below by Django's rules, which know *.localhost and wildcards.
            security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
            max_request_body_size=MAX_MESSAGE_BYTES,
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve until left; the threads of the bridge end with it."""
        try:
            async with self._manager.run():
                yield
        finally:
            # In a thread: Django closes no connection from within an event loop.
            await asyncio.to_thread(self._tools.close)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request as ASGI has it."""
        reply = await self.answer(scope, await _read(receive))
        await send({"type": "http.response.start", "status": reply.status, "headers": reply.headers})
        await send({"type": "http.response.body", "body": reply.body})

    async def answer(self, scope: Scope, body: bytes) -> Reply:
        """The answer to one HTTP request; `body` may be cut off past MAX_MESSAGE_BYTES. Never raises."""
        request_id = begin_request(Headers(scope=scope).get("x-request-id"))
        # The REST call behind a tool carries the same id.
        MutableHeaders(scope=scope)["x-request-id"] = request_id
        try:
            reply = await self._answer(scope, body)
        except Exception:
            logger.exception("mcp request failed")
            reply = _error(500, types.INTERNAL_ERROR, "Internal server error")
        return Reply(reply.status, [*reply.headers, (b"x-request-id", request_id.encode("ascii"))], reply.body)

    async def _answer(self, scope: Scope, body: bytes) -> Reply:
        headers = Headers(scope=scope)
        if scope["method"] != "POST":
            # The SDK would hold a GET open for messages that never come.
            return Reply(405, [(b"allow", b"POST"), (b"content-length", b"0")], b"")
        if refusal := _foreign(headers):
            return refusal
        if len(body) > MAX_MESSAGE_BYTES:
            return _error(413, types.INVALID_REQUEST, "The request is larger than 272 KB.")
        try:
            message = orjson.loads(body)
        except orjson.JSONDecodeError:
            return _error(400, types.PARSE_ERROR, "The body is not valid JSON.")
        if isinstance(message, list) and headers.get(_VERSION_HEADER, _BATCH_VERSION) == _BATCH_VERSION:
            return await self._batch(scope, message)
        return await self._single(scope, message, body)

    async def _batch(self, scope: Scope, messages: list[Any]) -> Reply:
        """JSON-RPC batches of 2025-03-26: the entries one after the other, and their answers as one array."""
        if not 1 <= len(messages) <= MAX_BATCH:
            return _error(400, types.INVALID_REQUEST, f"A batch has 1 to {MAX_BATCH} entries.")
        replies = [await self._single(dict(scope), message, orjson.dumps(message)) for message in messages]
        answers = [reply.body for reply in replies if reply.body]
        if not answers:
            return Reply(202, [(b"content-length", b"0")], b"")
        # Whoever has to sign in first learns it from the status, whatever the other entries said.
        challenged = next((reply for reply in replies if reply.status in {401, 403}), None)
        extra = [pair for pair in challenged.headers if pair[0] == b"www-authenticate"] if challenged else []
        return _json(challenged.status if challenged else 200, b"[" + b",".join(answers) + b"]", extra)

    async def _single(self, scope: Scope, message: Any, body: bytes) -> Reply:
        if not _is_message(message):
            return _error(400, types.INVALID_REQUEST, "The body must be one JSON-RPC message.")
        if not self._is_call(message) and (refused := await self._tools.refused_credential(scope)):
            challenge = challenge_of(refused) or (401, "Bearer")
            error = demand(refused, challenge=challenge, scope=scope).error
            return _challenged(scope, _error(401, error.code, error.message, id_=message.get("id"), data=error.data))
        return _challenged(scope, await self._ask_sdk(scope, body))

    def _is_call(self, message: dict[str, Any]) -> bool:
        """Whether the REST API will see the credential in any case."""
        params = message.get("params")
        name = params.get("name") if isinstance(params, dict) else None
        return message.get("method") == "tools/call" and isinstance(name, str) and name in self._tools.tools

    async def _ask_sdk(self, scope: Scope, body: bytes) -> Reply:
        sent: list[Message] = []
        unread: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Message:
            if not unread:
                await anyio.sleep_forever()
            return unread.pop()

        async def send(message: Message) -> None:
            sent.append(message)

        await self._manager.handle_request(scope, receive, send)
        start, *chunks = sent
        return Reply(start["status"], list(start["headers"]), b"".join(chunk.get("body", b"") for chunk in chunks))


async def _read(receive: Receive) -> bytes:
    body = bytearray()
    while len(body) <= MAX_MESSAGE_BYTES:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body", False):
            break
    return bytes(body)


def _is_message(message: Any) -> bool:
    try:
        read = types.jsonrpc_message_adapter.validate_python(message, by_name=False)
    except ValidationError:
        return False
    # The SDK overlooks a malformed id, and would never answer.
    return not (isinstance(read, types.JSONRPCNotification) and "id" in message)


def _foreign(headers: Headers) -> Reply | None:
    """A refusal of foreign Host and Origin headers: no page elsewhere may reach a local server."""
    if not _is_ours(headers.get("host", "")):
        return _error(421, types.INVALID_REQUEST, "This host is not served here.")
    origin = headers.get("origin")
    if origin is not None and not _is_ours(_netloc(origin)):
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


def _challenged(scope: Scope, reply: Reply) -> Reply:
    """The answer with the status and challenge that the handler left on the scope."""
    if CHALLENGE not in scope:
        return reply
    status, value = scope[CHALLENGE]
    return Reply(status, [*reply.headers, (b"www-authenticate", value.encode("latin-1"))], reply.body)


def _error(status: int, code: int, message: str, *, id_: Any = None, data: Any = None) -> Reply:
    error = {"code": code, "message": message} | ({} if data is None else {"data": data})
    return _json(status, orjson.dumps({"jsonrpc": "2.0", "id": id_, "error": error}))


def _json(status: int, body: bytes, extra: Iterable[tuple[bytes, bytes]] = ()) -> Reply:
    length = str(len(body)).encode("ascii")
    return Reply(status, [(b"content-type", b"application/json"), (b"content-length", length), *extra], body)
