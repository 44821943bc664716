"""The web server's front: an event loop waits for bodies, and Django runs in a few threads.

Clients that send or read slowly occupy no thread (docs/decisions/0019).
"""

import asyncio
import logging
import os
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import chain
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import IO, Any, cast

from corsheaders.middleware import CorsMiddleware
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse
from granian._granian import RSGIHTTPProtocol as HTTPProtocol
from granian.rsgi import Scope as RsgiScope

from apps.core.api.problems import problem, problem_response
from apps.core.operations.metrics import ABANDONED, THREAD_SECONDS
from apps.core.web.body_limits import (
    BodyCutShortError,
    BodyReader,
    BodyTimeoutError,
    WsgiApplication,
    announced_limit,
    body_limit,
    may_be_large,
)
from apps.core.web.middleware import RequestIdMiddleware
from apps.mcp.app import asgi_scope
from apps.mcp.bridge import CLIENT_GONE
from apps.mcp.transport import STREAM, McpTransport, Reply
from config import telemetry
from config.serving.environ import environ_of
from config.serving.open_files import raise_limit
from config.serving.response_cache import Keep, ResponseCache

logger = logging.getLogger(__name__)

# Up to this size, streamed responses stay in memory while the client reads. Larger ones go to a file.
_MEMORY_BYTES = 2**20
# The server opens a response's file when sending starts. An open file survives deletion.
_FILE_SECONDS = 60.0
# Leftovers of a killed process are older than this, files being written are not.
_LEFT_BEHIND_SECONDS = 3600.0
MOST_IN_FILES = 2**30
# A slow client may be faster immediately after.
_RETRY_AFTER = {408: "1", 503: "30"}
# Watch only requests that wait long for a thread. Few do, and watching costs more than most waits.
_WATCHED_AFTER = 0.25
HEARTBEAT_SECONDS = 5.0
# A key of the request's environment: its body is left unread.
_UNREAD = "slipway.unread"
_CLOSE = ("Connection", "close")
_READING = frozenset({"GET", "HEAD", "OPTIONS"})


class NoRoomError(Exception):
    """Streamed responses have used their allowed disk space."""


class ClientGone(Exception):  # noqa: N818 - no error: nobody is there to be answered
    """The client disconnected before its request started."""


@dataclass(slots=True, eq=False)
class _Job:
    """A request on its way to a thread. The first to claim it starts or drops it."""

    call: Callable[[], None]
    done: "asyncio.Future[None]"
    lock: Lock = field(default_factory=Lock)

    def try_take(self) -> bool:
        return self.lock.acquire(blocking=False)


class _Lane:
    """Threads for one kind of request, with a queue."""

    def __init__(self, name: str, threads: int, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._seconds = THREAD_SECONDS.labels(name)
        self._abandoned = ABANDONED.labels(name)
        # Half the cost of an executor, which makes two futures per call.
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._threads = [Thread(target=self._work, name=f"{name}-{number}", daemon=True) for number in range(threads)]
        for thread in self._threads:
            thread.start()

    async def call(self, call: Callable[[], None]) -> None:
        """Run `call` in the next free thread, without a client that could disconnect."""
        await self._put(call).done

    def start(self, call: Callable[[], None]) -> None:
        """Start `call` in the next free thread without waiting for it."""
        self._put(call)

    def _put(self, call: Callable[[], None]) -> _Job:
        job = _Job(call, self._loop.create_future())
        self._jobs.put(job)
        return job

    async def run(self, call: Callable[[], None], proto: HTTPProtocol) -> None:
        """Run `call` in the next free thread. Raises ClientGone."""
        job = self._put(call)
        watch = self._loop.call_later(_WATCHED_AFTER, self._watch, job, proto)
        try:
            await job.done
        finally:
            watch.cancel()

    def _watch(self, job: _Job, proto: HTTPProtocol) -> None:
        if not job.lock.locked():
            job.done.add_done_callback(lambda _: gone.cancel())
            gone = asyncio.ensure_future(proto.client_disconnect())
            gone.add_done_callback(lambda _: self._drop(job))

    def _drop(self, job: _Job) -> None:
        if job.try_take():
            self._abandoned.inc()
            _settle(job.done, ClientGone())

    def _work(self) -> None:
        while job := self._jobs.get():
            if not job.try_take():
                continue
            error: BaseException | None = None
            began = time.perf_counter()
            try:
                job.call()
            except BaseException as caught:
                # Raised again where it is awaited.
                error = caught
            self._seconds.inc(time.perf_counter() - began)
            with suppress(RuntimeError):  # The loop has ended.
                self._loop.call_soon_threadsafe(_settle, job.done, error)

    def close(self) -> None:
        """Let the threads end after their current calls."""
        for _ in self._threads:
            self._jobs.put(None)


def _settle(done: "asyncio.Future[None]", error: BaseException | None) -> None:
    if done.cancelled():
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)


