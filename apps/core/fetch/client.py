"""The HTTP client that Slipway uses for untrusted content."""

import asyncio
import logging
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from types import TracebackType
from typing import Self

import httpcore2
import httpx2

from apps.core.fetch.addresses import check_address, redirect_address
from apps.core.fetch.backend import GuardedBackend, GuardedStream, GuardedTransport, shared_tls
from apps.core.fetch.body import Body, read_body, read_start
from apps.core.fetch.configuration import Limits, allowed_private_hosts, default_user_agent
from apps.core.fetch.cookies import keep_cookies, new_cookies
from apps.core.fetch.errors import FetchError, FetchFailure
from apps.core.fetch.fetched import HTML_TYPES, Fetched, media_type
from apps.core.fetch.resolver import Resolver, system_resolver
from apps.core.html.refresh import refresh_target

DEFAULT_ACCEPT = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5"

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_logger = logging.getLogger(__name__)


class SafeClient:
    """Fetches untrusted URLs from servers that may be hostile.

    An async context manager that keeps connections while it is open, and the cookies that `get` receives, which some
    websites require for their first page. No credentials, no proxies, nothing from the environment. `user_agent` and
    `allow_private` default to the settings. `network` and `tls` replace what connects and what verifies.
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
        self._cookies = new_cookies()

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
        partial: bool = False,
    ) -> Fetched:
        """Fetch an absolute http(s) URL and follow redirects. Any HTTP status is a result.

        With `follow` false a redirect is a result, too: its checked `location`, and no body. `media_types` refuses a
        successful response of another declared type (not_html) before its body is read. `max_bytes` limits the decoded
        body, `deadline` the whole fetch in seconds. With `partial`, a body that is larger or breaks off is a result,
        and otherwise an error. Raises only FetchError for anything a server, a name or a URL can do.
        """
        size = self._limits.max_body_bytes if max_bytes is None else max_bytes

        async def hop(address: str) -> Fetched:
            return await self._hop(address, accept=accept, media_types=media_types, max_bytes=size, partial=partial)

        return await self._run(url, hop, follow=follow, deadline=deadline)

    async def get_page(
        self, url: str, *, max_bytes: int | None = None, deadline: float | None = None, follow: bool = True
    ) -> Fetched:
        """Fetch a web page as its visitors get it. Drafts and badge checks read every page so.

        Does what `get` does, refuses other types than HTML, reads a `partial` body, and also goes where a page
        sends its visitors (see `refresh_target`), unless `follow` is false.
        """
        size = self._limits.max_body_bytes if max_bytes is None else max_bytes

        async def hop(address: str) -> Fetched:
            fetched = await self._hop(
                address, accept=DEFAULT_ACCEPT, media_types=HTML_TYPES, max_bytes=size, partial=True
            )
            return fetched if fetched.location or not fetched.is_success else _with_refresh(fetched)

        return await self._run(url, hop, follow=follow, deadline=deadline)

    async def follow_redirects(self, url: str, hop: Callable[[str], Awaitable[Fetched]]) -> Fetched:
        """Return the response at the end of redirects and refreshes. `hop` fetches one URL with `follow` false.

        A page that moves to where it already was, or once too often, is the end, too. Raises what `hop` raises, and
        FetchError for a bad target and for too many redirects.
        """
        address = check_address(url, allow_private=self._allow_private)
        passed, seen = list[str](), set[tuple[str, str]]()
        while True:
            seen.add((address, self._cookies_for(address)))
            fetched = await hop(address)
            target = fetched.location
            is_full = len(passed) >= self._limits.max_redirects
            if fetched.refresh and not is_full:
                moves_to = redirect_address(fetched.url, fetched.refresh, allow_private=self._allow_private)
                target = "" if (moves_to, self._cookies_for(moves_to)) in seen else moves_to
            if not target:
                return replace(fetched, redirects=tuple(passed))
            if is_full:
                raise FetchError(FetchFailure.TOO_MANY_REDIRECTS)
            passed.append(address)
            address = target

    async def _run(
        self, url: str, hop: Callable[[str], Awaitable[Fetched]], *, follow: bool, deadline: float | None
    ) -> Fetched:
        try:
            async with asyncio.timeout(self._limits.deadline_seconds if deadline is None else deadline):
                return await (self.follow_redirects(url, hop) if follow else hop(url))
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
                body=(await read_start(response, max_bytes=max_bytes)).data,
                elapsed_ms=round((time.monotonic() - started_at) * 1000),
            )

    async def _hop(
        self, url: str, *, accept: str, media_types: Collection[str] | None, max_bytes: int, partial: bool
    ) -> Fetched:
        """Send one request. A redirect is a result with its checked target."""
        started_at = time.monotonic()
        address = check_address(url, allow_private=self._allow_private)
        async with self._answer(address, accept=accept, max_bytes=max_bytes, keeps_cookies=True) as response:
            location = _location(response)
            _refuse_type(response, media_types)
            target = "" if location is None else self._target(address, location)
            body = Body(b"") if target else await _read(response, max_bytes=max_bytes, partial=partial)
            return Fetched(
                url=address,
                status=response.status_code,
                headers=dict(response.headers.items()),
                content_type=media_type(response.headers.get("content-type", "")),
                body=body.data,
                elapsed_ms=round((time.monotonic() - started_at) * 1000),
                location=target,
                cut=body.cut,
            )

    def _target(self, address: str, location: str) -> str:
        return redirect_address(address, location, allow_private=self._allow_private)

    def _cookies_for(self, address: str) -> str:
        request = httpx2.Request("GET", address)
        self._cookies.set_cookie_header(request)
        return str(request.headers.get("cookie", ""))

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
        keeps_cookies: bool = False,
    ) -> AsyncIterator[httpx2.Response]:
        limits = self._limits
        sent = {
            "User-Agent": self._user_agent,
            "Accept": accept,
            "Accept-Encoding": "gzip, identity",
            **(headers or {}),
        }
        # The deadline of the fetch covers the rest.
        timeout = httpx2.Timeout(None, connect=limits.connect_seconds)
        extensions = {"timeout": timeout.as_dict()}
        request = httpx2.Request(method, address, headers=sent, content=content, extensions=extensions)
        if keeps_cookies:
            self._cookies.set_cookie_header(request)
        response = await self._transport.handle_async_request(request)
        try:
            if keeps_cookies:
                response.request = request
                keep_cookies(self._cookies, response)
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


async def _read(response: httpx2.Response, *, max_bytes: int, partial: bool) -> Body:
    if partial:
        return await read_start(response, max_bytes=max_bytes)
    return Body(await read_body(response, max_bytes=max_bytes))


def _with_refresh(fetched: Fetched) -> Fetched:
    refresh = refresh_target(
        fetched.body,
        content_type=fetched.headers.get("content-type", ""),
        page_url=fetched.url,
        header=fetched.headers.get("refresh", ""),
    )
    return replace(fetched, refresh=refresh) if refresh else fetched


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


def fetch_url(
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
    partial: bool = False,
) -> Fetched:
    """Fetch one URL from synchronous code, such as a task. See `SafeClient.get`."""

    async def fetch() -> Fetched:
        async with SafeClient(
            user_agent=user_agent, resolver=resolver, allow_private=allow_private, limits=limits
        ) as client:
            return await client.get(
                url, accept=accept, media_types=media_types, max_bytes=max_bytes, deadline=deadline, partial=partial
            )

    return asyncio.run(fetch())


def fetch_page(url: str, *, limits: Limits | None = None) -> Fetched:
    """Fetch one web page from synchronous code. See `SafeClient.get_page`."""

    async def fetch() -> Fetched:
        async with SafeClient(limits=limits) as client:
            return await client.get_page(url)

    return asyncio.run(fetch())
