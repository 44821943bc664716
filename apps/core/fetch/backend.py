"""The only place where a fetch opens a connection: the guarded backend, and the transport around it."""

import asyncio
import ssl
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import httpcore2
import httpx2

from apps.core.fetch.configuration import PORTS, extra_authorities
from apps.core.fetch.errors import FetchError, FetchFailure
from apps.core.fetch.networks import LOOPBACKS, dialable
from apps.core.fetch.resolver import Resolver
from apps.core.web.urls import is_ip_address

SocketOption = tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]

_MAX_DIALS = 3


def endpoint(host: str, port: int) -> str:
    """Return the `host:port` form used in the list of allowed private hosts, with IPv6 literals in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


class GuardedStream(httpcore2.AsyncNetworkStream):
    """A connection that limits the bytes of each response.

    Counting raw bytes catches what a limit on the decoded body misses: endless informational responses, endless
    headers, chunk extensions, and gzip blocks that decode to nothing.
    """

    def __init__(self, stream: httpcore2.AsyncNetworkStream, *, max_head_bytes: int) -> None:
        self._stream = stream
        self._max_head_bytes = max_head_bytes
        self._bytes_left = max_head_bytes
        self._is_silent = True
        self._is_in_body = False
        self._has_answered = False

    def begin_body(self, max_bytes: int) -> None:
        """The head is complete: allow `max_bytes` more for the body and its framing."""
        self._bytes_left = max_bytes
        self._is_in_body = self._has_answered = True

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        if self._bytes_left <= 0:
            raise FetchError(FetchFailure.TOO_LARGE if self._is_in_body else FetchFailure.HEADERS_TOO_LARGE)
        data = await self._stream.read(min(max_bytes, self._bytes_left), timeout)
        if not data and self._is_silent:
            # A server may close a kept connection just before it is reused.
            raise FetchError(FetchFailure.UNREACHABLE, retryable=self._has_answered)
        self._is_silent = False
        self._bytes_left -= len(data)
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        if buffer:
            self._bytes_left = self._max_head_bytes
            self._is_silent, self._is_in_body = True, False
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.AsyncNetworkStream:
        # Without the timeout, which is that of connecting. If the deadline of the fetch ends the handshake, nobody else
        # closes the connection.
        try:
            stream = await self._stream.start_tls(ssl_context, server_hostname, None)
        except asyncio.CancelledError:
            await self._stream.aclose()
            raise
        return GuardedStream(stream, max_head_bytes=self._max_head_bytes)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Connects only to checked numeric addresses. A name is resolved once, and one bad address refuses it.

    It connects to the address that was checked, so a second lookup can't change it. `network` opens the connection.
    Raises FetchError (bad_address, private_address, unreachable).
    """

    def __init__(
        self,
        *,
        resolver: Resolver,
        allow_private: frozenset[str],
        max_head_bytes: int,
        network: httpcore2.AsyncNetworkBackend | None = None,
    ) -> None:
        self._resolver = resolver
        self._allow_private = allow_private
        self._max_head_bytes = max_head_bytes
        self._network = network or httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SocketOption] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        is_listed = endpoint(host, port) in self._allow_private
        if port not in PORTS and not is_listed:
            raise FetchError(FetchFailure.BAD_ADDRESS)
        answers = await self._answers(host, is_listed=is_listed)
        addresses = [dialable(answer, own_network=is_listed) for answer in answers]
        failure: Exception = FetchError(FetchFailure.UNREACHABLE)
        dialed = addresses[:_MAX_DIALS]
        for address in dialed:
            # Only the deadline of the fetch ends the last attempt.
            seconds = timeout if address is not dialed[-1] else None
            try:
                stream = await self._network.connect_tcp(str(address), port, seconds, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
            else:
                return GuardedStream(stream, max_head_bytes=self._max_head_bytes)
        raise failure

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[SocketOption] | None = None
    ) -> httpcore2.AsyncNetworkStream:
        raise FetchError(FetchFailure.BAD_ADDRESS)

    async def _answers(self, host: str, *, is_listed: bool) -> Sequence[str]:
        if is_ip_address(host):
            return (host,)
        # These names always mean this machine (RFC 6761, 6.3). A DNS server would have to be asked, and may drop that.
        if is_listed and host.rpartition(".")[2] == "localhost":
            return LOOPBACKS
        try:
            answers = await self._resolver(host)
        except (OSError, UnicodeError):
            answers = ()
        if answers:
            return answers
        if is_listed:
            return LOOPBACKS
        raise FetchError(FetchFailure.UNREACHABLE, retryable=True)


_MAX_CONNECTIONS = 10
_KEEPALIVE_SECONDS = 5.0


@cache
def shared_tls() -> ssl.SSLContext:
    """Verifies certificates with the system's authorities. Cached, because loading takes a while."""
    context = httpx2.create_ssl_context(trust_env=False)
    if path := extra_authorities():
        context.load_verify_locations(cafile=path)
    return context


class GuardedTransport(httpx2.AsyncHTTPTransport):
    """Speaks HTTP/1.1 through `backend`, without proxies or anything else from the environment.

    httpx2 has no public way to set a network backend, so its private `_pool` is replaced. Both packages are pinned, and
    a test fails if the attribute moves.
    """

    def __init__(self, *, backend: GuardedBackend, tls: ssl.SSLContext) -> None:
        super().__init__(verify=tls, trust_env=False)
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=tls,
            max_connections=_MAX_CONNECTIONS,
            max_keepalive_connections=_MAX_CONNECTIONS,
            keepalive_expiry=_KEEPALIVE_SECONDS,
            http1=True,
            http2=False,
            retries=0,
            network_backend=backend,
        )
