"""What must be refused and what must be cut off, in one table, and that everything that fetches goes through it.

The words are those of the crawling design. Each row runs over real sockets on loopback: public addresses are led to a
server there, names are answered by a resolver that lies, and every dial is counted.
"""

import gzip
import math
import socket
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, NamedTuple

import httpcore2
import pytest
from oauth2_provider.cimd import CIMDError

from apps.accounts.oauth.documents import DocumentFetcher
from apps.core.errors import Unprocessable
from apps.core.fetch import FetchError, FetchFailure, Limits, SafeClient
from apps.core.pictures.reading import PictureRefused, read_square
from apps.drafts.crawl import http, response_cache, site_crawler
from apps.drafts.crawl.addresses import check_address
from apps.drafts.crawl.failures import CrawlError
from apps.drafts.crawl.sitemap import parse_sitemap
from apps.drafts.extraction.document.json_ld import load_documents
from apps.launches.badges.checks import State, find_badge
from tests.core.hostile_server import OK, PUBLIC, Handler, Server, answer, forever, serve
from tests.driven_loop import run

KIB = 1024
BAD, PRIVATE = FetchFailure.BAD_ADDRESS, FetchFailure.PRIVATE_ADDRESS
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
# An hour, of which drips skip a third each. An answer that does not drip ends by another limit.
SMALL = Limits(
    deadline_seconds=3600,
    connect_seconds=math.inf,
    max_body_bytes=32 * KIB,
    max_head_bytes=8 * KIB,
)
DRIP = 1200

REFUSED: dict[str, tuple[str, ...]] = {
    "127.1 and its decimal, octal and hex forms": (
        *("127.1", "127.0.1", "2130706433", "017700000001", "0177.0.0.1", "0x7f000001", "0x7f.1", "127.0.0.1"),
    ),
    "0": ("0", "0.0.0.0", "00", "0x0"),  # noqa: S104 - to be refused
    "localhost": ("localhost", "LOCALHOST", "localhost.", "a.localhost"),
    "127。0。0。1": ("127。0。0。1", "127．0．0．1", "①②⑦.⓪.⓪.①"),
    "[::1]": ("[::1]", "[0:0:0:0:0:0:0:1]"),
    "[::]": ("[::]",),
    "mapped and compatible forms": ("[::ffff:127.0.0.1]", "[::ffff:a00:1]", "[::127.0.0.1]", "[::ffff:0:127.0.0.1]"),
    "NAT64": ("[64:ff9b::7f00:1]", "[64:ff9b::169.254.169.254]", "[64:ff9b:1::1]"),
    "6to4": ("[2002:7f00:1::]", "[2002:a9fe:a9fe::1]"),
    "Teredo": ("[2001::7f00:1]", "[2001:0:4136:e378:8000:63bf:3fff:fdd2]"),
    "ULA": ("[fc00::1]", "[fd00:ec2::254]"),
    "link-local": ("[fe80::1]", "169.254.1.1"),
    "multicast": ("[ff02::1]", "239.255.255.255"),
    "169.254.169.254": ("169.254.169.254", "2852039166", "0xa9fea9fe"),
    "100.100.100.200": ("100.100.100.200",),
    "192.0.0.192": ("192.0.0.192",),
    "168.63.129.16": ("168.63.129.16",),
    "100.64/10": ("100.64.0.1", "100.127.255.255"),
    "198.18/15": ("198.18.0.1", "198.19.255.255"),
    "224/4": ("224.0.0.1",),
    "240/4": ("240.0.0.1", "255.255.255.255"),
    "documentation": ("[2001:db8::1]", "[3fff::1]", "192.0.2.1", "203.0.113.1"),
    "names with one private answer": ("lying.example", "late.example", "six.example"),
    "any userinfo": ("user@good.example", "user:word@good.example", "good.example@127.0.0.1"),
    "other ports": ("good.example:22", "good.example:8080", "good.example:65616"),
}
REFUSED_WHOLE = {
    "backslash": ("http://good.example\\@127.0.0.1/", "http:\\\\127.0.0.1/"),
    "control character": ("http://good.example/\r\nX: y", "http://good\t.example/", "http://good.example/\x00"),
    "other schemes": ("ftp://good.example/", "file:///etc/passwd", "gopher://good.example/", "unix:///run/x.sock"),
}
BOOK: dict[str, Sequence[str]] = {
    "good.example": (PUBLIC,),
    "lying.example": ("127.0.0.1", PUBLIC),
    "late.example": (PUBLIC, "169.254.169.254"),
    "six.example": (PUBLIC, "::ffff:10.0.0.1"),
}


class Attack(NamedTuple):
    """Whom to ask for what, and what the design calls it."""

    words: str
    url: str


