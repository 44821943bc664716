"""Read one website politely: obey robots.txt, one request at a time, within a minute and 10 MB.

A crawler runs in steps, so that the job can update the draft between them.
"""

import asyncio
import time
from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from typing import NamedTuple

from apps.core.fetch import WHY_CUT, FetchError, FetchFailure, SafeClient
from apps.core.web.urls import parts_of
from apps.drafts.crawl import failures, response_cache
from apps.drafts.crawl.addresses import domain_key
from apps.drafts.crawl.http import MAX_PAGE_BYTES, TOO_MANY_REQUESTS, CrawlClient, is_temporary
from apps.drafts.crawl.response_cache import StoredAnswer
from apps.drafts.crawl.robots import Robots, parse_robots, read_robots
from apps.drafts.crawl.sitemap import parse_sitemap
from apps.drafts.extraction import (
    Answer,
    ReadPage,
    SiteFile,
    UnreadablePage,
    choose_posts,
    decode,
    is_what_it_says,
    why_unusable,
)
from apps.drafts.extraction.document.addresses import absolute, page_key, same_site
from apps.drafts.extraction.site.page_choice import Choice, plan_pages
from apps.drafts.extraction.site.site_files import MANIFEST, PATHS
from apps.drafts.extraction.site.unusable_pages import Reason, needs_javascript

AGENT = "SlipwayBot"
SITE_SECONDS = 60.0
MAX_PAGES = 8
# Compressed, and cached for a day. The next crawl requests the rules of further hosts again.
MAX_CACHED_ROBOTS_BYTES = 64 * 1024
MAX_SITEMAPS = 2

# RFC 9309: an unreachable robots.txt forbids everything, a missing one allows everything.
_NO_ANSWER = frozenset(
    {
        FetchFailure.UNREACHABLE,
        FetchFailure.TIMEOUT,
        FetchFailure.PRIVATE_ADDRESS,
        FetchFailure.BAD_ADDRESS,
        FetchFailure.TOO_LARGE,
        FetchFailure.HEADERS_TOO_LARGE,
        FetchFailure.BAD_RESPONSE,
    }
)