class Front:
    """An RSGI application for Granian: /mcp on the event loop, Django's WSGI handler in threads."""

    def __init__(
        self,
        django: WsgiApplication,
        *,
        threads: Mapping[str, int],
        transport: McpTransport,
        mcp_path: str,
        folder: Path,
        waiting_paths: Sequence[str] = (),
    ) -> None:
        """Prepare. `threads` counts those for `reads`, `changes` and `uploads`. `folder` is for large streams.

        Reads below one of `waiting_paths` run with the changes.
        """
        self._django = django
        self._threads = threads
        self._transport = transport
        self._mcp_path = mcp_path
        self._folder = folder
        self._waiting_paths = tuple(waiting_paths)
        self._bodies = BodyReader()

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start what belongs to one process, after the server has forked."""
        raise_limit()
        telemetry.start("web")
        self._loop = loop
        _remove_left_behind(self._folder)
        self._lanes = {name: _Lane(name, self._threads[name], loop) for name in ("reads", "changes", "uploads")}
        self._response_cache = ResponseCache(loop, in_thread=self._lanes["reads"].start)
        self._stopping = asyncio.Event()
        self._mcp_is_decided = asyncio.Event()
        self._mcp_runs = False
        self._mcp = loop.create_task(self._run_mcp())
        self._beats = loop.create_task(self._beat())

    def __rsgi_del__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Stop it after the server has stopped."""
        self._stopping.set()
        self._beats.cancel()
        self._response_cache.close()
        loop.run_until_complete(self._mcp)
        for lane in self._lanes.values():
            lane.close()
        telemetry.stop()

    async def _beat(self) -> None:
        """Touch this process's file repeatedly while its loop runs and reads find a thread."""
        if not (path := os.environ.get("HEARTBEAT_FILE")):
            return
        file = Path(f"{path}.{os.getpid()}")
        while True:
            await self._lanes["reads"].call(file.touch)
            await asyncio.sleep(HEARTBEAT_SECONDS)

    async def _run_mcp(self) -> None:
        try:
            async with self._transport.running():
                self._mcp_runs = True
                self._mcp_is_decided.set()
                await self._stopping.wait()
        except Exception:
            logger.exception("/mcp has ended; it answers 503 until this process is started again")
        finally:
            self._mcp_runs = False
            self._mcp_is_decided.set()

    async def __rsgi__(self, scope: RsgiScope, proto: HTTPProtocol) -> None:
        """Answer a request."""
        if self._response_cache.answer(scope, proto):
            return
        keep = self._response_cache.keeper(scope)
        environ = environ_of(scope)
        try:
            await self._receive(environ, proto)
        except BodyTimeoutError:
            self._refuse(environ, proto, 408, "The body did not arrive in time. Send the request again.")
            return
        except BodyCutShortError:
            self._refuse(environ, proto, 400, "The body ended too early.")
            return
        with environ["wsgi.input"]:
            if self._is_mcp(environ):
                await self._answer_mcp(environ, proto)
                return
            try:
                await self._lane(environ).run(lambda: self._answer(environ, proto, keep), proto)
            except ClientGone:
                # Nobody sees it.
                proto.response_empty(HTTPStatus.REQUEST_TIMEOUT, [])

    def _is_mcp(self, environ: Mapping[str, Any]) -> bool:
        path: str = environ["PATH_INFO"]
        return path.removesuffix("/") == self._mcp_path

    async def _receive(self, environ: dict[str, Any], proto: HTTPProtocol) -> None:
        """Add the body to the request, and its length if the client sent none."""
        said: str | None = environ.get("CONTENT_LENGTH")
        length = int(said) if said else None
        limit = body_limit(environ.get("CONTENT_TYPE", ""), environ["PATH_INFO"])
        if not length and "HTTP_TRANSFER_ENCODING" not in environ:
            return
        if length is not None and length > announced_limit(environ["PATH_INFO"]):
            # Refused unread (apps.core.web.middleware.BodyLimitMiddleware). The server then closes the connection.
            environ[_UNREAD] = True
            return
        body, size = await self._bodies.read(proto, limit=limit, length=length)
        environ["wsgi.input"] = body
        if length is None:
            environ["CONTENT_LENGTH"] = str(size)

    def _lane(self, environ: Mapping[str, Any]) -> _Lane:
        if environ["REQUEST_METHOD"] in _READING:
            return self._lanes["changes" if environ["PATH_INFO"].startswith(self._waiting_paths) else "reads"]
        is_large = may_be_large(environ.get("CONTENT_TYPE", ""), environ["PATH_INFO"])
        return self._lanes["uploads" if is_large else "changes"]

    def _answer(self, environ: dict[str, Any], proto: HTTPProtocol, keep: Keep) -> None:
        """Answer with Django in a thread. The response is handed over whole, so slow readers hold no thread."""
        started: list[tuple[int, list[tuple[str, str]]]] = []

        def start_response(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> None:
            started.append((int(status[:3]), headers))

        answer = self._django(environ, start_response)
        try:
            status, headers = started[-1]
            if _UNREAD in environ:
                headers.append(_CLOSE)
            if not getattr(answer, "streaming", False):
                body = b"".join(answer)
                proto.response_bytes(status, headers, body)
                keep(environ, headers, body)
            elif environ["REQUEST_METHOD"] == "HEAD":
                proto.response_empty(status, headers)
            else:
                self._send_pieces(proto, status, headers, answer)
        except NoRoomError:
            self._refuse(environ, proto, 503, "Too many large answers are being read. Try again in a minute.")
        finally:
            # Django finishes the request here: signals, connections.
            answer.close()  # type: ignore[attr-defined]  # every response of Django's has it

    def _send_pieces(
        self, proto: HTTPProtocol, status: int, headers: list[tuple[str, str]], pieces: Iterable[bytes]
    ) -> None:
        """Send a response that Django streams, such as a ledger."""
        pieces = iter(pieces)
        buffer = bytearray()
        for piece in pieces:
            buffer += piece
            if len(buffer) > _MEMORY_BYTES:
                break
        else:
            proto.response_bytes(status, headers, bytes(buffer))
            return
        path, size = self._keep(bytes(buffer), pieces)
        if not any(name.lower() == "content-length" for name, _ in headers):
            headers = [*headers, ("Content-Length", str(size))]
        proto.response_file(status, headers, str(path))
        self._loop.call_soon_threadsafe(self._loop.call_later, _FILE_SECONDS, path.unlink, True)

    def _keep(self, begin: bytes, pieces: Iterable[bytes]) -> tuple[Path, int]:
        """Write a response to a file. Returns its path and size. Raises NoRoomError. A failure leaves no file."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        room = MOST_IN_FILES - sum(_size(path) for path in self._folder.iterdir())
        with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as file:
            path = Path(file.name)
            try:
                for piece in chain([begin], pieces):
                    file.write(piece)
                    if file.tell() > room:
                        raise NoRoomError
            except BaseException:
                path.unlink(missing_ok=True)
                raise
            return path, file.tell()

    async def _answer_mcp(self, environ: dict[str, Any], proto: HTTPProtocol) -> None:
        await self._mcp_is_decided.wait()
        if not self._mcp_runs:
            self._refuse(environ, proto, 503, "Not available at the moment. Try again soon.")
            return
        gone = asyncio.ensure_future(proto.client_disconnect())
        try:
            body: IO[bytes] = environ["wsgi.input"]
            own = {CLIENT_GONE: gone.done, STREAM: _Stream(proto, gone)}
            reply = await self._transport.answer({**asgi_scope(environ), **own}, body.read())
        finally:
            gone.cancel()
        if not reply.is_sent:
            _send_reply(proto, reply, [_CLOSE] if _UNREAD in environ else [])

    def _refuse(self, environ: dict[str, Any], proto: HTTPProtocol, status: int, detail: str) -> None:
        """Answer a request that doesn't reach the application, with the application's usual headers."""
        extra = [_CLOSE]
        if status in _RETRY_AFTER:
            extra.append(("Retry-After", _RETRY_AFTER[status]))
        if self._is_mcp(environ):
            logger.info("request", extra={"method": environ["REQUEST_METHOD"], "route": "", "status": status})
            _send_reply(proto, self._transport.refuse(asgi_scope(environ), status, detail), extra)
            return

        def answer(request: HttpRequest) -> HttpResponse:
            if "text/html" in request.headers.get("accept", "") and not request.path.startswith("/api/"):
                return HttpResponse(detail, status=status, content_type="text/plain; charset=utf-8")
            return problem_response(problem(status, detail, instance=request.path))

        with_cors = cast("Callable[[HttpRequest], HttpResponse]", CorsMiddleware(answer))
        response = RequestIdMiddleware(with_cors)(WSGIRequest(environ))
        proto.response_bytes(status, [*response.items(), *extra], response.content)


class _Stream:
    """A response of /mcp that is sent in parts until its client leaves."""

    def __init__(self, proto: HTTPProtocol, gone: "asyncio.Future[None]") -> None:
        self._proto = proto
        self._gone = gone

    def begin(self, reply: Reply) -> Callable[[bytes], Awaitable[None]]:
        return self._proto.response_stream(reply.status, _texts(reply)).send_bytes

    async def wait_closed(self) -> None:
        await asyncio.wait([self._gone])


def _send_reply(proto: HTTPProtocol, reply: Reply, extra: Iterable[tuple[str, str]] = ()) -> None:
    proto.response_bytes(reply.status, [*_texts(reply), *extra], reply.body)


def _texts(reply: Reply) -> list[tuple[str, str]]:
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, value in reply.headers]


def _remove_left_behind(folder: Path) -> None:
    oldest = time.time() - _LEFT_BEHIND_SECONDS
    for path in folder.glob("*"):
        with suppress(OSError):
            if path.stat().st_mtime < oldest:
                path.unlink()


def _size(path: Path) -> int:
    """Return a file's size, 0 if it has been deleted."""
    try:
        return path.stat().st_size
    except OSError:
        return 0
