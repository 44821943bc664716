"""Pages as their visitors get them: cookies, refreshes, all encodings, and the first part of what is too large."""

import asyncio
import gzip
import zlib
from collections.abc import Callable
from functools import partial
from typing import Any

import brotli
import pytest
import zstandard

from apps.core.fetch import Fetched, FetchError, FetchFailure, Limits, SafeClient
from apps.core.fetch.body import decode_body
from tests.core.hostile_server import LeadingTo, Names, answer, serve
from tests.driven_loop import run, skip

PUBLIC = "93.184.215.14"
PAGE = b"<!doctype html><title>Acme</title>" + b"<p>Invoices that write themselves.</p>" * 50
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
KIB = 1024


def bare(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def zstd(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


ENCODED: dict[str, tuple[bytes, str]] = {
    "gzip": (gzip.compress(PAGE), "gzip"),
    "its old name in capitals": (gzip.compress(PAGE), " X-GZIP "),
    "several members": (gzip.compress(PAGE[:99]) + gzip.compress(PAGE[99:]) + bytes(100), "gzip"),
    "zlib": (zlib.compress(PAGE), "deflate"),
    "bare deflate": (bare(PAGE), "deflate"),
    "brotli": (brotli.compress(PAGE), "br"),
    "zstd": (zstd(PAGE), "zstd"),
    "several frames": (zstd(PAGE[:99]) + zstd(PAGE[99:]), "zstd"),
    "a stream of zstd": (zstandard.ZstdCompressor(write_content_size=False).compress(PAGE), "zstd"),
    "stacked": (gzip.compress(brotli.compress(PAGE)), "br, gzip"),
    "stacked otherwise": (brotli.compress(zstd(PAGE)), "zstd,br"),
    "twice": (gzip.compress(gzip.compress(PAGE)), "gzip, gzip"),
    "labelled twice": (gzip.compress(PAGE), "gzip, gzip"),
    "with identity": (gzip.compress(PAGE), "gzip, identity"),
    "with identity several times": (brotli.compress(PAGE), "br, identity, , identity, identity"),
    "no label": (gzip.compress(PAGE), ""),
    "no label for zstd": (zstd(PAGE), ""),
    "wrong label": (gzip.compress(PAGE), "br"),
    "zlib with a wrong label": (zlib.compress(PAGE), "gzip"),
    "label without encoding": (PAGE, "gzip"),
    "another label without encoding": (PAGE, "br"),
    "a third label without encoding": (PAGE, "zstd"),
    "a set of characters": (PAGE, "utf-8"),
    "none": (PAGE, "none"),
    "empty": (PAGE, ""),
    "no checksum": (gzip.compress(PAGE)[:-8], "gzip"),
    "a wrong checksum": (gzip.compress(PAGE)[:-8] + b"12345678", "gzip"),
}


@pytest.mark.parametrize("case", ENCODED)
def test_a_page_is_read_in_every_encoding(case: str) -> None:
    data, encoding = ENCODED[case]
    assert decode_body(data, encoding=encoding, max_bytes=64 * KIB) == (PAGE, None)


def test_a_page_is_read_in_an_encoding_that_was_not_asked_for() -> None:
    for encoding in ("br", "deflate", "zstd"):
        data = next(data for data, label in ENCODED.values() if label == encoding)
        fetched, _ = read(partial(lambda sent, _: sent, response(data, f"Content-Encoding: {encoding}")))
        assert (fetched.body, fetched.cut) == (PAGE, None)


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress, brotli.compress])
def test_a_stream_that_breaks_off_is_read_as_far_as_it_goes(pack: Callable[[bytes], bytes]) -> None:
    page = b"".join(b"<p>%d</p>" % (number * number) for number in range(9000))
    packed = pack(page)
    encoding = {gzip.compress: "gzip", zlib.compress: "deflate", brotli.compress: "br"}[pack]
    body = decode_body(packed[: len(packed) // 2], encoding=encoding, max_bytes=10 * len(page))
    assert body.cut is FetchFailure.BAD_RESPONSE
    assert len(body.data) > len(page) // 8
    assert page.startswith(body.data)


@pytest.mark.parametrize("encoding", ["br", "gzip", "deflate", "zstd", "br, gzip", "compress", "x-unknown"])
def test_bytes_that_are_neither_encoded_nor_text_are_refused(encoding: str) -> None:
    with pytest.raises(FetchError) as refusal:
        decode_body(bytes(range(32)) * 9, encoding=encoding, max_bytes=64 * KIB)
    assert refusal.value.code is FetchFailure.BAD_RESPONSE


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "gzip, gzip", "zstd, br"])
def test_no_bomb_is_unfolded(encoding: str) -> None:
    data = bytes(64 * KIB * KIB)
    for coding in encoding.split(", "):
        pack: Any = {
            "gzip": gzip.compress,
            "deflate": zlib.compress,
            "br": lambda one: brotli.compress(one, quality=5),
            "zstd": zstd,
        }
        data = pack[coding](data)
    assert len(decode_body(data, encoding=encoding, max_bytes=64 * KIB).data) < 512 * KIB


