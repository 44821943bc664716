"""How many websites a minute, five real pages each, beside Scrapy on the same local server in the same run.

Ours works with two processes, as two of a worker's do: robots.txt, the home page, the sitemap (which is not there) and
the four pages that it leads to, one request at a time, without the pauses between them. `reading` is fetching, parsing,
telling error pages from others, the facts of each page, and the cache; `drafts` is the whole job from a draft's row to
its proposal. Scrapy reads the same pages in its own way: `facts` with the same facts from them, `plain` with a few CSS
selectors in their place. Rounds take turns, and their medians count; nobody's start counts, nor the first website of
each of our processes, with which it loads what is loaded once.

With `--polite` only drafts are measured, with the default pauses: one website at a time in each process, as many as a
crawler's slots, which read other websites while one pauses, and as many as one owner of many websites gets.

usage: python -m tests.benchmarks.crawling [--sites 96] [--rounds 3] [--scrapy PYTHON | --polite]
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.benchmarks.database import empty_database
from tests.benchmarks.playing import websites
from tests.faults.processes import Process, started

PAGES_A_SITE = 5
PROCESSES = 2
_SCRAPY = str(Path(__file__).with_name("crawling_scrapy.py"))


@contextmanager
def workers(count: int) -> Iterator[list[Process]]:
    """Processes that wait for a line of JSON `{what, ids or urls}`, work through it, and answer with a line."""
    command = [sys.executable, "-m", "tests.benchmarks.crawling", "--worker"]
    with ExitStack() as stack:
        yield [
            stack.enter_context(started(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)) for _ in range(count)
        ]


def work() -> None:
    """What a worker process does until its input ends."""
    import asyncio

    import django

    django.setup()
    from apps.core.fetch import SafeClient
    from apps.drafts.crawl import job
    from apps.drafts.crawl.site_crawler import SiteCrawler

    async def read(urls: Sequence[str]) -> int:
        pages = 0
        for url in urls:
            async with SafeClient() as client:
                reader = SiteCrawler(url, client=client, delay_seconds=0.0)
                await reader.open()
                while await reader.read_next():
                    pass
            pages += len([page.facts for page in reader.pages])
        return pages

    def draft(ids: Sequence[int], threads: int) -> int:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(job.run, ids))
        return len(ids) * PAGES_A_SITE

    for line in sys.stdin:
        wanted = json.loads(line)
        pages = asyncio.run(read(wanted["urls"])) if "urls" in wanted else draft(wanted["ids"], wanted["threads"])
        sys.stdout.write(f"{pages}\n")
        sys.stdout.flush()


def by_us(name: str, parts: Sequence[Sequence[object]], *, threads: int = 1) -> float:
    """Seconds that two processes take, each for its part; all pages must have been read."""
    with workers(len(parts)) as running:
        told = _tell(running, name, [part[:1] for part in parts], threads)
        began = time.monotonic()
        told += _tell(running, name, [part[1:] for part in parts], threads)
        seconds = time.monotonic() - began
    assert told == PAGES_A_SITE * sum(len(part) for part in parts), told
    return seconds


def _tell(running: Sequence[Process], name: str, parts: Sequence[Sequence[object]], threads: int) -> int:
    """Let each process do its part at the same time; returns the pages of all."""
    for process, part in zip(running, parts, strict=True):
        assert process.stdin is not None
        process.stdin.write(json.dumps({name: list(part), "threads": threads}) + "\n")
        process.stdin.flush()
    return sum(int(process.stdout.readline()) for process in running if process.stdout)


def read_sites(port: int, sites: int) -> float:
    """Seconds to read the sites' pages and their facts."""
    _forget()
    urls = [f"http://site{number}.localhost:{port}/" for number in range(sites + PROCESSES)]
    return by_us("urls", [urls[part::PROCESSES] for part in range(PROCESSES)])


