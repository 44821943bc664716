"""A process that plays any number of websites of five real pages each, quickly enough not to be what is measured.

Of each website `siteN.localhost` the home page leads to four others; all are pages of tests.real_pages in turn.

usage: python -m tests.benchmarks.websites   (writes its port, ends with its standard input)
"""

import asyncio
import re
import sys
from contextlib import suppress
from functools import cache

from tests.real_pages import real_pages

PATHS = ("/", "/about", "/pricing", "/faq", "/team")
_PAGES = 48
_NAV = (
    b'<nav><a href="/about">About us</a> <a href="/pricing">Pricing</a> <a href="/faq">FAQ</a> '
    b'<a href="/team">Team</a></nav>'
)
_BODY = re.compile(rb"<body[^>]*>", re.IGNORECASE)
_LINKS = re.compile(rb"(?i)<a\b[^>]*>|</a>|<base\b[^>]*>|<!--.*?-->", re.DOTALL)
_SITE = re.compile(rb"(?i)\r\nhost: site(\d+)\.")


@cache
def page(site: int, path: str) -> bytes | None:
    """The HTML of a website's page, without the links and comments it came with, so that all read the same five."""
    if path not in PATHS:
        return None
    pages = real_pages(_PAGES)
    html = _LINKS.sub(b"", pages[(site * len(PATHS) + PATHS.index(path)) % len(pages)])
    if path != "/":
        return html
    result = _BODY.search(html)
    return html[: result.end()] + _NAV + html[result.end() :] if result else _NAV + html


def _answer(head: bytes) -> bytes:
    path = head.split(b" ", 2)[1].decode("latin-1")
    result = _SITE.search(head)
    body = page(int(result[1]) % _PAGES, path) if result else None
    if path == "/robots.txt":
        status, kind, body = b"200 OK", b"text/plain", b"User-agent: *\nDisallow: /private\n"
    elif body is None:
        status, kind, body = b"404 Not Found", b"text/html", b"<h1>Not found</h1>"
    else:
        status, kind = b"200 OK", b"text/html"
    return b"HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s" % (status, kind, len(body), body)


async def _converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError, asyncio.IncompleteReadError):
        while True:
            writer.write(_answer(await reader.readuntil(b"\r\n\r\n")))
            await writer.drain()
    writer.close()


async def main() -> None:
    for site in range(_PAGES):
        for path in PATHS:
            page(site, path)
    server = await asyncio.start_server(_converse, "127.0.0.1", 0, backlog=1000)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
