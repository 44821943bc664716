"""The HTTP client that Slipway uses for untrusted content."""

import asyncio
import logging
import ssl
import time
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Self

import httpcore2
import httpx2

from apps.core.fetch.addresses import check_address, redirect_address
from apps.core.fetch.backend import GuardedBackend, GuardedStream, GuardedTransport, shared_tls
from apps.core.fetch.body import read_body, read_start
from apps.core.fetch.configuration import Limits, allowed_private_hosts, default_user_agent
from apps.core.fetch.errors import FetchError, FetchFailure
from apps.core.fetch.fetched import Fetched, media_type
from apps.core.fetch.resolver import Resolver, system_resolver

DEFAULT_ACCEPT = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5"

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_logger = logging.getLogger(__name__)


class SafeClient:
    """Fetches untrusted URLs from servers that may be hostile.

    An async context manager that keeps connections while it is open. No cookies, no credentials, no proxies, nothing
    from the environment. `user_agent` and `allow_private` default to the settings. `network` and `tls` replace what
    connects and what verifies.
    """

    def __init__(
        self,
        *,
        user_agent: str | None = None,
        resolver: Resolver = system_resolver,
        allow_private: frozenset[str] | None = None,
        limits: Limits | None = None,
        network: httpcore2.AsyncNetworkBackend | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._user_agent = user_agent or default_user_agent()
        self._allow_private = allowed_private_hosts() if allow_private is None else allow_private
        self._limits = limits or Limits()
        backend = GuardedBackend(
            resolver=resolver,
            allow_private=self._allow_private,
            max_head_bytes=self._limits.max_head_bytes,
            network=network,
        )
        self._transport = GuardedTransport(backend=backend, tls=tls or shared_tls())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._transport.aclose()

    async def get(
        self,
        url: str,
        *,
        accept: str = DEFAULT_ACCEPT,
        media_types: Collection[str] | None = None,
        max_bytes: int | None = None,
        deadline: float | None = None,
        follow: bool = True,
    ) -> Fetched:
        """Fetch an absolute http(s) URL and follow redirects. Any HTTP status is a result.

        With `follow` false a redirect is a result, too: its checked `location`, and no body. `media_types` refuses a
        successful response of another declared type (not_html) before its body is read. `max_bytes` limits the decoded
        body, `deadline` the whole fetch in seconds. Raises only FetchError for anything a server, a name or a URL can
        do.
        """
        seconds = self._limits.deadline_seconds if deadline is None else deadline
        size = self._limits.max_body_bytes if max_bytes is None else max_bytes
        try:
            async with asyncio.timeout(seconds):
                return await self._follow(url, accept=accept, media_types=media_types, max_bytes=size, follow=follow)
        except (FetchError, httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            _logger.info("Fetching %.200r failed: %r", url, error)
            raise _opaque(error) from None

    async def post(
        self, url: str, *, content: bytes, headers: Mapping[str, str], max_bytes: int, deadline: float
    ) -> Fetched:
        """Send `content` to an absolute http(s) URL. Any HTTP status is a result, also a redirect.

        The first `max_bytes` of the body are read, and the rest is left on the connection, which is closed. Raises only
        FetchError. The log has the host alone, because such URLs often hold a secret.
        """
        try:
            async with asyncio.timeout(deadline):
                return await self._post(url, content=content, headers=headers, max_bytes=max_bytes)
        except (FetchError, httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            failure = _opaque(error)
            _logger.info("Sending to %.200r failed: %s", _host_of(url), failure.code)
            raise failure from None

    async def _post(self, url: str, *, content: bytes, headers: Mapping[str, str], max_bytes: int) -> Fetched:
        started_at = time.monotonic()
        address = check_address(url, allow_private=self._allow_private)
        async with self._answer(
            address, accept="*/*", max_bytes=max_bytes, method="POST", content=content, headers=headers
        ) as response:
            return Fetched(
                url=address,
                status=response.status_code,
                headers=dict(response.headers.items()),
                content_type=media_type(response.headers.get("content-type", "")),
                body=await read_start(response, max_bytes=max_bytes),
                elapsed_ms=round((time.monotonic() - started_at) * 1000),
            )

    async def _follow(
        self, url: str, *, accept: str, media_types: Collection[str] | None, max_bytes: int, follow: bool
    ) -> Fetched:
        started_at = time.monotonic()
        address = check_address(url, allow_private=self._allow_private)
        passed: list[str] = []
        while True:
            async with self._answer(address, accept=accept, max_bytes=max_bytes) as response:
                location = _location(response)
                if location is None or not follow:
                    _refuse_type(response, media_types)
                    target = "" if location is None else self._target(address, location)
                    return Fetched(
                        url=address,
                        status=response.status_code,
                        headers=dict(response.headers.items()),
                        content_type=media_type(response.headers.get("content-type", "")),
                        body=b"" if target else await read_body(response, max_bytes=max_bytes),
                        elapsed_ms=round((time.monotonic() - started_at) * 1000),
                        redirects=tuple(passed),
                        location=target,
                    )
            if len(passed) >= self._limits.max_redirects:
                raise FetchError(FetchFailure.TOO_MANY_REDIRECTS)
            passed.append(address)
            address = self._target(address, location)

    def _target(self, address: str, location: str) -> str:
        return redirect_address(address, location, allow_private=self._allow_private)

    @asynccontextmanager
    async def _answer(
        self,
        address: str,
        *,
        accept: str,
        max_bytes: int,
        method: str = "GET",
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> AsyncIterator[httpx2.Response]:
        limits = self._limits
        sent = {
            "User-Agent": self._user_agent,
            "Accept": accept,
            "Accept-Encoding": "gzip, identity",
            **(headers or {}),
        }
        timeout = httpx2.Timeout(limits.idle_seconds, connect=limits.connect_seconds)
        extensions = {"timeout": timeout.as_dict()}
        request = httpx2.Request(method, address, headers=sent, content=content, extensions=extensions)
        response = await self._transport.handle_async_request(request)
        try:
            if len(response.headers.raw) > limits.max_headers:
                raise FetchError(FetchFailure.TOO_LARGE)
            _guarded(response).begin_body(2 * max_bytes + limits.max_head_bytes)
            yield response
        finally:
            await response.aclose()


def _guarded(response: httpx2.Response) -> GuardedStream:
    stream = response.extensions.get("network_stream")
    if not isinstance(stream, GuardedStream):
        raise TypeError("The response didn't come through the guarded backend.")
    return stream


def _host_of(url: str) -> str:
    return url.partition("://")[2].partition("/")[0].rpartition("@")[2]


def _location(response: httpx2.Response) -> str | None:
    if response.status_code not in _REDIRECTS:
        return None
    locations = response.headers.get_list("location")
    return locations[0] if locations else None


def _refuse_type(response: httpx2.Response, media_types: Collection[str] | None) -> None:
    declared = media_type(response.headers.get("content-type", ""))
    if media_types is not None and response.is_success and declared and declared not in media_types:
        raise FetchError(FetchFailure.NOT_HTML)


def _opaque(error: Exception) -> FetchError:
    match error:
        case FetchError():
            return error
        case TimeoutError() | httpx2.TimeoutException():
            return FetchError(FetchFailure.TIMEOUT)
        case httpx2.NetworkError() | OSError():
            return FetchError(FetchFailure.UNREACHABLE)
        case httpx2.InvalidURL():
            return FetchError(FetchFailure.BAD_ADDRESS)
        case _:
            return FetchError(FetchFailure.BAD_RESPONSE)


def fetch_page(
    url: str,
    *,
    accept: str = DEFAULT_ACCEPT,
    media_types: Collection[str] | None = None,
    max_bytes: int | None = None,
    deadline: float | None = None,
    user_agent: str | None = None,
    resolver: Resolver = system_resolver,
    allow_private: frozenset[str] | None = None,
    limits: Limits | None = None,
) -> Fetched:
    """Fetch one URL from synchronous code, such as a task. See `SafeClient.get`."""

    async def fetch() -> Fetched:
        async with SafeClient(
            user_agent=user_agent, resolver=resolver, allow_private=allow_private, limits=limits
        ) as client:
            return await client.get(url, accept=accept, media_types=media_types, max_bytes=max_bytes, deadline=deadline)

    return asyncio.run(fetch())