class MovedAwayError(Exception):
    """The home page redirects to `address` on another domain. The crawl must lease that domain first."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


class _SkippedError(Exception):
    """The page is not used. The message says why."""


class SiteCrawler:
    """Reads the home page with `open`, then one page or file with each `read_next`. `pages` and `files` hold them.

    `outcomes` has `{url, kind, reason}` for each planned page that was reached. The reason is empty if it was used.
    """

    def __init__(self, url: str, *, client: SafeClient, delay_seconds: float, seconds: float = SITE_SECONDS) -> None:
        self.url = url
        self.pages: list[ReadPage] = []
        self.files: list[SiteFile] = []
        self.outcomes: list[dict[str, str]] = []
        self.done = 0
        self.planned = 0
        self._client = CrawlClient(client, delay_seconds=delay_seconds)
        self._ends_at = time.monotonic() + seconds
        self._robots_room = MAX_CACHED_ROBOTS_BYTES
        self._queue: list[Choice] = []
        self._file_paths = list(PATHS)
        self._manifest = ""
        self._robots: dict[str, Robots] = {}
        self._allowed_domains = {domain_key(url)}

    @property
    def home_url(self) -> str:
        """The final URL of the home page, which must have been read."""
        return self.pages[0].url

    def allow_domain(self, domain: str) -> None:
        """Let the next `open` continue past a MovedAwayError, because this crawl has leased the domain."""
        self._allowed_domains.add(domain)

    def allows(self, address: str) -> bool:
        """Return whether the rules that were read allow a URL. Other hosts, such as those of pictures, have none."""
        robots = self._robots.get("://".join(parts_of(address)[:2]))
        return robots is None or robots.allows(address)

    async def open(self) -> None:
        """Read robots.txt, the home page and the sitemap, and plan the rest. Raises CrawlError and MovedAwayError."""
        home = Choice("home", 0.0, self.url)
        try:
            async with asyncio.timeout(self._seconds_left):
                await self._read_home()
        except TimeoutError:
            failure = failures.too_slow()
            self._record(home, failure.message)
            raise failure from None
        except failures.CrawlError as failure:
            self._record(home, failure.message)
            raise
        self._record(home)
        try:
            async with asyncio.timeout(self._seconds_left):
                await self._plan()
        except TimeoutError:
            self._queue.clear()
        self.done = 1
        self.planned = 1 + len(self._queue)

    async def read_next(self) -> bool:
        """Read or skip the next planned page, or file after the pages. Returns false when none is left."""
        if not self._client.bytes_left:
            self._skip_rest(failures.NO_ROOM)
        if not self._queue:
            return await self._read_next_file()
        choice = self._queue.pop(0)
        try:
            async with asyncio.timeout(self._seconds_left):
                await self._read_page(choice.address)
        except TimeoutError:
            self._record(choice, failures.NO_TIME)
            self._skip_rest(failures.NO_TIME)
            return False
        except _SkippedError as reason:
            self._record(choice, str(reason))
            self.done += 1
            return True
        self._record(choice)
        self.done += 1
        self._plan_posts()
        return True

    async def _read_next_file(self) -> bool:
        """Ask for the next file that sites keep for programs. Most have none, so this is no page of the progress."""
        if not self._file_paths:
            return False
        path = self._file_paths.pop(0)
        try:
            async with asyncio.timeout(self._seconds_left):
                await self._read_file(path)
        except TimeoutError:
            self._file_paths.clear()
        except (FetchError, _SkippedError):
            pass
        return True

    async def _read_file(self, path: str) -> None:
        """Add a file to those read, if it is what its path says. Raises FetchError and _SkippedError."""
        address = self._manifest if path == MANIFEST else absolute(path, self.home_url) or ""
        await self._check_page(address)
        answer = await self._client.get(address, retries=0, check=self._check_page)
        if answer.status == TOO_MANY_REQUESTS:
            self._file_paths.clear()
        if answer.status != 200:
            return
        await self._check_page(answer.url)
        text = decode(answer.body, content_type=answer.content_type)
        file = SiteFile(path, answer.url, sha256(answer.body).hexdigest(), text)
        if is_what_it_says(file):
            self.files.append(file)

    @property
    def _seconds_left(self) -> float:
        return max(self._ends_at - time.monotonic(), 0.0)

    def _record(self, choice: Choice, reason: str = "") -> None:
        self.outcomes.append({"url": choice.address, "kind": choice.kind, "reason": reason})

    def _skip_rest(self, reason: str) -> None:
        for choice in self._queue:
            self._record(choice, reason)
        self._queue.clear()
        self._file_paths.clear()

    async def _read_home(self) -> None:
        await self._check_home(self.url)
        try:
            answer = await self._client.get(self.url, html=True, check=self._check_home)
        except FetchError as error:
            raise failures.from_fetch(error) from None
        # The redirects of a cached response were checked up to an hour ago.
        await self._check_home(answer.url)
        try:
            page = _open(answer, is_home=True)
        except UnreadablePage as problem:
            raise failures.from_unreadable(problem) from None
        if isinstance(page, _Unusable):
            raise failures.from_unusable(page.reason, answer.status, cut=page.cut)
        self.pages.append(page)
        self._plan_manifest(page)

    def _plan_manifest(self, home: ReadPage) -> None:
        """Ask for an app's manifest if its home page says nothing else without JavaScript."""
        self._manifest = next((address for _, address, _ in home.document.links_as("manifest")), "")
        if self._manifest and needs_javascript(home.document):
            self._file_paths.append(MANIFEST)

    async def _check_home(self, address: str) -> None:
        """Check a URL on the way to the home page. Raises MovedAwayError and CrawlError."""
        if domain_key(address) not in self._allowed_domains:
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
        """Add a page to those read. Raises _SkippedError."""
        try:
            await self._check_page(address)
            answer = await self._client.get(address, html=True, check=self._check_page)
        except FetchError as error:
            is_for_room = error.code == FetchFailure.TOO_LARGE and self._client.bytes_left < MAX_PAGE_BYTES
            raise _SkippedError(failures.NO_ROOM if is_for_room else failures.skipped_for_fetch(error)) from None
        if answer.status == TOO_MANY_REQUESTS:
            self._skip_rest(failures.ENOUGH)
            raise _SkippedError(failures.ENOUGH)
        await self._check_page(answer.url)
        try:
            page = _open(answer, is_home=False)
        except UnreadablePage as problem:
            raise _SkippedError(failures.skipped_as_unreadable(problem)) from None
        if isinstance(page, _Unusable):
            raise _SkippedError(failures.skipped_as_unusable(page.reason, answer.status, cut=page.cut))
        self.pages.append(page)

    async def _check_page(self, address: str) -> None:
        """Check a URL on the way to another page of this site. Raises _SkippedError."""
        if not same_site(address, self.home_url):
            raise _SkippedError(failures.ELSEWHERE)
        if page_key(address) in {page_key(page.url) for page in self.pages}:
            raise _SkippedError(failures.KNOWN)
        try:
            robots = await self._robots_of(address)
        except failures.CrawlError:
            raise _SkippedError(failures.NO_ROBOTS) from None
        if not robots.allows(address):
            raise _SkippedError(failures.FORBIDDEN)

    def _plan_posts(self) -> None:
        """After a blog that shows no dates, plan some of its posts while there is room."""
        planned = {page_key(waiting.address) for waiting in self._queue}
        posts = [post for post in choose_posts(self.pages) if page_key(post) not in planned]
        places = max(MAX_PAGES + 1 - self.planned, 0)
        self._queue += [Choice("post", 0.0, post) for post in posts[:places]]
        self.planned = self.done + len(self._queue)

    async def _sitemap_addresses(self) -> list[str]:
        """Return the pages in the site's sitemaps. From a sitemap index, one sitemap is read."""
        robots = await self._robots_of(self.home_url)
        queue = self._own_addresses(robots.sitemaps)[:MAX_SITEMAPS] or self._own_addresses(["/sitemap.xml"])
        result: list[str] = []
        for _ in range(MAX_SITEMAPS):
            if not queue:
                break
            address = queue.pop(0)
            try:
                await self._check_page(address)
                answer = await self._client.get(address, retries=0, check=self._check_page)
            except (FetchError, _SkippedError):
                continue
            if answer.status == 200:
                sitemap = parse_sitemap(answer.body, content_type=answer.content_type)
                result += self._own_addresses(sitemap.pages, base=answer.url)
                queue += _pages_first(self._own_addresses(sitemap.sitemaps, base=answer.url))
        return result

    def _own_addresses(self, addresses: Iterable[str], *, base: str = "") -> list[str]:
        """Return the URLs of a file that are valid and on this site. Files of strangers can contain anything."""
        joined = (absolute(address, base or self.home_url) for address in addresses)
        return [address for address in joined if address and same_site(address, self.home_url)]

    async def _robots_of(self, url: str) -> Robots:
        """Return the rules for a URL. Raises CrawlError when robots.txt can't be fetched."""
        origin = "://".join(parts_of(url)[:2])
        if origin not in self._robots:
            text = response_cache.load_robots(origin)
            if text is None:
                text = await self._fetch_robots(origin)
                self._robots_room -= response_cache.store_robots(origin, text, room=self._robots_room)
            self._robots[origin] = parse_robots(text, agent=AGENT)
            self._client.slow_down(self._robots[origin].delay_seconds)
        return self._robots[origin]

    async def _fetch_robots(self, origin: str) -> str:
        try:
            answer = await self._client.get(f"{origin}/robots.txt")
        except FetchError as error:
            if error.code in _NO_ANSWER:
                raise failures.from_robots(error) from None
            return ""
        if is_temporary(answer.status):
            raise failures.from_robots_status(answer.status)
        if answer.status != 200:
            return ""
        if answer.cut == FetchFailure.BAD_RESPONSE:
            # The rules that are missing could forbid anything.
            raise failures.from_robots(FetchError(FetchFailure.BAD_RESPONSE))
        return read_robots(answer.body, content_type=answer.content_type)


