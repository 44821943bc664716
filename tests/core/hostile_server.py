"""A loopback server that misbehaves as told, and a network that leads there from any address."""

import asyncio
import ssl
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import httpcore2

from tests.driven_loop import skip

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

PUBLIC = "93.184.215.14"
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nok"


@dataclass(slots=True)
class Server:
    """`accepts` counts TCP connections; `requests` holds the raw head of each request."""

    port: int = 0
    accepts: int = 0
    requests: list[bytes] = field(default_factory=list)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"


@contextmanager
def serve(handler: Handler, *, reads_request: bool = True, tls: ssl.SSLContext | None = None) -> Iterator[Server]:
    """Run `handler` for every connection, in a thread, on a free loopback port."""
    server = Server()
    loop = asyncio.new_event_loop()
    ready = threading.Event()
    stop = asyncio.Event()

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server.accepts += 1
        try:
            # Python 3.11 logs a canceled conversation as an error.
            with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
                if reads_request:
                    server.requests.append(await reader.readuntil(b"\r\n\r\n"))
                await handler(reader, writer)
                writer.close()
                await writer.wait_closed()
        finally:
            writer.transport.abort()

    async def main() -> None:
        listener = await asyncio.start_server(converse, "127.0.0.1", 0, ssl=tls)
        server.port = listener.sockets[0].getsockname()[1]
        ready.set()
        await stop.wait()
        listener.close()
        conversations = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in conversations:
            task.cancel()
        await asyncio.gather(*conversations, return_exceptions=True)
        await asyncio.sleep(0)

    def run() -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(main())

    thread = threading.Thread(target=run)
    thread.start()
    ready.wait()
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()


def answer(*parts: bytes) -> Handler:
    """A handler that sends `parts` and hangs up."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for part in parts:
            writer.write(part)
            await writer.drain()

    return handle


def forever(start: bytes, part: bytes, *, skips: float = 0) -> Handler:
    """A handler that sends `start` and then `part` again and again.

    With `skips` it drips: for a client on a PeersLoop, so many seconds pass after each part.
    """

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(start)
        while True:
            writer.write(part)
            await writer.drain()
            skip(skips)
            await asyncio.sleep(0.01 if skips else 0)

    return handle


class LeadingTo(httpcore2.AsyncNetworkBackend):
    """Notes every dial and connects each to `server`, so that public addresses can be played."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.dials: list[tuple[str, int]] = []
        self.refused: set[str] = set()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        self.dials.append((host, port))
        if host in self.refused:
            raise httpcore2.ConnectError("refused")
        return await httpcore2.AnyIOBackend().connect_tcp("127.0.0.1", self.server.port, timeout)


class Names:
    """A resolver with a fixed book of names. Several answer lists for one name are given in turn."""

    def __init__(self, book: dict[str, Sequence[Sequence[str]]] | None = None) -> None:
        self.book = book or {}
        self.asked: list[str] = []

    async def __call__(self, host: str) -> Sequence[str]:
        self.asked.append(host)
        answers = self.book.get(host)
        if answers is None:
            raise OSError("no such name")
        return answers[min(self.asked.count(host), len(answers)) - 1]
