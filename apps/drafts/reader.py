"""Reading one website politely: what robots.txt allows, one request at a time, within a minute and 10 MB.

A reader is driven in steps, so that its owner can keep the draft's row up to date between them.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Iterable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from apps.core.fetch import HTML_TYPES, Fetched, FetchError, FetchFailure, SafeClient
from apps.core.web_addresses import parts_of
from apps.drafts import failures, page_cache
from apps.drafts.addresses import domain_key
from apps.drafts.extraction import Answer, ReadPage, UnreadablePage, choose_posts, decode, recognise
from apps.drafts.extraction.addresses import absolute, page_key, same_site
from apps.drafts.extraction.choosing import Choice, plan_pages
from apps.drafts.extraction.recognition import Reason
from apps.drafts.page_cache import StoredAnswer
from apps.drafts.robots import MAX_BYTES as MAX_ROBOTS_BYTES
from apps.drafts.robots import MAX_DELAY_SECONDS, Robots, parse_robots
from apps.drafts.sitemap import parse_sitemap

AGENT = "SlipwayBot"
SITE_SECONDS = 60.0
FETCH_SECONDS = 10.0
MAX_PAGES = 8
MAX_PAGE_BYTES = 2 * 1024 * 1024
MAX_SITE_BYTES = 10 * 1024 * 1024
MAX_REDIRECTS = 5
MAX_RETRIES = 2
RETRY_SECONDS = 0.5
MAX_RETRY_AFTER_SECONDS = 10
MAX_SITEMAPS = 2

_XML = "application/xml,text/xml;q=0.9,*/*;q=0.5"
_TOO_MANY_REQUESTS = 429
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


class MovedAwayError(Exception):
    """The home page leads to `address` on another domain, which may be read once its crawl is this one."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


class _PassedOverError(Exception):
    """A page is not used; the text says why."""


