"""Limit the size and duration of request bodies, and read those that no view reads to the end."""

import asyncio
import io
from collections.abc import AsyncIterable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import IO, Any, TypeVar

from django.conf import settings
from django.http import HttpRequest, UnreadablePostError

# More than any operation reads (apps/core/api/parsers.py), so that its refusals arrive.
MAX_REST_BYTES = 300 * 1024
# A client that sends nothing for this long is dropped.
IDLE_SECONDS = 10.0
BODY_SECONDS, UPLOAD_SECONDS = 30.0, 120.0
# Per process, with most of each in a file. One more drops the oldest.
MAX_WAITING = 256
_MEMORY_BYTES = 64 * 1024
View = TypeVar("View", bound=Callable[..., Any])
WsgiApplication = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class BodyTimeoutError(Exception):
    """The body made no progress, took too long in total, or was the oldest of too many."""


class BodyCutShortError(Exception):
    """The client disconnected, or sent an invalid body."""


@dataclass(frozen=True, slots=True)
class BodyLimit:
    """The maximum size and duration of a request body."""

    most_bytes: int
    seconds: float


def may_be_large(content_type: str, path: str) -> bool:
    """Return whether a request with this Content-Type may carry files, or JSON at this path a picture."""
    return content_type.lower().startswith("multipart/form-data") or _takes_pictures(path)


def body_limit(content_type: str, path: str) -> BodyLimit:
    """Return the limit of a body by its Content-Type and path."""
    if may_be_large(content_type, path):
        return BodyLimit(announced_limit(path), UPLOAD_SECONDS)
    return BodyLimit(MAX_REST_BYTES, BODY_SECONDS)


def announced_limit(path: str) -> int:
    """Return the size in bytes above which a body is refused unread."""
    most: int = settings.MAX_JSON_PICTURE_BYTES if _takes_pictures(path) else settings.MAX_UPLOAD_BYTES
    return most


def _takes_pictures(path: str) -> bool:
    return path.removesuffix("/") in settings.JSON_PICTURE_PATHS


class BodyReader:
    """Read bodies on an event loop, up to MAX_WAITING concurrently."""

    def __init__(self) -> None:
        self._waits: dict[asyncio.Timeout, None] = {}

    async def read(
        self, pieces: AsyncIterable[bytes], *, limit: BodyLimit, length: int | None
    ) -> tuple[IO[bytes], int]:
        """Return the body and its size, cut off some way past the limit.

        `length` is the announced Content-Length, or None. Raises BodyTimeoutError or BodyCutShortError.
        """
        body = SpooledTemporaryFile(max_size=_MEMORY_BYTES)  # noqa: SIM115 - the caller closes it
        try:
            size = await self._receive(pieces, body, limit)
            # A body beyond the limit is left unread.
            if length is not None and size < min(length, limit.most_bytes):
                raise BodyCutShortError
        except BaseException:
            body.close()
            raise
        body.seek(0)
        return body, size

    async def _receive(self, pieces: AsyncIterable[bytes], body: IO[bytes], limit: BodyLimit) -> int:
        size, has_ended = 0, False
        clock = asyncio.get_running_loop().time
        end = clock() + limit.seconds
        try:
            async with asyncio.timeout_at(min(end, clock() + IDLE_SECONDS)) as wait:
                self._admit(wait)
                try:
                    async for piece in pieces:
                        if has_ended:
                            # Granian ends a body with one empty piece. A broken connection sends another before it.
                            raise BodyCutShortError
                        if not piece:
                            has_ended = True
                            continue
                        body.write(piece)
                        size += len(piece)
                        if size > limit.most_bytes:
                            break
                        wait.reschedule(min(end, clock() + IDLE_SECONDS))
                finally:
                    self._waits.pop(wait, None)
        except TimeoutError:
            raise BodyTimeoutError from None
        return size

    def _admit(self, wait: asyncio.Timeout) -> None:
        if len(self._waits) >= MAX_WAITING:
            # Legitimate bodies arrive in far less time than it takes to fill all slots again.
            oldest = next(iter(self._waits))
            del self._waits[oldest]
            oldest.reschedule(0)
        self._waits[wait] = None


def with_lengths(application: WsgiApplication, *, most: int) -> WsgiApplication:
    """Read a chunked body, up to one byte past `most`, before the application asks for its length.

    WSGI leaves bodies of unknown length to the server, and Django treats them as empty.
    """

    def measured(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if not environ.get("CONTENT_LENGTH") and "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower():
            body = environ["wsgi.input"].read(most + 1)
            environ = {**environ, "wsgi.input": io.BytesIO(body), "CONTENT_LENGTH": str(len(body))}
        return application(environ, start_response)

    return measured


def with_too_large(view: View) -> View:
    """Mark a view that shows on its page that an upload was refused unread: it then gets a GET with `is_too_large`."""
    vars(view)["shows_too_large"] = True
    return view


def shows_too_large(view: object) -> bool:
    """Return whether a view is marked with `with_too_large`."""
    return bool(getattr(view, "shows_too_large", False))


def read_rest(request: HttpRequest) -> None:
    """Read what the view left of a body, up to MAX_REST_BYTES, or to the end of one that may have a picture.

    A server closes a connection with an unread body, sometimes before the client has read the response.
    """
    # The client disconnected.
    with suppress(UnreadablePostError):
        request.read(settings.MAX_JSON_PICTURE_BYTES if _takes_pictures(request.path) else MAX_REST_BYTES)
