"""HTTP requests of one crawl: sequential, with pauses, at most 10 MB, and cached for an hour."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from apps.core.fetch import FETCH_SECONDS, Fetched, FetchError, FetchFailure, SafeClient
from apps.drafts.crawl import response_cache
from apps.drafts.crawl.addresses import domain_key
from apps.drafts.crawl.response_cache import StoredAnswer
from apps.drafts.crawl.robots import MAX_DELAY_SECONDS

MAX_PAGE_BYTES = 2 * 1024 * 1024
MAX_SITE_BYTES = 10 * 1024 * 1024
# Compressed size. What a crawl reads beyond it is requested again by the next crawl.
MAX_CACHED_BYTES = 2 * 1024 * 1024
MAX_RETRIES = 2
RETRY_SECONDS = 0.5
MAX_RETRY_AFTER_SECONDS = 10
TOO_MANY_REQUESTS = 429

_XML = "application/xml,text/xml;q=0.9,*/*;q=0.5"


class CrawlClient:
    """Fetches the pages of one crawl, and caches each response for the next crawls."""

    def __init__(self, client: SafeClient, *, delay_seconds: float) -> None:
        self._client = client
        self._delay_seconds = delay_seconds
        self._free_at: dict[str, float] = {}
        self._bytes = 0
        self._room = MAX_CACHED_BYTES
        self._hops: dict[str, Fetched] = {}

    @property
    def bytes_left(self) -> int:
        """Return how many bytes the crawl may still read."""
        return max(MAX_SITE_BYTES - self._bytes, 0)

    def slow_down(self, seconds: float) -> None:
        """Wait at least this long between two requests from now on."""
        self._delay_seconds = max(self._delay_seconds, seconds)

    async def get(
        self,
        url: str,
        *,
        html: bool = False,
        retries: int = MAX_RETRIES,
        check: Callable[[str], Awaitable[None]] | None = None,
    ) -> StoredAnswer:
        """Return the response of a URL, from the cache if possible. Raises FetchError.

        `html` reads a web page as `SafeClient.get_page` does. `check` is called with each URL that redirects and
        refreshes lead to, and raises if it must not be followed.
        """
        answer = response_cache.load_answer(url)
        if answer is None:
            try:
                fetched, size = await self._follow(url, html=html, retries=retries, check=check)
            except FetchError as error:
                response_cache.store_failure(url, error)
                raise
            # A response that exceeds only what is left of this crawl's allowance may fit the next crawl's.
            if fetched.cut == FetchFailure.TOO_LARGE and size < MAX_PAGE_BYTES:
                raise FetchError(FetchFailure.TOO_LARGE)
            answer = StoredAnswer.of(fetched)
            self._room -= response_cache.store_answer(url, answer, room=self._room)
        else:
            self._bytes += len(answer.body)
        return answer

    async def _follow(
        self, url: str, *, html: bool, retries: int, check: Callable[[str], Awaitable[None]] | None
    ) -> tuple[Fetched, int]:
        """Return the response at the end of a URL's redirects, each checked before it is followed.

        Also returns how many bytes its body could have.
        """
        seconds, size = FETCH_SECONDS, 0
        passed: set[str] = set()

        async def hop(address: str) -> Fetched:
            nonlocal seconds, size
            if passed and check is not None:
                await check(address)
            # One that was passed before may lead elsewhere, now that a cookie is set.
            fetched = self._hops.get(address) if address not in passed else None
            passed.add(address)
            if fetched is None:
                size = min(MAX_PAGE_BYTES, max(self.bytes_left, 1))
                fetched = await self._fetch(address, html=html, retries=retries, size=size, seconds=seconds)
                seconds -= fetched.elapsed_ms / 1000
                self._bytes += len(fetched.body)
                if fetched.location or fetched.refresh:
                    self._hops[address] = fetched
            return fetched

        return await self._client.follow_redirects(url, hop), size

    async def _fetch(self, url: str, *, html: bool, retries: int, size: int, seconds: float) -> Fetched:
        """Send one request at a time, with pauses, and read at most `size` bytes. Retries only where that may help."""
        for attempt in range(retries + 1):
            await self._pause(url)
            try:
                if html:
                    fetched = await self._client.get_page(url, max_bytes=size, deadline=seconds, follow=False)
                else:
                    fetched = await self._client.get(
                        url, accept=_XML, max_bytes=size, deadline=seconds, follow=False, partial=True
                    )
            except FetchError as error:
                if attempt == retries or not error.retryable:
                    raise
                wait = 0.0
            else:
                wait = _retry_after(fetched)
                if attempt == retries or not is_temporary(fetched.status) or wait > MAX_RETRY_AFTER_SECONDS:
                    return fetched
            finally:
                self._begin_pause(url)
            await asyncio.sleep(max(wait, RETRY_SECONDS * 2**attempt * random.uniform(0.5, 1.5)))  # noqa: S311 - jitter, no secret
        raise AssertionError("the last attempt returns or raises")

    async def _pause(self, url: str) -> None:
        """Wait until the domain may be requested again, whichever crawl requested it last."""
        domain = domain_key(url)
        if domain not in self._free_at:
            wait = response_cache.load_pause(domain) if self._delay_seconds else 0.0
            self._free_at[domain] = time.monotonic() + min(wait, MAX_DELAY_SECONDS)
        await asyncio.sleep(self._free_at[domain] - time.monotonic())

    def _begin_pause(self, url: str) -> None:
        domain = domain_key(url)
        self._free_at[domain] = time.monotonic() + self._delay_seconds
        if self._delay_seconds:
            response_cache.store_pause(domain, self._delay_seconds)


def is_temporary(status: int) -> bool:
    """Return whether a server that answers with this status may soon answer differently."""
    return status == TOO_MANY_REQUESTS or status >= 500


def _retry_after(fetched: Fetched) -> float:
    """Return the seconds that a Retry-After value asks to wait. An unreadable value counts as too long."""
    value = fetched.headers.get("retry-after", "0").strip()
    if value.isascii() and value.isdigit():
        return float(value[:6])
    try:
        at = parsedate_to_datetime(value[:100])
        return max((at.replace(tzinfo=at.tzinfo or UTC) - datetime.now(UTC)).total_seconds(), 0.0)
    except (ValueError, OverflowError):
        return MAX_RETRY_AFTER_SECONDS + 1
