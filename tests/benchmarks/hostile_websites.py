"""A process that plays websites whose pages are made to cost their readers memory or time, up to every limit.

Each website `siteN.localhost` has an honest home page that leads to eight hostile ones, or every fifth time a hostile
home page; every ninth has a robots.txt or sitemap that is a bomb.

usage: python -m tests.benchmarks.hostile_websites   (writes its port, ends with its standard input)
"""

import asyncio
import gzip
import random
import re
import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache

PATHS = ("/about", "/pricing", "/faq", "/team", "/blog", "/contact", "/docs", "/changelog")
FULL = 2 * 1024 * 1024 - 20_000
_TEXT = "Acme reads the time sheets of your team and writes one invoice for each client, on the day it was promised. "
_HEAD = "<html lang=en><head><title>Acme</title></head><body><h1>Acme</h1>" + f"<p>{_TEXT * 5}</p>"
_SITE = re.compile(rb"(?i)\r\nhost: site(\d+)\.")


def _filled(piece: str, size: int = FULL) -> str:
    return _HEAD + piece * ((size - len(_HEAD)) // len(piece))


def _nested(tags: str, depth: int) -> str:
    return _HEAD + tags * depth


def _ld(body: str) -> str:
    return f'{_HEAD}<script type="application/ld+json">{body}</script>'


KINDS: dict[str, Callable[[], str]] = {
    "elements": lambda: _filled("<p>x</p>", 149_000 * 8),
    "formatting": lambda: _nested("<b><i>", 120_000),
    "just-deep-enough": lambda: _nested("<div>", 1500),
    "attributes": lambda: _HEAD + "<p " + " ".join(f"a{number}" for number in range(100_000)) + ">",
    "many-attributes": lambda: _filled("<p " + " ".join(f"a{number}=x" for number in range(900)) + ">"),
    "text": lambda: _filled("word "),
    "one-word": lambda: _HEAD + "x" * (FULL - 1000),
    "anchors": lambda: _filled('<a href="/blog/post">Introducing Acme two</a>', 1_900_000),
    "metas": lambda: _filled('<meta property="og:title" content="x y">', 1_900_000),
    "questions": lambda: _filled("<details><summary>Is it free?</summary><p>Yes it is.</p></details>", 1_900_000),
    "headings": lambda: _filled("<h2>What is it?</h2><p>It is this.</p>", 1_900_000),
    "prices": lambda: _filled("<div class=price><h3>Pro</h3>$9 a month</div>", 1_900_000),
    "hidden-prices": lambda: _filled("<h2>Pricing</h2><p>$9 a month, billed yearly</p><div hidden>", 60_000),
    "times": lambda: _filled(
        '<article><h2>News of Acme</h2><time datetime="2024-01-02">then</time></article>', 1_900_000
    ),
    "microdata": lambda: _filled(
        '<div itemscope itemtype="https://schema.org/Person"><b itemprop=name>A B</b>', 60_000
    ),
    "wide-microdata": lambda: _filled('<i itemscope itemtype="https://schema.org/Person"><b itemprop=name>A B</b></i>'),
    "classes": lambda: _filled('<i class="author byline team price faq">x y</i>', 1_900_000),
    "deep-json": lambda: _ld("[" * 100_000 + "]" * 100_000),
    "wide-json": lambda: _ld("[" + ",".join(['{"@type":"Organization","name":"x","sameAs":["y"]}'] * 30_000) + "]"),
    "long-json": lambda: _ld('{"@type":"FAQPage","name":"' + "x" * 1_900_000 + '"}'),
    "pictures": lambda: _filled('<img src="/a.png" width=900 height=600 alt="Acme screenshot">', 1_900_000),
    "entities": lambda: _filled("&amp;&#120;&lt;", 1_900_000),
    "comments": lambda: _filled("<!-- - -- > -->", 1_900_000),
    "angles": lambda: _filled("<", 1_900_000),
    "tables": lambda: _nested("<table><tr><td>", 40_000),
    "mails": lambda: _filled("a@acme.example ", 1_900_000),
    "days": lambda: _filled("<h3>January 2, 2024</h3><ul><li>Acme was made faster</li></ul>", 1_900_000),
}
_NAMES = sorted(KINDS)


@cache
def hostile(name: str) -> bytes:
    """Return the page of this kind as sent, compressed, because that costs servers little."""
    return gzip.compress(KINDS[name]().encode(), 1)


@cache
def _bomb() -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    return b"".join([*(packer.compress(bytes(1024 * 1024)) for _ in range(200)), packer.flush()])


@cache
def _noise() -> bytes:
    chance = random.Random(1)  # noqa: S311 - bytes that cannot be packed, no secret
    return _HEAD.encode() + chance.randbytes(FULL - len(_HEAD))


_ROBOTS = "".join(f"User-agent: a{n}\n" for n in range(400)) + "".join(f"Disallow: /x{n}\n" for n in range(20_000))
_SITEMAP = "<urlset>" + "<url><loc>/about</loc></url>" * 70_000 + "</urlset>"
_ENTITIES = (
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
    + "]><urlset><url><loc>&j;</loc></url></urlset>"
)


def body_of(site: int, path: str) -> tuple[bytes, bool] | None:
    """What a website says at a path, and whether it is packed."""
    if path == "/robots.txt":
        return (_ROBOTS.encode(), False) if site % 9 == 0 else (b"", False)
    if path == "/sitemap.xml":
        return ((_SITEMAP if site % 2 else _ENTITIES).encode(), False) if site % 9 in (1, 2) else None
    if path == "/" and site % 5:
        links = "".join(f'<a href="{one}">{one[1:].capitalize()}</a> ' for one in PATHS)
        return (_HEAD + links).encode(), False
    turn = site * len(PATHS) + (PATHS.index(path) if path in PATHS else 3)
    if turn % 29 == 28:
        return (_bomb(), True) if site % 2 else (_noise(), False)
    return hostile(_NAMES[turn % len(_NAMES)]), True


def _answer(head: bytes) -> bytes:
    path = head.split(b" ", 2)[1].decode("latin-1")
    result = _SITE.search(head)
    said = body_of(int(result[1]), path) if result else None
    if said is None:
        return b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n"
    packed = b"Content-Encoding: gzip\r\n" if said[1] else b""
    kind = b"text/html" if path not in ("/robots.txt", "/sitemap.xml") else b"text/plain"
    return b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\n%sContent-Length: %d\r\n\r\n%s" % (
        kind,
        packed,
        len(said[0]),
        said[0],
    )


async def _converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError, asyncio.IncompleteReadError):
        while True:
            writer.write(_answer(await reader.readuntil(b"\r\n\r\n")))
            await writer.drain()
    writer.close()


async def main() -> None:
    server = await asyncio.start_server(_converse, "127.0.0.1", 0)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