def draft_sites(port: int, sites: int, *, threads: int = 1, has_one_owner: bool = False) -> float:
    """Seconds to bring a draft of each site to its proposal."""
    from apps.drafts.models import Draft
    from tests.drafts.factories import DraftFactory
    from tests.factories import UserFactory

    _forget()
    Draft.objects.all().delete()
    urls = [f"http://site{number}.localhost:{port}/" for number in range(sites + PROCESSES)]
    owner = {"owner": UserFactory.create()} if has_one_owner else {}
    ids = [DraftFactory.create(url=url, **owner).pk for url in urls]
    seconds = by_us("ids", [ids[part::PROCESSES] for part in range(PROCESSES)], threads=threads)
    drafts = Draft.objects.filter(pk__in=ids)
    assert {draft.status for draft in drafts} == {"ready"}, [
        (d.url, d.error_message) for d in drafts if d.error_message
    ]
    assert {len([page for page in draft.pages_read if not page["reason"]]) for draft in drafts} == {PAGES_A_SITE}
    return seconds


def scrape_sites(port: int, sites: int, *, python: str, what: str, processes: int = 1) -> float:
    """Seconds that Scrapy takes, without its start; the longest of its processes counts."""
    size = sites // processes
    running = [
        subprocess.Popen(
            [python, _SCRAPY, str(port), str(part * size), str(size), what], stdout=subprocess.PIPE, text=True
        )
        for part in range(processes)
    ]
    told = [json.loads(process.communicate()[0]) for process in running]
    assert sum(one["pages"] for one in told) == sites * PAGES_A_SITE, told
    return float(max(one["seconds"] for one in told))


def _forget() -> None:
    from django.core.cache import cache

    cache.clear()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sites", type=int, default=96)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--scrapy", default=sys.executable, help="a Python that has Scrapy (the extra `benchmark`)")
    parser.add_argument("--polite", action="store_true", help="measure drafts with the default pauses")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        work()
        return
    with websites("tests.benchmarks.websites") as port:
        allowed = ",".join(f"site{number}.localhost:{port}" for number in range(options.sites + PROCESSES))
        settings = {"CRAWL_ALLOW_PRIVATE_HOSTS": allowed, "LOG_LEVEL": "ERROR"}
        settings |= {} if options.polite else {"CRAWL_DELAY_SECONDS": "0"}
        with empty_database(PUBLIC_BASE_URL="http://127.0.0.1:8000", **settings):
            (measure_polite if options.polite else measure)(port, options)


def measure_polite(port: int, options: argparse.Namespace) -> None:
    """Print the medians of drafts with pauses: one website at a time, a crawler's slots, and one owner."""
    from django.conf import settings

    from apps.drafts.models import SHARED_CRAWLS

    slots = settings.CRAWL_THREADS * 3 // 4
    ways = {
        "one at a time": (1, 2 * PROCESSES, False),
        "all slots": (slots, options.sites, False),
        "one owner": (SHARED_CRAWLS // PROCESSES, options.sites // 2, True),
    }
    rates: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(options.rounds):
        for name, (threads, sites, has_one_owner) in ways.items():
            seconds = draft_sites(port, sites, threads=threads, has_one_owner=has_one_owner)
            rates[name].append(60 * sites / seconds)
    for name, values in rates.items():
        rate, first = statistics.median(values), statistics.median(rates["one at a time"])
        sys.stdout.write(
            f"{name:<14} {ways[name][0]:2} in each of {PROCESSES} processes {rate:7.0f} sites a minute   "
            f"{rate / first:5.2f} of one at a time\n"
        )


def measure(port: int, options: argparse.Namespace) -> None:
    """Let all take turns, and print their medians."""
    ways: dict[str, Callable[[], float]] = {
        "reading, 2 processes": lambda: read_sites(port, options.sites),
        "scrapy, facts": lambda: scrape_sites(port, options.sites, python=options.scrapy, what="facts"),
        "drafts, 2 processes": lambda: draft_sites(port, options.sites),
        "scrapy, plain": lambda: scrape_sites(port, options.sites, python=options.scrapy, what="plain"),
        "scrapy, facts, twice": lambda: scrape_sites(
            port, options.sites, python=options.scrapy, what="facts", processes=2
        ),
    }
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(options.rounds):
        for name, way in ways.items():
            seconds[name].append(way())
    rates = {name: 60 * options.sites / statistics.median(values) for name, values in seconds.items()}
    for name, rate in rates.items():
        ratio = rate / rates["scrapy, facts"]
        sys.stdout.write(f"{name:<22} {rate:7.0f} sites a minute   {ratio:5.2f} of Scrapy with the same facts\n")
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    sys.stdout.write(f"load averages {load} on {os.cpu_count()} processors\n")


if __name__ == "__main__":
    main()
