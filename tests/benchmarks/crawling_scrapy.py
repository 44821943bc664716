"""The same websites read by Scrapy: the home page and the four it leads to, robots.txt obeyed, facts of each taken.

usage: PYTHON-WITH-SCRAPY tests/benchmarks/crawling_scrapy.py PORT FIRST COUNT facts|plain   (writes JSON)
"""

import importlib
import json
import socket
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

# Only the benchmark has it: types are checked without.
scrapy: Any = importlib.import_module("scrapy")
crawler: Any = importlib.import_module("scrapy.crawler")

PORT, FIRST, COUNT = (int(word) for word in sys.argv[1:4])
WHAT = sys.argv[4]
sys.path.insert(0, str(Path(__file__).parents[2]))
_system = socket.getaddrinfo


def _loopback(host: Any, *rest: Any, **options: Any) -> Any:
    return _system("127.0.0.1" if str(host).endswith(".localhost") else host, *rest, **options)


class Sites:
    """The home page of each website, and the pages it leads to."""

    crawler: Any
    pages = 0

    async def start(self) -> Any:
        for number in range(FIRST, FIRST + COUNT):
            yield scrapy.Request(f"http://site{number}.localhost:{PORT}/", callback=self.parse_home)

    def parse_home(self, response: Any) -> Iterator[Any]:
        yield self.facts(response)
        for href in response.css("a::attr(href)").getall():
            yield response.follow(href, callback=self.parse_page)

    def parse_page(self, response: Any) -> Iterator[Any]:
        yield self.facts(response)

    def facts(self, response: Any) -> dict[str, Any]:
        self.pages += 1
        return self.same_facts(response) if WHAT == "facts" else self.plain_facts(response)

    def same_facts(self, response: Any) -> dict[str, Any]:
        """What our reader takes of each page, by the same functions."""
        from apps.drafts.extraction import Answer, ReadPage, decode, why_unusable

        kind = response.headers["Content-Type"].decode()
        text = decode(response.body, content_type=kind)
        page = ReadPage.of_text(text, body=response.body, url=response.url)
        reason = why_unusable(Answer(response.status, kind, text), root=page.document.root)
        return {"url": response.url, "reason": reason, **page.facts.values()}

    def plain_facts(self, response: Any) -> dict[str, Any]:
        """As much as a plain spider takes: what pages declare of themselves, and their headings."""
        return {
            "url": response.url,
            "title": response.css("title::text").get(),
            "description": response.css("meta[name=description]::attr(content)").get(),
            "og": {
                meta.attrib.get("property"): meta.attrib.get("content")
                for meta in response.css("meta[property^='og:']")
            },
            "icon": response.css("link[rel~=icon]::attr(href)").get(),
            "h1": response.css("h1::text").getall(),
            "json_ld": response.css("script[type='application/ld+json']::text").getall(),
        }

    def closed(self, reason: str) -> None:
        seconds = (datetime.now(UTC) - self.crawler.stats.get_value("start_time")).total_seconds()
        sys.stdout.write(json.dumps({"pages": self.pages, "seconds": seconds, "reason": reason}) + "\n")


if __name__ == "__main__":
    socket.getaddrinfo = _loopback
    socket.gethostbyname = lambda host: "127.0.0.1" if host.endswith(".localhost") else host
    process = crawler.CrawlerProcess(
        {
            "ROBOTSTXT_OBEY": True,
            "CONCURRENT_REQUESTS": 32,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
            "DOWNLOAD_DELAY": 0,
            "LOG_LEVEL": "ERROR",
            "TELNETCONSOLE_ENABLED": False,
        }
    )
    process.crawl(type("Spider", (Sites, scrapy.Spider), {"name": "sites"}))
    process.start()
