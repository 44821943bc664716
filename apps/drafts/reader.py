"""Reading one website politely: what robots.txt allows, one request at a time, within a minute and 10 MB.

A reader is driven in steps, so that its owner can keep the draft's row up to date between them.
"""

import asyncio
import random
import time
from collections.abc import Iterable

from apps.core.fetch import HTML_TYPES, Fetched, FetchError, FetchFailure, SafeClient
from apps.core.web_addresses import parts_of
from apps.drafts import failures, page_cache
from apps.drafts.extraction import Answer, ReadPage, UnreadablePage, choose_pages, choose_posts, decode, recognise
from apps.drafts.extraction.addresses import absolute, page_key, same_site
from apps.drafts.extraction.recognition import Reason
from apps.drafts.page_cache import StoredAnswer
from apps.drafts.robots import MAX_BYTES as MAX_ROBOTS_BYTES
from apps.drafts.robots import Robots, parse_robots
from apps.drafts.sitemap import parse_sitemap

AGENT = "SlipwayBot"
SITE_SECONDS = 60.0
FETCH_SECONDS = 10.0
MAX_PAGES = 8
MAX_PAGE_BYTES = 2 * 1024 * 1024
MAX_SITE_BYTES = 10 * 1024 * 1024
MAX_RETRIES = 2
RETRY_SECONDS = 0.5
MAX_RETRY_AFTER_SECONDS = 10
MAX_SITEMAPS = 2

_XML = "application/xml,text/xml;q=0.9,*/*;q=0.5"
_PASSING_STATUS = frozenset({429, 500, 502, 503, 504})
# RFC 9309: a robots.txt that cannot be asked for forbids everything, one that is not there allows everything.
_NO_ANSWER = frozenset(
    {
        FetchFailure.UNREACHABLE,
        FetchFailure.TIMEOUT,
        FetchFailure.PRIVATE_ADDRESS,
        FetchFailure.BAD_ADDRESS,
        FetchFailure.TOO_LARGE,
    }
)


