"""A socket between an installation and one of its engines, which can delay what passes and cut it off."""

import asyncio
import threading
from contextlib import suppress
from pathlib import Path

from tests.waiting import PATIENCE_SECONDS

_PIECE = 65_536


class Proxy:
    """Use as a context manager: what connects to the socket `listen` is passed on to the socket `target`."""

    def __init__(self, listen: Path, target: Path) -> None:
        self.delay_seconds = 0.0
        self._listen, self._target = listen, target
        self._open: set[asyncio.StreamWriter] = set()
        self._started = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), name="proxy", daemon=True)

    def __enter__(self) -> "Proxy":
        self._thread.start()
        assert self._started.wait(PATIENCE_SECONDS)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join()
        self._listen.unlink(missing_ok=True)

    async def _run(self) -> None:
        self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_unix_server(self._serve, self._listen)
        self._started.set()
        await self._stopping.wait()
        server.close()

    def cut(self) -> int:
        """End every connection in the middle of whatever it is at; returns how many there were."""
        cut = list(self._open)
        for writer in cut:
            self._loop.call_soon_threadsafe(writer.transport.abort)
        return len(cut) // 2

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_unix_connection(self._target)
        except OSError:
            writer.transport.abort()
            return
        both = {writer, far_writer}
        self._open |= both
        try:
            await asyncio.gather(self._pump(reader, far_writer), self._pump(far_reader, writer))
        finally:
            self._open -= both
            for one in both:
                one.transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on until the end, and then the end."""
        with suppress(OSError):
            while piece := await reader.read(_PIECE):
                if self.delay_seconds:
                    await asyncio.sleep(self.delay_seconds)
                writer.write(piece)
                await writer.drain()
        with suppress(OSError):
            writer.close()
