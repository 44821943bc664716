"""Send requests while the caller's thread writes results: an event loop in a thread of its own."""

import asyncio
import logging
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Self

from apps.core.fetch import FetchError, FetchFailure, SafeClient

if TYPE_CHECKING:
    from concurrent.futures import Future

logger = logging.getLogger(__name__)

ANSWER_SECONDS = 15.0
ANSWER_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Parcel:
    """A request to send."""

    endpoint_id: int
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Outcome:
    """An answer, or why there was none. `answer` has the first 4 KB."""

    status_code: int | None = None
    error: str = ""
    elapsed_ms: int = 0
    answer: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_success(self) -> bool:
        return self.status_code is not None and 200 <= self.status_code < 300


def new_client() -> SafeClient:
    """Return a client for one endpoint, with the crawler's address checks at every connection."""
    return SafeClient()


class Courier:
    """Sends parcels at the same time. Connections to an endpoint are kept until it is closed."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="webhooks", daemon=True)
        self._clients: dict[int, SafeClient] = {}

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def send(self, parcel: Parcel) -> "Future[Outcome]":
        """Begin to send. The result comes within 15 seconds."""
        return asyncio.run_coroutine_threadsafe(self._send(parcel), self._loop)

    async def _send(self, parcel: Parcel) -> Outcome:
        client = self._clients.get(parcel.endpoint_id)
        if client is None:
            client = self._clients[parcel.endpoint_id] = await new_client().__aenter__()
        started_at = self._loop.time()
        try:
            fetched = await client.post(
                parcel.url,
                content=parcel.body,
                headers=parcel.headers,
                max_bytes=ANSWER_BYTES,
                deadline=ANSWER_SECONDS,
            )
        except FetchError as error:
            return Outcome(error=error.code, elapsed_ms=round((self._loop.time() - started_at) * 1000))
        except Exception as error:
            # One endpoint must not keep the results of others from being written. The message may contain the URL.
            failed = {"endpoint": parcel.endpoint_id, "error": type(error).__name__}
            logger.error("a webhook could not be sent", extra=failed)
            return Outcome(error=FetchFailure.BAD_RESPONSE)
        return Outcome(
            status_code=fetched.status,
            elapsed_ms=fetched.elapsed_ms,
            answer=fetched.body.decode(errors="replace").replace("\x00", "\ufffd"),
            headers=fetched.headers,
        )

    async def _close(self) -> None:
        sending = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in sending:
            task.cancel()
        await asyncio.gather(*sending, return_exceptions=True)
        for client in self._clients.values():
            await client.__aexit__(None, None, None)