class SiteReader:
    """Reads the home page with `open`, then one page more with each `read_next`; `pages` holds what was read.

    `outcomes` tells of each page that was planned and came to its turn `{url, kind, reason}`, the reason empty when it
    was used.
    """

    def __init__(self, url: str, *, client: SafeClient, delay_seconds: float, seconds: float = SITE_SECONDS) -> None:
        self.url = url
        self.pages: list[ReadPage] = []
        self.outcomes: list[dict[str, str]] = []
        self.done = 0
        self.planned = 0
        self._client = client
        self._delay_seconds = delay_seconds
        self._ends_at = time.monotonic() + seconds
        self._free_at: dict[str, float] = {}
        self._bytes = 0
        self._queue: list[Choice] = []
        self._robots: dict[str, Robots] = {}
        self._hops: dict[str, str] = {}
        self._entered = {domain_key(url)}

    @property
    def home_url(self) -> str:
        """Where the address led; the home page must have been read."""
        return self.pages[0].url

    def enter(self, domain: str) -> None:
        """Let `open`, called again, go on where it met MovedAwayError: this crawl has the domain now."""
        self._entered.add(domain)

    async def open(self) -> None:
        """Read robots.txt, the home page and the sitemap, and plan the rest; raises CrawlError and MovedAwayError."""
        home = Choice("home", 0.0, self.url)
        try:
            async with asyncio.timeout(self._seconds_left):
                await self._read_home()
        except TimeoutError:
            failure = failures.too_slow()
            self._note(home, failure.message)
            raise failure from None
        except failures.CrawlError as failure:
            self._note(home, failure.message)
            raise
        self._note(home)
        try:
            async with asyncio.timeout(self._seconds_left):
                await self._plan()
        except TimeoutError:
            self._queue.clear()
        self.done = 1
        self.planned = 1 + len(self._queue)

    async def read_next(self) -> bool:
        """Read the next planned page, or pass over it when it cannot be used; False when there is nothing to do."""
        if self._bytes >= MAX_SITE_BYTES:
            self._leave_rest(failures.NO_ROOM)
        if not self._queue:
            return False
        choice = self._queue.pop(0)
        try:
            async with asyncio.timeout(self._seconds_left):
                await self._read_page(choice.address)
        except TimeoutError:
            self._note(choice, failures.NO_TIME)
            self._leave_rest(failures.NO_TIME)
            return False
        except _PassedOverError as reason:
            self._note(choice, str(reason))
            self.done += 1
            return True
        self._note(choice)
        self.done += 1
        self._plan_posts()
        return True

    @property
    def _seconds_left(self) -> float:
        return max(self._ends_at - time.monotonic(), 0.0)

    def _note(self, choice: Choice, reason: str = "") -> None:
        self.outcomes.append({"url": choice.address, "kind": choice.kind, "reason": reason})

    def _leave_rest(self, reason: str) -> None:
        for choice in self._queue:
            self._note(choice, reason)
        self._queue.clear()

    async def _read_home(self) -> None:
        await self._check_home(self.url)
        try:
            answer = await self._get(self.url, html=True, check=self._check_home)
        except FetchError as error:
            raise failures.of_fetch(error) from None
        # What comes from the cache has met its redirects an hour ago.
        await self._check_home(answer.url)
        page = _open(answer)
        if not isinstance(page, ReadPage):
            raise failures.of_recognition(page, answer.status)
        self.pages.append(page)

    async def _check_home(self, address: str) -> None:
        """Raises MovedAwayError and CrawlError when the address is not to be asked for in search of the home page."""
        if domain_key(address) not in self._entered:
            raise MovedAwayError(address)
        if not (await self._robots_of(address)).allows(address):
            raise failures.robots_forbids()

    async def _plan(self) -> None:
        home = self.pages[0]
        chosen = plan_pages(home.document.root, home.url)
        if len(chosen) < MAX_PAGES:
            chosen = plan_pages(home.document.root, home.url, await self._sitemap_addresses())
        self._queue = chosen[:MAX_PAGES]

    async def _read_page(self, address: str) -> None:
        """Add a page to those read; raises _PassedOverError."""
        try:
            await self._check_page(address)
            answer = await self._get(address, html=True, check=self._check_page)
        except FetchError as error:
            is_for_room = error.code == FetchFailure.TOO_LARGE and MAX_SITE_BYTES - self._bytes < MAX_PAGE_BYTES
            raise _PassedOverError(failures.NO_ROOM if is_for_room else failures.passed_over_for(error)) from None
        if answer.status == _TOO_MANY_REQUESTS:
            self._leave_rest(failures.ENOUGH)
            raise _PassedOverError(failures.ENOUGH)
        await self._check_page(answer.url)
        page = _open(answer)
        if not isinstance(page, ReadPage):
            raise _PassedOverError(failures.passed_over_as(page, answer.status))
        self.pages.append(page)

    async def _check_page(self, address: str) -> None:
        """Raises _PassedOverError when the address is not to be asked for in search of a page of this site."""
        if not same_site(address, self.home_url):
            raise _PassedOverError(failures.ELSEWHERE)
        if page_key(address) in {page_key(page.url) for page in self.pages}:
            raise _PassedOverError(failures.KNOWN)
        try:
            robots = await self._robots_of(address)
        except failures.CrawlError:
            raise _PassedOverError(failures.NO_ROBOTS) from None
        if not robots.allows(address):
            raise _PassedOverError(failures.FORBIDDEN)

    def _plan_posts(self) -> None:
        """After a blog that shows no days, plan some of its posts, as far as places are left."""
        planned = {page_key(waiting.address) for waiting in self._queue}
        posts = [post for post in choose_posts(self.pages) if page_key(post) not in planned]
        places = max(MAX_PAGES + 1 - self.planned, 0)
        self._queue += [Choice("post", 0.0, post) for post in posts[:places]]
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
            try:
                await self._check_page(address)
                answer = await self._get(address, retries=0, check=self._check_page)
            except (FetchError, _PassedOverError):
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
        if _is_passing(answer.status):
            raise failures.of_robots_status(answer.status)
        return answer.body[:MAX_ROBOTS_BYTES].decode("utf-8", "replace") if answer.status == 200 else ""

    async def _get(
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
        answer = page_cache.load_answer(url)
        if answer is None:
            size = min(MAX_PAGE_BYTES, max(MAX_SITE_BYTES - self._bytes, 1))
            try:
                answer = StoredAnswer.of(await self._follow(url, html=html, retries=retries, size=size, check=check))
            except FetchError as error:
                # What was too large only for the rest of this crawl's allowance is not so for the next.
                if error.code != FetchFailure.TOO_LARGE or size == MAX_PAGE_BYTES:
                    page_cache.store_failure(url, error)
                raise
            page_cache.store_answer(url, answer)
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
                if attempt == retries or not _is_passing(fetched.status) or wait > MAX_RETRY_AFTER_SECONDS:
                    return fetched
            finally:
                self._begin_pause(url)
            await asyncio.sleep(max(wait, RETRY_SECONDS * 2**attempt * random.uniform(0.5, 1.5)))  # noqa: S311 - jitter, no secret
        raise AssertionError("the last attempt returns or raises")

    async def _pause(self, url: str) -> None:
        """Wait until the domain may be asked again, whichever crawl asked it last."""
        domain = domain_key(url)
        if domain not in self._free_at:
            wait = page_cache.load_pause(domain) if self._delay_seconds else 0.0
            self._free_at[domain] = time.monotonic() + min(wait, MAX_DELAY_SECONDS)
        await asyncio.sleep(self._free_at[domain] - time.monotonic())

    def _begin_pause(self, url: str) -> None:
        domain = domain_key(url)
        self._free_at[domain] = time.monotonic() + self._delay_seconds
        if self._delay_seconds:
            page_cache.store_pause(domain, self._delay_seconds)


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


def _is_passing(status: int) -> bool:
    return status == _TOO_MANY_REQUESTS or status >= 500


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
