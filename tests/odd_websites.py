"""Websites that visitors reach and crawlers often don't: each serves one home page in a way of its own.

Drafts and badge checks must read the same page of each.
"""

import gzip
from collections.abc import Callable

import brotli
import zstandard

from tests.pages_server import Answer, PagesServer

Serve = Callable[[PagesServer, str, str], None]
"""Called with the server, a host and the HTML of the home page."""


def _refresh(content: str) -> str:
    return f'<html><head><meta http-equiv="refresh" content="{content}"></head></html>'


def _by_tag(content: str) -> Serve:
    def serve(server: PagesServer, host: str, html: str) -> None:
        server.serve(host, "/", _refresh(content))
        server.serve(host, "/en/", html)

    return serve


def _by_header(server: PagesServer, host: str, html: str) -> None:
    server.serve(host, "/", Answer(b"<p>Moving</p>", headers={"Refresh": "0; url=/en/"}))
    server.serve(host, "/en/", html)


def _by_several(server: PagesServer, host: str, html: str) -> None:
    server.serve(host, "/", _refresh("0; url=/a"))
    server.redirect(host, "/a", "/b")
    server.serve(host, "/b", _refresh("1;URL='/en/'"))
    server.serve(host, "/en/", html)


def _reloading(server: PagesServer, host: str, html: str) -> None:
    server.serve(host, "/", html.replace("<head>", '<head><meta http-equiv="refresh" content="5">'))


def _without_scripts(server: PagesServer, host: str, html: str) -> None:
    server.serve(host, "/", html.replace("<head>", f"<head><noscript>{_refresh('0; url=/no')}</noscript>"))


def _cookie_at_the_same_address(server: PagesServer, host: str, html: str) -> None:
    wall = Answer(status=302, headers={"Location": "/", "Set-Cookie": "seen=1; Path=/"})
    server.serve(host, "/", Answer(html.encode(), wall=wall))


def _cookie_by_way_of_another(server: PagesServer, host: str, html: str) -> None:
    server.serve(host, "/", Answer(html.encode(), wall=Answer(status=307, headers={"Location": "/age?next=/"})))
    server.serve(host, "/age", Answer(status=302, headers={"Location": "/", "Set-Cookie": "age=18"}))


def _cookie_and_refresh(server: PagesServer, host: str, html: str) -> None:
    wall = Answer(_refresh("0").encode(), headers={"Set-Cookie": "seen=1"})
    server.serve(host, "/", Answer(html.encode(), wall=wall))


def _encoded(encoding: str, pack: Callable[[bytes], bytes]) -> Serve:
    def serve(server: PagesServer, host: str, html: str) -> None:
        headers = {"Content-Encoding": encoding} if encoding else {}
        server.serve(host, "/", Answer(pack(html.encode()), headers=headers))

    return serve


def _in_set(name: str, content_type: str = "text/html") -> Serve:
    def serve(server: PagesServer, host: str, html: str) -> None:
        server.serve(host, "/", Answer(html.encode(name), content_type=content_type))

    return serve


def _too_large(server: PagesServer, host: str, html: str) -> None:
    server.serve(host, "/", Answer(html.encode() + b"<p>More words.</p>" * 150_000))


def _with_many_headers(server: PagesServer, host: str, html: str) -> None:
    server.serve(host, "/", Answer(html.encode(), headers={f"X-{number}": "y" * 50 for number in range(500)}))


def _with_a_giant_tag(server: PagesServer, host: str, html: str) -> None:
    server.serve(host, "/", html.replace("</body>", f"<p {'a ' * 70_000}>x</p></body>"))


ODD_WEBSITES: dict[str, Serve] = {
    "refresh": _by_tag("0; url=/en/"),
    "refresh in capitals": _by_tag("0;URL=&quot;en/&quot;"),
    "refresh after a while": _by_tag("5; url=/en/"),
    "refresh header": _by_header,
    "refreshes and redirects": _by_several,
    "refresh to itself": _reloading,
    "refresh without scripts": _without_scripts,
    "cookie": _cookie_at_the_same_address,
    "cookie of another address": _cookie_by_way_of_another,
    "cookie and refresh": _cookie_and_refresh,
    "brotli": _encoded("br", brotli.compress),
    "zstd": _encoded("zstd", zstandard.ZstdCompressor().compress),
    "no label": _encoded("", gzip.compress),
    "wrong label": _encoded("gzip", bytes),
    "UTF-16": _in_set("utf-16"),
    "UTF-16 by its header": _in_set("utf-16-be", "text/html; charset=UTF-16BE"),
    "type without a semicolon": _in_set("utf-8", "text/html charset=utf-8"),
    "two types": _in_set("utf-8", "text/html, text/html; charset=utf-8"),
    "3 MB": _too_large,
    "500 headers": _with_many_headers,
    "giant tag": _with_a_giant_tag,
}
