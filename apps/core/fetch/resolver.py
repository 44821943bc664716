"""DNS lookups that a deadline can abandon."""

import asyncio
import contextlib
import socket
import threading
from collections.abc import Awaitable, Callable, Sequence

Resolver = Callable[[str], Awaitable[Sequence[str]]]
"""Takes an ASCII host name and returns numeric addresses. Raises OSError if it has none."""


async def system_resolver(host: str) -> Sequence[str]:
    """Look up a host name with the system's resolver. Returns numeric addresses in its order of preference.

    Runs in its own daemon thread, because a lookup can't be interrupted, and `asyncio.run` would wait for the
    executor's threads long past the fetch's deadline.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Sequence[str]] = loop.create_future()

    def settle(addresses: Sequence[str], failure: Exception | None) -> None:
        if answer.done():
            return
        if failure is None:
            answer.set_result(addresses)
        else:
            answer.set_exception(failure)

    def look_up() -> None:
        addresses: Sequence[str] = ()
        failure: Exception | None = None
        try:
            addresses = _addresses(host)
        except (OSError, UnicodeError) as error:
            failure = error
        # The loop may be closed when a slow lookup ends.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, addresses, failure)

    threading.Thread(target=look_up, name="fetch-lookup", daemon=True).start()
    return await answer


def _addresses(host: str) -> Sequence[str]:
    # Passing bytes avoids Python's own, older IDNA codec.
    result = socket.getaddrinfo(host.encode("ascii"), None, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in result))