ATTACKS = [
    *(Attack(words, f"https://{host}/") for words, hosts in REFUSED.items() for host in hosts),
    *(Attack(words, f"http://{hosts[0]}/") for words, hosts in REFUSED.items()),
    *(Attack(words, url) for words, urls in REFUSED_WHOLE.items() for url in urls),
]


def bomb(size: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    return b"".join(packer.compress(bytes(64 * KIB)) for _ in range(size // (64 * KIB))) + packer.flush()


def gzipped(body: bytes) -> Handler:
    return answer(HEAD + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(body), body)


LOOP = answer(b"HTTP/1.1 302 Found\r\nLocation: /\r\nConnection: close\r\n\r\n")
INSIDE = answer(b"HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/latest/\r\nContent-Length: 0\r\n\r\n")
MOVES_INSIDE = answer(HEAD + b"Refresh: 0; url=http://169.254.169.254/latest/\r\nContent-Length: 2\r\n\r\nok")
CUT_OFF: dict[str, tuple[Handler, set[FetchFailure]]] = {
    "redirect loops": (LOOP, {FetchFailure.TOO_MANY_REDIRECTS}),
    "body drips": (forever(HEAD + b"\r\n", b"x", skips=DRIP), {FetchFailure.TIMEOUT}),
    "header drips": (forever(HEAD, b"X: y\r\n", skips=DRIP), {FetchFailure.TIMEOUT}),
    "endless 1xx": (forever(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"), {FetchFailure.HEADERS_TOO_LARGE}),
    "endless chunks": (forever(CHUNKED, b"3e8\r\n" + b"x" * 1000 + b"\r\n"), {FetchFailure.TOO_LARGE}),
    "gzip bombs": (gzipped(bomb(8 * KIB * KIB)), {FetchFailure.TOO_LARGE}),
    "gzip bombs in gzip": (gzipped(gzip.compress(bomb(8 * KIB * KIB))), {FetchFailure.TOO_LARGE}),
}


class Dials:
    """Leads every dial to `server`, whatever address was asked for, and notes it."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.made: list[tuple[str, int]] = []


@contextmanager
def playground(handler: Handler, monkeypatch: pytest.MonkeyPatch) -> Iterator[Dials]:
    """A hostile server behind all public addresses, and a resolver that knows `BOOK` alone."""
    real_dial, real_lookup = httpcore2.AnyIOBackend.connect_tcp, socket.getaddrinfo
    with serve(handler) as server:
        dials = Dials(server)

        async def dial(self: Any, host: str, port: int, *args: Any, **kwargs: Any) -> Any:
            dials.made.append((host, port))
            return await real_dial(self, "127.0.0.1", server.port)

        def look_up(host: Any, port: Any, *args: Any, **kwargs: Any) -> Any:
            name = host.decode() if isinstance(host, bytes) else host
            if isinstance(name, str) and name.endswith(".example"):
                if name not in BOOK:
                    raise socket.gaierror("no such name")
                return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 0)) for address in BOOK[name]]
            return real_lookup(host, port, *args, **kwargs)

        with monkeypatch.context() as patches:
            patches.setattr(httpcore2.AnyIOBackend, "connect_tcp", dial)
            patches.setattr(socket, "getaddrinfo", look_up)
            yield dials


def plainly(url: str, *, is_page: bool = False) -> FetchFailure | None:
    """Fetch as the module itself does; the failure, or None for an answer."""

    async def get() -> None:
        async with SafeClient(limits=SMALL) as client:
            await (client.get_page(url) if is_page else client.get(url))

    try:
        run(get())
    except FetchError as error:
        return error.code
    return None


def as_a_draft(url: str) -> bool:
    """Whether a crawl read the page, from the check of what an owner sends on."""

    async def open_site(address: str) -> None:
        async with SafeClient() as client:
            await site_crawler.SiteCrawler(address, client=client, delay_seconds=0, seconds=math.inf).open()

    try:
        run(open_site(check_address(url)))
    except (Unprocessable, CrawlError):
        return False
    return True


def as_a_badge_check(url: str) -> bool:
    """Whether a badge check could look at the page."""
    listing: Any = SimpleNamespace(
        company=SimpleNamespace(website=url), site=SimpleNamespace(base_url="https://launch.example")
    )
    return find_badge(listing).state != State.UNKNOWN


def as_a_client_document(url: str) -> bool:
    """Whether a client's document was read."""
    try:
        DocumentFetcher().fetch(url)
    except CIMDError as error:
        # Fetched and then found to be no document is an answer as well.
        return "JSON" in str(error) or "answered" in str(error)
    return True


CALLERS: dict[str, Callable[[str], bool]] = {
    "drafts": as_a_draft,
    "badge checks": as_a_badge_check,
    "client documents": as_a_client_document,
}


@pytest.fixture(autouse=True)
def _without_waiting(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    monkeypatch.setattr(http, "RETRY_SECONDS", 0.0)
    monkeypatch.setattr(response_cache, "store_failure", lambda *_: None)
    settings.CRAWL_ALLOW_PRIVATE_HOSTS = frozenset()


@pytest.mark.parametrize("words", [*REFUSED, *REFUSED_WHOLE])
def test_refused_without_a_connection(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with playground(answer(OK), monkeypatch) as dials:
        outcomes = {attack.url: plainly(attack.url) for attack in ATTACKS if attack.words == words}

    assert len(outcomes) >= 2
    assert set(outcomes.values()) <= {BAD, PRIVATE}, outcomes
    assert dials.made == []
    assert dials.server.accepts == 0


@pytest.mark.parametrize("words", list(REFUSED))
def test_refused_at_the_hop(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for host in REFUSED[words]:
        location = f"http://{host}/".encode("ascii", "ignore" if host.isascii() else "xmlcharrefreplace")
        head = b"HTTP/1.1 302 Found\r\nLocation: " + location + b"\r\nContent-Length: 0\r\n\r\n"
        with playground(answer(head), monkeypatch) as dials:
            assert plainly("http://good.example/") in {BAD, PRIVATE}, host
        assert dials.made == [(PUBLIC, 80)], host
        assert dials.server.accepts == 1, host


@pytest.mark.parametrize("words", list(REFUSED))
def test_refused_where_a_page_moves_to(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for host in REFUSED[words]:
        tag = f'<meta http-equiv="refresh" content="0; url=http://{host}/">'.encode()
        page = HEAD.replace(b"html", b"html; charset=utf-8") + b"Content-Length: %d\r\n\r\n" % len(tag) + tag
        with playground(answer(page), monkeypatch) as dials:
            assert plainly("http://good.example/", is_page=True) in {BAD, PRIVATE}, host
        assert dials.made == [(PUBLIC, 80)], host


@pytest.mark.parametrize("words", list(CUT_OFF))
def test_cut_off_by_a_limit(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    handler, failures = CUT_OFF[words]
    with playground(handler, monkeypatch) as dials:
        assert plainly("http://good.example/") in failures

    assert 1 <= dials.server.accepts <= 6


@pytest.mark.db
@pytest.mark.parametrize("caller", list(CALLERS))
def test_everything_that_fetches_refuses_the_whole_table(caller: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with playground(answer(OK), monkeypatch) as dials:
        reached = [attack for attack in ATTACKS if CALLERS[caller](attack.url)]

    assert reached == []
    assert dials.made == []
    assert dials.server.accepts == 0


@pytest.mark.slow
@pytest.mark.db
@pytest.mark.parametrize("caller", list(CALLERS))
@pytest.mark.parametrize(
    "handler",
    [LOOP, INSIDE, MOVES_INSIDE, gzipped(bomb(8 * KIB * KIB))],
    ids=["loop", "inside", "moves inside", "bomb"],
)
def test_everything_that_fetches_is_cut_off(caller: str, handler: Handler, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over http where the caller takes it; a client's document is asked for over TLS alone, which ends as surely."""
    with playground(handler, monkeypatch) as dials:
        assert not CALLERS[caller](
            "https://good.example/client" if caller == "client documents" else "http://good.example/"
        )

    assert {address for address, _ in dials.made} == {PUBLIC}


ENTITIES = b'<?xml version="1.0"?><!DOCTYPE s [<!ENTITY a "aaaaaaaaaa">' + b"".join(
    b'<!ENTITY %c "%s">' % (letter + 1, b"&%c;" % letter * 10) for letter in range(ord("a"), ord("j"))
)
SITEMAP_BOMB = ENTITIES + b"]><urlset><url><loc>&j;</loc></url></urlset>"


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"@graph":'])
def test_deep_json_ld_gives_nothing(opening: str) -> None:
    assert load_documents(opening * 100_000) == []


def test_xml_bombs_in_sitemaps_give_nothing() -> None:
    assert parse_sitemap(SITEMAP_BOMB).pages == ()


def test_pictures_of_20_000_pixels_are_refused_by_their_head() -> None:
    header = b"IHDR" + struct.pack(">IIBBBBB", 20_000, 20_000, 8, 2, 0, 0, 0)
    picture = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))
    data = b"IDAT" + zlib.compress(bytes(1000))
    picture += struct.pack(">I", len(data) - 4) + data + struct.pack(">I", zlib.crc32(data))

    with pytest.raises(PictureRefused):
        read_square(picture, min_pixels=400, largest=512)
