"""Looks for a claim's word at websites of all kinds: what proves one, and what only seems to."""

import asyncio
from typing import Any

import pytest

from apps.listings.claims.proofs import FILE_PATH, ProofCheck, find_proofs, places_of
from apps.listings.websites.shared_hosts import shared_hosts
from tests.core.hostile_server import answer, forever, serve
from tests.dns_server import DnsServer, Zone
from tests.driven_loop import run
from tests.listings.claims.conftest import HOST
from tests.pages_server import Answer, PagesServer

WORD = "0123456789abcdef0123456789abcdef"
RECORD = f"slipway-claim={WORD}"
TAG = f'<meta name="slipway-claim" content="{WORD}">'
PAGE = f"<!doctype html><html><head><title>Acme</title>{TAG}</head><body><h1>Acme</h1></body></html>"
PLAIN = "text/plain; charset=utf-8"


def find(web: PagesServer, *, path: str = "", host: str = HOST) -> ProofCheck:
    return find_proofs(website=web.url(host, path), tokens=[WORD])[WORD]


def file(text: str = WORD, **more: Any) -> Answer:
    return Answer(text.encode(), content_type=PLAIN, **more)


# ---- what proves ----
@pytest.mark.parametrize("name", [f"_slipway.{HOST}", HOST])
@pytest.mark.parametrize("text", [RECORD, f" {RECORD} "])
def test_a_record(names: DnsServer, web: PagesServer, name: str, text: str) -> None:
    names.text(name, "v=spf1 -all", text)
    result = find(web)
    assert (result.method, name in result.detail) == ("dns", True)
    assert web.seen == []


def test_www_is_the_same_website(names: DnsServer, web: PagesServer) -> None:
    names.text(f"_slipway.{HOST}", RECORD)
    assert find(web, host=f"www.{HOST}").method == "dns"


def test_a_tag(names: DnsServer, web: PagesServer) -> None:
    web.serve(HOST, "/", PAGE)
    result = find(web)
    assert (result.method, web.url(HOST, "/") in result.detail) == ("meta", True)


@pytest.mark.slow
@pytest.mark.parametrize("text", [WORD, f"{WORD}\n", f"\ufeff{WORD}\r\n", f"other\n  {WORD}  \n"])
def test_a_file(names: DnsServer, web: PagesServer, text: str) -> None:
    web.serve(HOST, "/", "<h1>Acme</h1>")
    web.serve(HOST, FILE_PATH, file(text))
    assert find(web).method == "file"


@pytest.mark.parametrize("path", ["/", FILE_PATH])
@pytest.mark.parametrize("start", [HOST, f"www.{HOST}"])
def test_a_redirect_between_www_and_not_is_the_website_itself(
    names: DnsServer, web: PagesServer, path: str, start: str
) -> None:
    end = f"www.{HOST}" if start == HOST else HOST
    web.serve(start, "/", "<h1>Acme</h1>")
    web.redirect(start, path, web.url(end, path))
    web.serve(end, path, file() if path == FILE_PATH else PAGE)
    result = find(web, host=start)
    assert result.method == ("file" if path == FILE_PATH else "meta"), result.detail


def test_a_home_page_in_another_path(names: DnsServer, web: PagesServer) -> None:
    web.redirect(HOST, "/", "/en/")
    web.serve(HOST, "/en/", PAGE)
    assert find(web).method == "meta"


def test_dns_out_of_order_leaves_the_other_ways(names: DnsServer, web: PagesServer) -> None:
    names.book[f"_slipway.{HOST}"] = names.book[HOST] = Zone(rcode="SERVFAIL")
    web.serve(HOST, "/", PAGE)
    assert find(web).method == "meta"


# ---- what does not ----
@pytest.mark.parametrize(
    "record",
    [
        WORD,
        f"slipway-claim = {WORD}",
        f"slipway-claim={WORD[:-1]}",
        f"slipway-claim={WORD}0",
        f"x {RECORD}",
        RECORD.upper(),
    ],
)
def test_other_records(names: DnsServer, web: PagesServer, record: str) -> None:
    names.text(f"_slipway.{HOST}", record)
    web.serve(HOST, "/", "<h1>Acme</h1>")
    assert find(web).method is None


