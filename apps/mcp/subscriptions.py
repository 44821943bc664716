"""The event log as a resource: read it, and be told of new events.

Only protocol version 2026-07-28 has subscriptions without a session: the answer to `subscriptions/listen` is a stream.
The older versions send what is new on a stream of the session, and here are none: their clients call list_events with
wait_seconds.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import mcp_types as types
import orjson
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import SUBSCRIPTION_ID_META_KEY, ResourceUpdated, event_to_notification
from starlette.datastructures import Headers
from starlette.types import Scope

from apps.mcp.bridge import Answer, Call
from apps.mcp.registry import Tool
from apps.mcp.results import error_of

TOOL = "list_events"
FIRST = "slipway://events?after=0"
TEMPLATE = "slipway://events{?after}"
_URI = re.compile(r"slipway://events(?:\?after=([0-9]{1,18}))?")
_DESCRIPTION = "The account's events after a number, as in list_events. Read on, or subscribe, at its next_after."
_JSON = "application/json"
_PER_PAGE = 100

# A stream ends after this time, and its client listens again.
STREAM_SECONDS = 300.0
# In a process, and of one credential: each counts as up to six requests a minute.
MOST_STREAMS = 64
MOST_STREAMS_PER_CREDENTIAL = 4
# How long one call waits for an event, and the pause after one that found too many others waiting.
_WAIT_SECONDS = 20
_PAUSE_SECONDS = 10.0
# Events that follow each other make one notification.
_GATHER_SECONDS = 1.0

Ask = Callable[[Call, Scope], Awaitable[Answer]]


def position_of(uri: str) -> int | None:
    """Return the number after which a resource has events, or None if it isn't the event log.

    Without a number, as the template allows, it is the log from the start.
    """
    result = _URI.fullmatch(uri)
    return int(result[1] or 0) if result else None


def resource() -> types.Resource:
    """Return the log from its first event."""
    return types.Resource(uri=FIRST, name="events", title="Events", description=_DESCRIPTION, mime_type=_JSON)


def template() -> types.ResourceTemplate:
    """Return how the log after any event is addressed."""
    return types.ResourceTemplate(
        uri_template=TEMPLATE, name="events", title="Events", description=_DESCRIPTION, mime_type=_JSON
    )


class EventResource:
    """Reads events through the REST API, with the credential of each request."""

    def __init__(self, tool: Tool, ask: Ask) -> None:
        self._tool = tool
        self._ask = ask
        self._streams: Counter[str] = Counter()

    async def read(self, uri: str, scope: Scope) -> types.ReadResourceResult:
        """Return the events after the position of a URI. Raises MCPError."""
        answer = await self._events(position_of(uri) or 0, scope)
        content = types.TextResourceContents(uri=uri, mime_type=_JSON, text=answer.body.decode())
        # Nobody else may see it, and the next event makes it old.
        return types.ReadResourceResult(contents=[content], ttl_ms=0, cache_scope="private")

    async def listen(
        self, ctx: ServerRequestContext[Any, Any], params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """Notify a client of new events until it leaves or the time is over. Raises MCPError.

        Of all that it asks for, the first position in the event log is honored. The credential is checked at each call.
        """
        meta = {SUBSCRIPTION_ID_META_KEY: ctx.request_id}
        wanted = [uri for uri in params.notifications.resource_subscriptions or () if position_of(uri) is not None][:1]
        scope = ctx.request.scope if ctx.request else {}
        with self._counted(Headers(scope=scope).get("authorization", "")):
            result = await self._events(position_of(wanted[0]) or 0, scope) if wanted else None
            honored = types.SubscriptionFilter(resource_subscriptions=wanted or None)
            acknowledged = types.SubscriptionsAcknowledgedNotificationParams(notifications=honored, _meta=meta)
            await ctx.session.send_notification(
                types.SubscriptionsAcknowledgedNotification(params=acknowledged), related_request_id=ctx.request_id
            )
            if result:
                await self._follow(ctx, wanted[0], result, scope)
        return types.SubscriptionsListenResult(_meta=meta)

    async def _follow(self, ctx: ServerRequestContext[Any, Any], uri: str, answer: Answer, scope: Scope) -> None:
        meta = {SUBSCRIPTION_ID_META_KEY: ctx.request_id}
        loop = asyncio.get_running_loop()
        until = loop.time() + STREAM_SECONDS
        while True:
            body = orjson.loads(answer.body)
            if body["items"]:
                notification = event_to_notification(ResourceUpdated(uri), meta)
                await ctx.session.send_notification(notification, related_request_id=ctx.request_id)
                await asyncio.sleep(_GATHER_SECONDS)
            began = loop.time()
            if began >= until:
                return
            answer = await self._events(body["next_after"], scope, wait_seconds=_WAIT_SECONDS)
            if loop.time() - began < 1 and not orjson.loads(answer.body)["items"]:
                await asyncio.sleep(_PAUSE_SECONDS)

    async def _events(self, after: int, scope: Scope, *, wait_seconds: int = 0) -> Answer:
        query = {"after": after, "limit": _PER_PAGE, "wait_seconds": wait_seconds}
        answer = await self._ask(Call(self._tool.method, self._tool.path, query), scope)
        if answer.status == 200:
            return answer
        if answer.challenge or answer.status in {429, 503}:
            raise error_of(answer)
        raise MCPError(types.INVALID_PARAMS, str(orjson.loads(answer.body)["detail"]))

    @contextmanager
    def _counted(self, credential: str) -> Iterator[None]:
        if self._streams[credential] >= MOST_STREAMS_PER_CREDENTIAL or self._streams.total() >= MOST_STREAMS:
            raise MCPError(types.INTERNAL_ERROR, "Too many subscriptions are open. Close one, or try again later.")
        self._streams[credential] += 1
        try:
            yield
        finally:
            self._streams[credential] -= 1
            self._streams += Counter()
