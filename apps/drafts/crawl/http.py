"""The requests of one crawl: one at a time, with pauses, within 10 MB, and none that was answered within the hour."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from apps.core.fetch import HTML_TYPES, Fetched, FetchError, FetchFailure, SafeClient
from apps.drafts.crawl import response_cache
from apps.drafts.crawl.addresses import domain_key
from apps.drafts.crawl.response_cache import StoredAnswer
from apps.drafts.crawl.robots import MAX_DELAY_SECONDS

FETCH_SECONDS = 10.0
MAX_PAGE_BYTES = 2 * 1024 * 1024
MAX_SITE_BYTES = 10 * 1024 * 1024
# Packed; what a crawl reads beyond that is asked for again by the next one.
MAX_KEPT_BYTES = 2 * 1024 * 1024
MAX_REDIRECTS = 5
MAX_RETRIES = 2
RETRY_SECONDS = 0.5
MAX_RETRY_AFTER_SECONDS = 10
TOO_MANY_REQUESTS = 429

_XML = "application/xml,text/xml;q=0.9,*/*;q=0.5"


class CrawlClient:
    """Asks the websites of one crawl; what each of their addresses answered is kept for the next crawls."""

    def __init__(self, client: SafeClient, *, delay_seconds: float) -> None:
        self._client = client
        self._delay_seconds = delay_seconds
        self._free_at: dict[str, float] = {}
        self._bytes = 0
        self._room = MAX_KEPT_BYTES
        self._hops: dict[str, str] = {}

    @property
    def bytes_left(self) -> int:
        """How much the crawl may still read."""
        return max(MAX_SITE_BYTES - self._bytes, 0)

    def slow_down(self, seconds: float) -> None:
        """Leave at least so much time between two requests from now on."""
        self._delay_seconds = max(self._delay_seconds, seconds)

    async def get(
        self,
        url: str,
        *,
        html: bool = False,
        retries: int = MAX_RETRIES,
        check: Callable[[str], Awaitable[None]] | None = None,
    ) -> StoredAnswer:
        """The answer of an address, from the cache if it is there; raises FetchError.

        `check` is asked about each address that a redirect leads to, and raises if it is not to be followed.
        """
        answer = response_cache.load_answer(url)
        if answer is None:
            size = min(MAX_PAGE_BYTES, max(self.bytes_left, 1))
            try:
                answer = StoredAnswer.of(await self._follow(url, html=html, retries=retries, size=size, check=check))
            except FetchError as error:
                # What was too large only for the rest of this crawl's allowance is not so for the next.
                if error.code != FetchFailure.TOO_LARGE or size == MAX_PAGE_BYTES:
                    response_cache.store_failure(url, error)
                raise
            self._room -= response_cache.store_answer(url, answer, room=self._room)
        self._bytes += len(answer.body)
        return answer

    async def _follow(
        self, url: str, *, html: bool, retries: int, size: int, check: Callable[[str], Awaitable[None]] | None
    ) -> Fetched:
        """The answer at the end of an address's redirects, each of which is checked before it is followed."""
        seconds = FETCH_SECONDS
        for _ in range(MAX_REDIRECTS + 1):
            if url not in self._hops:
                fetched = await self._fetch(url, html=html, retries=retries, size=size, seconds=seconds)
                if not fetched.location:
                    return fetched
                seconds -= fetched.elapsed_ms / 1000
                self._hops[url] = fetched.location
            url = self._hops[url]
            if check is not None:
                await check(url)
        raise FetchError(FetchFailure.TOO_MANY_REDIRECTS)

    async def _fetch(self, url: str, *, html: bool, retries: int, size: int, seconds: float) -> Fetched:
        """One request at a time, with pauses, of at most `size` bytes; tried again only where that may help."""
        for attempt in range(retries + 1):
            await self._pause(url)
            try:
                if html:
                    fetched = await self._client.get(
                        url, media_types=HTML_TYPES, max_bytes=size, deadline=seconds, follow=False
                    )
                else:
                    fetched = await self._client.get(url, accept=_XML, max_bytes=size, deadline=seconds, follow=False)
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
        """Wait until the domain may be asked again, whichever crawl asked it last."""
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
    """Whether a server that answers with this status may answer otherwise soon."""
    return status == TOO_MANY_REQUESTS or status >= 500


def _retry_after(fetched: Fetched) -> float:
    """Seconds that the answer asks to wait, by number or date; what is neither counts as too long."""
    value = fetched.headers.get("retry-after", "0").strip()
    if value.isascii() and value.isdigit():
        return float(value[:6])
    try:
        at = parsedate_to_datetime(value[:100])
        return max((at.replace(tzinfo=at.tzinfo or UTC) - datetime.now(UTC)).total_seconds(), 0.0)
    except (ValueError, OverflowError):
        return MAX_RETRY_AFTER_SECONDS + 1