class _Unusable(NamedTuple):
    """Why a page can't be used, and why its end is missing if it is."""

    reason: Reason
    cut: str


def _open(answer: StoredAnswer, *, is_home: bool) -> ReadPage | _Unusable:
    """Return the page, or why it is unusable. Raises UnreadablePage for HTML without elements.

    A home page that needs JavaScript is read on, because its head and the site's files may say what it doesn't.
    """
    fetched = Answer(answer.status, answer.content_type, decode(answer.body, content_type=answer.content_type))
    cut = WHY_CUT[FetchFailure(answer.cut)] if answer.cut else ""
    try:
        page = ReadPage.of_text(fetched.text, body=answer.body, url=answer.url)
    except UnreadablePage:
        reason = why_unusable(fetched, is_home=is_home)
        if reason == "not_html" and cut:
            reason = "too_thin"
        if reason is None or reason == "not_html":
            raise
        return _Unusable(reason, cut)
    reason = why_unusable(fetched, root=page.document.root, is_home=is_home)
    cut = cut or page.cut
    if reason is not None and not (is_home and reason == "needs_javascript"):
        return _Unusable(reason, cut)
    return replace(page, cut=cut)


def _pages_first(sitemaps: Iterable[str]) -> list[str]:
    """Return an index's sitemaps, with those first whose names suggest pages rather than posts or products."""
    return sorted(sitemaps, key=lambda address: "page" not in parts_of(address).path.lower())