@pytest.mark.parametrize("name", ["localhost", "_slipway.localhost", f"_slipway.www.{HOST}", f"x.{HOST}"])
def test_records_of_other_names(names: DnsServer, web: PagesServer, name: str) -> None:
    names.text(name, RECORD)
    web.serve(HOST, "/", "<h1>Acme</h1>")
    assert find(web).method is None


def test_a_record_behind_an_alias(names: DnsServer, web: PagesServer) -> None:
    names.text("provider.localhost", RECORD)
    names.book[f"_slipway.{HOST}"] = names.book[HOST] = Zone(alias="provider.localhost")
    web.serve(HOST, "/", "<h1>Acme</h1>")
    assert find(web).method is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    [
        f"<head></head><body><p>{TAG}</p>",
        f"<head><!-- {TAG} --></head>",
        f"<head><title>{TAG}</title></head>",
        f"<head><script>const tag = `{TAG}`</script></head>",
        f"<body><textarea>{TAG}</textarea><p>{WORD}</p>",
        PAGE.replace(WORD, WORD.upper()),
        PAGE.replace(WORD, f"{WORD} {WORD}"),
        PAGE.replace("slipway-claim", "slipway_claim"),
        Answer(PAGE.encode(), content_type=PLAIN),
        Answer(PAGE.encode(), content_type="application/json"),
        Answer(PAGE.encode(), content_type=""),
        *[Answer(PAGE.encode(), status=status) for status in (201, 403, 404, 500)],
        Answer(b" " * 3_000_000 + PAGE.encode()),
        Answer(b"<b>" * 100_000 + PAGE.encode()),
        Answer(b""),
    ],
)
def test_pages_that_have_no_such_tag(names: DnsServer, web: PagesServer, page: str | Answer) -> None:
    web.serve(HOST, "/", page)
    assert find(web).method is None


@pytest.mark.parametrize(
    "content",
    [
        file(f"The word is {WORD}."),
        file(WORD.upper()),
        file(""),
        file(f"{WORD}\n" + "x" * 5000),
        file(WORD, status=404),
        Answer(WORD.encode(), content_type="text/html"),
        Answer(f"<html><body>\n{WORD}\n</body></html>".encode()),
        Answer(b"\xff\xfe\x00" * 1000, content_type=PLAIN),
    ],
)
def test_files_that_do_not_hold_it(names: DnsServer, web: PagesServer, content: Answer) -> None:
    web.serve(HOST, "/", "<h1>Acme</h1>")
    web.serve(HOST, FILE_PATH, content)
    assert find(web).method is None


@pytest.mark.parametrize("path", ["/", FILE_PATH])
def test_a_redirect_to_another_host(names: DnsServer, web: PagesServer, path: str) -> None:
    web.serve(HOST, "/", "<h1>Acme</h1>")
    web.redirect(HOST, path, web.url("other.localhost", path))
    web.serve("other.localhost", path, file() if path == FILE_PATH else PAGE)
    result = find(web)
    assert result.method is None
    assert "redirects to another host" in result.detail


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/", FILE_PATH])
def test_a_redirect_by_way_of_another_host(names: DnsServer, web: PagesServer, path: str) -> None:
    """An attacker in between says where it ends, such as on a page that they may edit."""
    web.serve(HOST, "/", "<h1>Acme</h1>")
    web.redirect(HOST, path, web.url("other.localhost", "/"))
    web.redirect("other.localhost", "/", web.url(HOST, "/uploads/mine"))
    web.serve(HOST, "/uploads/mine", file() if path == FILE_PATH else PAGE)
    result = find(web)
    assert result.method is None
    assert "redirects to another host" in result.detail


def test_a_redirect_of_the_file_to_another_path(names: DnsServer, web: PagesServer) -> None:
    web.serve(HOST, "/", "<h1>Acme</h1>")
    web.redirect(HOST, FILE_PATH, "/uploads/mine.txt")
    web.serve(HOST, "/uploads/mine.txt", file())
    assert find(web).method is None


def test_another_port_is_another_host(names: DnsServer, web: PagesServer, settings: Any) -> None:
    with PagesServer() as other:
        settings.CRAWL_ALLOW_PRIVATE_HOSTS |= {other.host(HOST)}
        web.redirect(HOST, "/", other.url(HOST, "/"))
        other.serve(HOST, "/", PAGE)
        assert find(web).method is None
        assert other.paths(HOST) == ["/"]