class SiteReader:
    """Reads the home page with `open`, then one page more with each `read_next`; `pages` holds what was read."""

    def __init__(self, url: str, *, client: SafeClient, delay_seconds: float, seconds: float = SITE_SECONDS) -> None:
        self.url = url
        self.pages: list[ReadPage] = []
        self.done = 0
        self.planned = 0
        self._client = client
        self._delay_seconds = delay_seconds
        self._ends_at = time.monotonic() + seconds
        self._free_at = 0.0
        self._bytes = 0
        self._queue: list[str] = []
        self._robots: dict[str, Robots] = {}

    @property
    def home_url(self) -> str:
        """Where the address led; the home page must have been read."""
        return self.pages[0].url

    async def open(self) -> None:
        """Read robots.txt, the home page and the sitemap, and plan the rest; raises CrawlError."""
        try:
            async with asyncio.timeout(self._seconds_left):
                await self._read_home()
        except TimeoutError:
            raise failures.too_slow() from None
        try:
            async with asyncio.timeout(self._seconds_left):
                await self._plan()
        except TimeoutError:
            self._queue.clear()
        self.done = 1
        self.planned = 1 + len(self._queue)

    async def read_next(self) -> bool:
        """Read the next planned page, or pass over it when it cannot be used; False when there is nothing to do."""
        if not self._queue or self._bytes >= MAX_SITE_BYTES:
            return False
        address = self._queue.pop(0)
        known = len(self.pages)
        try:
            async with asyncio.timeout(self._seconds_left):
                await self._read_page(address)
        except TimeoutError:
            return False
        self.done += 1
        if len(self.pages) > known:
            self._plan_posts()
        return True

    @property
    def _seconds_left(self) -> float:
        return max(self._ends_at - time.monotonic(), 0.0)

    async def _read_home(self) -> None:
        if not (await self._robots_of(self.url)).allows(self.url):
            raise failures.robots_forbids()
        try:
            answer = await self._get(self.url, html=True)
        except FetchError as error:
            raise failures.of_fetch(error) from None
        if not (await self._robots_of(answer.url)).allows(answer.url):
            raise failures.robots_forbids()
        page = _open(answer)
        if not isinstance(page, ReadPage):
            raise failures.of_recognition(page, answer.status)
        self.pages.append(page)

    async def _plan(self) -> None:
        home = self.pages[0]
        chosen = choose_pages(home.document.root, home.url)
        if len(chosen) < MAX_PAGES:
            chosen = choose_pages(home.document.root, home.url, await self._sitemap_addresses())
        self._queue = chosen[:MAX_PAGES]

    async def _read_page(self, address: str) -> None:
        try:
            if not (await self._robots_of(address)).allows(address):
                return
            answer = await self._get(address, html=True)
        except (FetchError, failures.CrawlError):
            return
        known = {page_key(page.url) for page in self.pages}
        if not same_site(answer.url, self.home_url) or page_key(answer.url) in known:
            return
        page = _open(answer)
        if isinstance(page, ReadPage):
            self.pages.append(page)

    def _plan_posts(self) -> None:
        """After a blog that shows no days, plan some of its posts, as far as places are left."""
        planned = {page_key(waiting) for waiting in self._queue}
        posts = [post for post in choose_posts(self.pages) if page_key(post) not in planned]
        self._queue += posts[: max(MAX_PAGES + 1 - self.planned, 0)]
        self.planned = self.done + len(self._queue)

    async def _sitemap_addresses(self) -> list[str]:
        """Pages named by the site's sitemaps; one that is an index leads to one more."""
        robots = await self._robots_of(self.home_url)
        queue = self._sound(robots.sitemaps)[:MAX_SITEMAPS] or self._sound(["/sitemap.xml"])
        found: list[str] = []
        for _ in range(MAX_SITEMAPS):
            if not queue:
                break
            address = queue.pop(0)
            if not robots.allows(address):
                continue
            try:
                answer = await self._get(address, retries=0)
            except FetchError:
                continue
            if answer.status == 200:
                sitemap = parse_sitemap(answer.body)
                found += sitemap.pages
                queue += _pages_first(self._sound(sitemap.sitemaps))
        return found

    def _sound(self, addresses: Iterable[str]) -> list[str]:
        """Those of a file's addresses that are sound and lie on this site; files of strangers hold anything."""
        joined = (absolute(address, self.home_url) for address in addresses)
        return [address for address in joined if address and same_site(address, self.home_url)]

    async def _robots_of(self, url: str) -> Robots:
        """The rules for an address; raises CrawlError when they cannot be asked for."""
        origin = "://".join(parts_of(url)[:2])
        if origin not in self._robots:
            text = page_cache.load_robots(origin)
            if text is None:
                text = await self._fetch_robots(origin)
                page_cache.store_robots(origin, text)
            self._robots[origin] = parse_robots(text, agent=AGENT)
            self._delay_seconds = max(self._delay_seconds, self._robots[origin].delay_seconds)
        return self._robots[origin]

    async def _fetch_robots(self, origin: str) -> str:
        try:
            answer = await self._get(f"{origin}/robots.txt")
        except FetchError as error:
            if error.code in _NO_ANSWER:
                raise failures.of_robots(error) from None
            return ""
        if answer.status in _PASSING_STATUS or answer.status >= 500:
            raise failures.of_robots_status(answer.status)
        return answer.body[:MAX_ROBOTS_BYTES].decode("utf-8", "replace") if answer.status == 200 else ""

    async def _get(self, url: str, *, html: bool = False, retries: int = MAX_RETRIES) -> StoredAnswer:
        """The answer of an address, from the cache if it is there; raises FetchError."""
        answer = page_cache.load_answer(url)
        if answer is None:
            size = min(MAX_PAGE_BYTES, max(MAX_SITE_BYTES - self._bytes, 1))
            try:
                answer = StoredAnswer.of(await self._fetch(url, html=html, retries=retries, size=size))
            except FetchError as error:
                # What was too large only for the rest of this crawl's allowance is not so for the next.
                if error.code != FetchFailure.TOO_LARGE or size == MAX_PAGE_BYTES:
                    page_cache.store_failure(url, error)
                raise
            page_cache.store_answer(url, answer)
        self._bytes += len(answer.body)
        return answer

    async def _fetch(self, url: str, *, html: bool, retries: int, size: int) -> Fetched:
        """One request at a time, with pauses, of at most `size` bytes; tried again only where that may help."""
        for attempt in range(retries + 1):
            await asyncio.sleep(self._free_at - time.monotonic())
            try:
                if html:
                    fetched = await self._client.get(
                        url, media_types=HTML_TYPES, max_bytes=size, deadline=FETCH_SECONDS
                    )
                else:
                    fetched = await self._client.get(url, accept=_XML, max_bytes=size, deadline=FETCH_SECONDS)
            except FetchError as error:
                if attempt == retries or not error.retryable:
                    raise
                wait = 0
            else:
                wait = _retry_after(fetched)
                if attempt == retries or fetched.status not in _PASSING_STATUS or wait > MAX_RETRY_AFTER_SECONDS:
                    return fetched
            finally:
                self._free_at = time.monotonic() + self._delay_seconds
            await asyncio.sleep(max(wait, RETRY_SECONDS * 2**attempt * random.uniform(0.5, 1.5)))  # noqa: S311 - jitter, no secret
        raise AssertionError("the last attempt returns or raises")


def _open(answer: StoredAnswer) -> ReadPage | Reason:
    """The page, or why there is nothing to be read on it."""
    fetched = Answer(answer.status, answer.content_type, decode(answer.body, content_type=answer.content_type))
    try:
        page = ReadPage.open(answer.body, url=answer.url, content_type=answer.content_type)
    except UnreadablePage:
        return recognise(fetched) or "not_html"
    return recognise(fetched, root=page.document.root) or page


def _pages_first(sitemaps: Iterable[str]) -> list[str]:
    """Sitemaps of an index, those first that by their name list pages rather than posts or products."""
    return sorted(sitemaps, key=lambda address: "page" not in parts_of(address).path.lower())


def _retry_after(fetched: Fetched) -> int:
    """Seconds that the answer asks to wait; a date counts as too long."""
    value = fetched.headers.get("retry-after", "0").strip()
    return int(value) if value.isascii() and value.isdigit() and len(value) < 6 else MAX_RETRY_AFTER_SECONDS + 1