def response(body: bytes = b"", *headers: str, status: str = "200 OK") -> bytes:
    lines = [
        f"HTTP/1.1 {status}",
        "Content-Type: text/html",
        f"Content-Length: {len(body)}",
        "Connection: close",
        *headers,
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def redirect(location: str, *headers: str) -> bytes:
    return response(b"", f"Location: {location}", *headers, status="302 Found")


def moving(content: str, *headers: str) -> bytes:
    return response(f'<meta http-equiv="refresh" content="{content}">'.encode(), *headers)


class Request:
    """What a website is asked: host, path, and the cookies that came along."""

    def __init__(self, head: bytes) -> None:
        first, *lines = head.decode().splitlines()
        fields = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        self.url = f"{fields['host']}{first.split()[1]}"
        self.cookie = fields.get("cookie", "")


def read(
    respond: Callable[[Request], bytes],
    *,
    url: str = "http://acme.example/",
    limits: Limits | None = None,
    times: int = 1,
) -> tuple[Fetched, list[Request]]:
    """Read a page of websites that all live on one server. Returns the last response and all requests."""
    requests: list[Request] = []

    async def converse(reader: Any, writer: Any) -> None:
        requests.append(Request(server.requests[-1]))
        writer.write(respond(requests[-1]))

    with serve(converse) as server:
        names = Names({name: [[PUBLIC]] for name in HOSTS})
        network = LeadingTo(server)

        async def run() -> Fetched:
            async with SafeClient(
                user_agent="Test", resolver=names, allow_private=frozenset(), network=network, limits=limits
            ) as client:
                for _ in range(times - 1):
                    await client.get_page(url)
                return await client.get_page(url)

        return asyncio.run(run()), requests


HOSTS = ("acme.example", "www.acme.example", "other.example", "acme.co.uk", "other.co.uk", "acme.github.io")


@pytest.mark.parametrize("name", ["seen", "consent"])
def test_a_redirect_to_the_same_address_may_set_a_cookie_first(name: str) -> None:
    def respond(request: Request) -> bytes:
        if request.cookie == f"{name}=1":
            return response(PAGE)
        return redirect("/", f"Set-Cookie: {name}=1; Path=/; HttpOnly; SameSite=Lax")

    fetched, requests = read(respond)
    assert (fetched.body, fetched.url, len(requests)) == (PAGE, "http://acme.example/", 2)


def test_a_wall_on_the_way_may_set_a_cookie() -> None:
    def respond(request: Request) -> bytes:
        if request.url == "acme.example/age?ok":
            return redirect("/", "Set-Cookie: country=de", "Set-Cookie: age=18; Max-Age=60")
        return response(PAGE) if request.cookie == "country=de; age=18" else redirect("/age?ok")

    assert read(respond)[0].body == PAGE


def test_a_wall_may_be_a_page_that_moves_on() -> None:
    def respond(request: Request) -> bytes:
        return response(PAGE) if request.cookie else moving("0; url=/", "Set-Cookie: wall=passed")

    fetched, requests = read(respond)
    assert (fetched.body, len(requests)) == (PAGE, 2)


def test_a_cookie_is_kept_for_the_next_page_of_a_crawl() -> None:
    _, requests = read(lambda _: response(PAGE, "Set-Cookie: a=1"), times=2)
    assert [request.cookie for request in requests] == ["", "a=1"]
    _, requests = read(lambda _: response(PAGE, "Set-Cookie: a=1"))
    assert [request.cookie for request in requests] == [""]


@pytest.mark.parametrize(
    ("cookie", "start", "then", "is_sent"),
    [
        ("a=1", "acme.example", "acme.example", True),
        ("a=1", "acme.example", "www.acme.example", False),
        ("a=1; Domain=acme.example", "acme.example", "www.acme.example", True),
        ("a=1; Domain=.acme.example", "www.acme.example", "acme.example", True),
        ("a=1; Domain=other.example", "acme.example", "other.example", False),
        ("a=1; Domain=example", "acme.example", "other.example", False),
        ("a=1; Domain=co.uk", "acme.co.uk", "other.co.uk", False),
        ("a=1; Domain=github.io", "acme.github.io", "acme.github.io", False),
        ("a=1; Secure", "acme.example", "acme.example", False),
        ("a=1; Max-Age=0", "acme.example", "acme.example", False),
        ("a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "acme.example", "acme.example", False),
        ("a=1; Path=/elsewhere", "acme.example", "acme.example", False),
        ("a=1; Path=/elsewhere; HttpOnly; path=/", "acme.example", "acme.example", True),
        ("a=1; Max-Age=60; Path=/; Max-Age=0", "acme.example", "acme.example", False),
        ('a=1; Path="/"; Max-Age="60"', "acme.example", "acme.example", True),
        ("a=1; Path=end; Domain=; Expires=; Max-Age=soon", "acme.example", "acme.example", True),
        ("a=1; Max-Age=1.5; Version=1.0; Port=x", "acme.example", "acme.example", True),
        (f"a=1; Max-Age={'9' * 30}", "acme.example", "acme.example", True),
        (f"a={'x' * 5000}", "acme.example", "acme.example", False),
        ("a=\u00fc", "acme.example", "acme.example", False),
        ("", "acme.example", "acme.example", False),
        ("=", "acme.example", "acme.example", False),
    ],
)
def test_a_cookie_goes_only_where_it_belongs(cookie: str, start: str, then: str, is_sent: bool) -> None:
    def respond(request: Request) -> bytes:
        return (
            response(PAGE) if request.url.endswith("/end") else redirect(f"http://{then}/end", f"Set-Cookie: {cookie}")
        )

    _, requests = read(respond, url=f"http://{start}/")
    assert (requests[-1].cookie == "a=1") is is_sent, requests[-1].cookie


def test_the_cookies_of_one_read_are_few() -> None:
    flood = [f"Set-Cookie: c{number}=1" for number in range(500)]
    _, requests = read(lambda request: response(PAGE) if request.url.endswith("/end") else redirect("/end", *flood))
    assert requests[-1].cookie.count("=") == 50
    flood.append("Set-Cookie: c7=2")
    _, requests = read(lambda request: response(PAGE) if request.url.endswith("/end") else redirect("/end", *flood))
    assert "c7=2" in requests[-1].cookie


def test_a_redirect_that_never_ends_ends_with_cookies_too() -> None:
    with pytest.raises(FetchError) as loop:
        read(lambda request: redirect("/", f"Set-Cookie: n={len(request.cookie)}"))
    assert loop.value.code is FetchFailure.TOO_MANY_REDIRECTS


@pytest.mark.parametrize("content", ["0; url=/en/", "0;URL='/en/'", "2,url=http://acme.example/en/"])
@pytest.mark.parametrize("how", ["tag", "header"])
def test_a_page_that_moves_on_is_not_the_end(content: str, how: str) -> None:
    def respond(request: Request) -> bytes:
        if request.url.endswith("/en/"):
            return response(PAGE)
        return moving(content) if how == "tag" else response(b"<p>", f"Refresh: {content}")

    fetched, _ = read(respond)
    assert (fetched.body, fetched.url) == (PAGE, "http://acme.example/en/")
    assert fetched.redirects == ("http://acme.example/",)


def test_a_page_in_utf_16_moves_on_too() -> None:
    moves = '<html><META HTTP-EQUIV="REFRESH" CONTENT="0; URL=/en/">'.encode("utf-16-le")
    fetched, _ = read(lambda request: response(PAGE if request.url.endswith("/en/") else moves))
    assert fetched.body == PAGE


def test_refreshes_and_redirects_make_one_chain() -> None:
    chain = {"/": moving("0; url=/a"), "/a": redirect("/b"), "/b": moving("0; url=c"), "/c": response(PAGE)}
    fetched, _ = read(lambda request: chain[request.url.removeprefix("acme.example")])
    assert (fetched.body, len(fetched.redirects)) == (PAGE, 3)


@pytest.mark.parametrize("content", ["5", "0; url=/", "0; url=http://acme.example/#top", "0; url="])
def test_a_page_that_reloads_itself_is_read(content: str) -> None:
    fetched, requests = read(lambda _: moving(content))
    assert (fetched.status, len(requests)) == (200, 1)


def test_pages_that_move_in_a_circle_are_read_where_it_closes() -> None:
    pages = {"/": "/a", "/a": "/b", "/b": "/"}
    fetched, requests = read(lambda request: moving(f"0; url={pages[request.url.removeprefix('acme.example')]}"))
    assert (fetched.url, len(requests)) == ("http://acme.example/b", 3)


def test_a_page_that_moves_on_without_end_is_read_at_the_last_redirect() -> None:
    fetched, requests = read(lambda request: moving(f"0; url={request.url.removeprefix('acme.example')}x"))
    assert (fetched.url, len(requests)) == ("http://acme.example/xxxxx", 6)


def test_an_error_does_not_move_on() -> None:
    fetched, requests = read(lambda _: response(b"no", "Refresh: 0; url=/en/", status="404 Not Found"))
    assert (fetched.status, len(requests)) == (404, 1)


@pytest.mark.parametrize(
    ("declared", "kind"),
    [
        (["text/html", "Text/HTML; charset=utf-8"], "text/html"),
        (["text/html, charset=utf-8"], "text/html"),
        (["text/plain", "text/html"], "text/html"),
        (['text/html; title="a, text/plain"'], "text/html"),
        (["text/html charset=utf-8"], ""),
        (["html"], ""),
        (["*/*"], ""),
        (["unknown/unknown"], ""),
        (["Application/Unknown; charset=utf-8"], ""),
        ([""], ""),
    ],
)
def test_a_page_whose_type_is_declared_oddly_is_read(declared: list[str], kind: str) -> None:
    lines = "".join(f"Content-Type: {value}\r\n" for value in declared)
    fetched, _ = read(lambda _: f"HTTP/1.1 200 OK\r\n{lines}Connection: close\r\n\r\n".encode() + PAGE)
    assert (fetched.body, fetched.content_type) == (PAGE, kind)


SMALL = Limits(max_body_bytes=KIB)


@pytest.mark.parametrize("encoding", ["", "gzip", "br"])
def test_of_a_page_that_is_too_large_the_first_part_is_read(encoding: str) -> None:
    packed = {"": PAGE, "gzip": gzip.compress(PAGE), "br": brotli.compress(PAGE)}[encoding]
    fetched, _ = read(lambda _: response(packed, f"Content-Encoding: {encoding}"), limits=SMALL)
    assert (fetched.body, fetched.cut) == (PAGE[:KIB], FetchFailure.TOO_LARGE)


@pytest.mark.parametrize(
    "sent",
    [
        HEAD + b"Content-Length: 900\r\n\r\n" + PAGE[:400],
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n190\r\n" + PAGE[:400] + b"\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n190\r\n" + PAGE[:400] + b"\r\nzz\r\n",
    ],
    ids=["length", "chunks", "bad chunk"],
)
def test_a_page_whose_connection_breaks_is_read_as_far_as_it_came(sent: bytes) -> None:
    fetched, _ = read(lambda _: sent)
    assert (fetched.body, fetched.cut) == (PAGE[:400], FetchFailure.BAD_RESPONSE)


def test_only_the_deadline_limits_the_wait_for_the_first_byte() -> None:
    async def answer_late(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        skip(600)
        writer.write(response(PAGE))

    with serve(answer_late) as server:

        async def get() -> Fetched:
            limits = Limits(connect_seconds=60, deadline_seconds=3600)
            async with SafeClient(user_agent="T", allow_private=frozenset({server.host}), limits=limits) as client:
                return await client.get_page(f"http://{server.host}/")

        assert run(get()).body == PAGE


def test_other_fetches_follow_no_refresh_and_take_nothing_in_part() -> None:
    with serve(answer(moving("0; url=/en/"))) as server:

        async def run(**options: Any) -> Fetched:
            async with SafeClient(user_agent="T", allow_private=frozenset({server.host})) as client:
                return await client.get(f"http://{server.host}/", **options)

        assert asyncio.run(run()).url == f"http://{server.host}/"
        with pytest.raises(FetchError) as refusal:
            asyncio.run(run(max_bytes=9))
    assert refusal.value.code is FetchFailure.TOO_LARGE