def test_circles_and_private_addresses(names: DnsServer, web: PagesServer, settings: Any) -> None:
    web.redirect(HOST, "/", "/")
    web.redirect(HOST, FILE_PATH, "http://127.0.0.1:1/")
    result = find(web)
    assert result.method is None
    assert "5 times" in result.detail
    assert "public internet" in result.detail
    settings.CRAWL_ALLOW_PRIVATE_HOSTS = frozenset()
    web.seen.clear()
    assert find_proofs(website="http://127.0.0.1", tokens=[WORD])[WORD].detail.startswith("The check failed")
    assert web.seen == []


# ---- a page on a shared host ----
@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """The host serves the websites of many owners."""
    monkeypatch.setitem(shared_hosts().segments, HOST, 1)


@pytest.mark.usefixtures("shared")
def test_of_a_page_on_a_shared_host_only_the_page_itself_counts(names: DnsServer, web: PagesServer) -> None:
    for name in (HOST, f"_slipway.{HOST}"):
        names.text(name, RECORD)
    web.serve(HOST, "/", PAGE)
    web.serve(HOST, FILE_PATH, file())
    web.serve(HOST, "/acme", "<h1>Acme</h1>")
    assert find(web, path="/acme").method is None
    assert (names.asked, web.paths(HOST)) == ([], ["/acme"])
    web.serve(HOST, "/acme", PAGE)
    assert find(web, path="/acme").method == "meta"


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("to", ["/other", "/", "/acme/more", "/ACME"])
def test_a_shared_page_that_leads_elsewhere(names: DnsServer, web: PagesServer, to: str) -> None:
    web.redirect(HOST, "/acme", to)
    web.serve(HOST, to, PAGE)
    assert find(web, path="/acme").method is None


@pytest.mark.usefixtures("shared")
def test_a_shared_page_with_its_last_slash(names: DnsServer, web: PagesServer) -> None:
    web.redirect(HOST, "/acme", "/acme/")
    web.serve(HOST, "/acme/", PAGE)
    assert find(web, path="/acme").method == "meta"


# ---- servers that misbehave ----
@pytest.mark.parametrize(
    "handler",
    [
        answer(b""),
        answer(b"SSH-2.0-OpenSSH\r\n\r\n"),
        forever(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<head>", b"<!-- -->" * 1000),
        forever(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n", b"x", skips=4),
        forever(b"HTTP/1.1 200 OK\r\nX: ", b"x", skips=4),
    ],
    ids=["hangs up", "no HTTP", "endless page", "dripping file", "dripping head"],
)
def test_servers_that_do_not_answer_properly(
    names: DnsServer, settings: Any, monkeypatch: pytest.MonkeyPatch, handler: Any
) -> None:
    monkeypatch.setattr(asyncio, "run", run)
    with serve(handler) as server:
        settings.CRAWL_ALLOW_PRIVATE_HOSTS = [server.host]
        assert find_proofs(website=f"http://{server.host}", tokens=[WORD])[WORD].method is None


# ---- where the word may stand ----
@pytest.mark.parametrize(
    ("website", "page_url", "host", "has_file"),
    [
        ("https://acme.example", "https://acme.example/", "acme.example", True),
        ("https://www.acme.example/", "https://www.acme.example/", "acme.example", True),
        ("https://app.acme.example", "https://app.acme.example/", "app.acme.example", True),
        ("https://ACME.example/?say=<meta>#x", "https://acme.example/", "acme.example", True),
        ("https://bücher.example/", "https://xn--bcher-kva.example/", "xn--bcher-kva.example", True),
        ("https://shop.github.io/acme", "https://shop.github.io/acme", "", False),
        ("https://shop.github.io/acme/?a=b", "https://shop.github.io/acme/", "", False),
        ("https://acme.example/page", "https://acme.example/", "acme.example", True),
        ("https://93.184.215.14/", "https://93.184.215.14/", "", True),
    ],
)
def test_places(website: str, page_url: str, host: str, has_file: bool) -> None:
    places = places_of(website)
    assert places.page_url == page_url
    assert places.names == ((f"_slipway.{host}", host) if host else ())
    assert places.file_url == (page_url.rstrip("/") + FILE_PATH if has_file else "")
