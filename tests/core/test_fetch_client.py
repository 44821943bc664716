import asyncio
import contextlib
import copy
import gzip
import importlib.metadata
import socket
import ssl
import threading
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import httpx2
import pytest

from apps.core.fetch import (
    HTML_TYPES,
    Fetched,
    FetchError,
    FetchFailure,
    Limits,
    SafeClient,
    allowed_private_hosts,
    configuration,
    fetch_url,
)
from apps.core.fetch.backend import GuardedBackend, GuardedTransport, shared_tls
from apps.core.fetch.resolver import system_resolver
from tests.core.hostile_server import OK, PUBLIC, LeadingTo, Names, Server, answer, serve
from tests.driven_loop import run, skip

SECOND = "93.184.215.15"


def client_for(network: LeadingTo, book: dict[str, Sequence[Sequence[str]]]) -> SafeClient:
    return SafeClient(user_agent="Test", resolver=Names(book), allow_private=frozenset(), network=network)


def test_the_private_attribute_is_the_one_we_know() -> None:
    """The guard of the injection: a new release must be read before it is used."""
    assert importlib.metadata.version("httpx2") == "2.16.2"
    assert importlib.metadata.version("httpcore2") == "2.16.2"

    plain = httpx2.AsyncHTTPTransport(trust_env=False)
    assert type(plain._pool).__name__ == "AsyncConnectionPool"

    backend = GuardedBackend(resolver=system_resolver, allow_private=frozenset(), max_head_bytes=1)
    guarded = GuardedTransport(backend=backend, tls=shared_tls())
    assert guarded._pool._network_backend is backend
    assert guarded._pool._proxy is None
    assert guarded._pool._uds is None
    assert vars(plain).keys() == vars(guarded).keys() == {"_pool"}


def test_an_answer_past_the_guard_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    async def unguarded(self: GuardedTransport, request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, content=b"leaked")

    monkeypatch.setattr(GuardedTransport, "handle_async_request", unguarded)

    async def run() -> None:
        async with SafeClient(user_agent="Test", allow_private=frozenset()) as client:
            await client.get("http://good.example/")

    with pytest.raises(TypeError, match="guarded"):
        asyncio.run(run())


def test_a_page_comes_back_with_what_callers_need() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: Text/HTML; Charset='ISO-8859-1'\r\nX-One: a\r\nX-One: b\r\n"
    with serve(answer(head + b"Content-Length: 5\r\n\r\nh\xe9llo")) as server:
        page = fetch_url(f"http://{server.host}/a?b=c#d", user_agent="Test", allow_private=frozenset({server.host}))

    assert page.url == f"http://{server.host}/a?b=c"
    assert page.status == 200
    assert page.is_success
    assert page.is_html
    assert page.content_type == "text/html"
    assert page.charset == "iso-8859-1"
    assert page.headers["x-one"] == "a, b"
    assert page.body == b"h\xe9llo"
    assert page.redirects == ()
    assert page.elapsed_ms >= 0


@pytest.mark.parametrize("status", [204, 300, 304, 400, 401, 403, 404, 410, 418, 429, 500, 503])
def test_any_status_is_an_answer(status: int) -> None:
    head = b"HTTP/1.1 %d Whatever\r\nRetry-After: 7\r\n" % status
    body = b"" if status in {204, 304} else b"Content-Length: 2\r\n\r\nno"
    with serve(answer(head + (body or b"\r\n"))) as server:
        page = fetch_url(
            f"http://{server.host}/",
            user_agent="Test",
            allow_private=frozenset({server.host}),
            media_types=HTML_TYPES,
        )

    assert page.status == status
    assert page.headers["retry-after"] == "7"


def test_the_request_is_honest_and_carries_nothing_private(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://user:word@127.0.0.1:9/")
    redirect = b"HTTP/1.1 302 Found\r\nLocation: /two\r\nContent-Length: 0\r\n\r\n"

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(OK if b"/two" in server.requests[-1] else redirect)

    with serve(converse) as server:
        network = LeadingTo(server)

        async def run() -> Fetched:
            async with client_for(network, {"good.example": [[PUBLIC]]}) as client:
                return await client.get("http://good.example/one", accept="text/html")

        page = asyncio.run(run())

    assert page.redirects == ("http://good.example/one",)
    assert page.url == "http://good.example/two"
    assert [sorted(request.decode().lower().splitlines()[1:-1]) for request in server.requests] == [
        ["accept-encoding: gzip, identity", "accept: text/html", "host: good.example", "user-agent: test"]
    ] * 2


def test_a_connection_is_kept_for_the_next_page_of_a_site() -> None:
    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError):
            while True:
                writer.write(OK)
                await reader.readuntil(b"\r\n\r\n")

    with serve(converse) as server:
        network = LeadingTo(server)

        async def run() -> list[bytes]:
            async with client_for(network, {"good.example": [[PUBLIC]]}) as client:
                return [(await client.get("http://good.example/")).body for _ in range(3)]

        assert asyncio.run(run()) == [b"ok"] * 3

    assert network.dials == [(PUBLIC, 80)]


def refusal(network: LeadingTo) -> FetchError:
    """Why a website could not be read over TLS."""

    async def run() -> None:
        async with client_for(network, {"good.example": [[PUBLIC]]}) as client:
            await client.get("https://good.example/")

    with pytest.raises(FetchError) as failure:
        asyncio.run(run())
    return failure.value


def test_host_and_server_name_stay_while_numbers_are_dialled() -> None:
    hellos: list[bytes] = []

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        hellos.append(await reader.read(4096))

    with serve(listen, reads_request=False) as server:
        network = LeadingTo(server)
        failure = refusal(network)

    assert failure.code is FetchFailure.UNREACHABLE
    assert network.dials == [(PUBLIC, 443)]
    assert b"good.example" in hellos[0]


def test_certificates_are_verified() -> None:
    context = shared_tls()

    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname is True


def test_a_server_that_speaks_no_tls_is_not_worth_another_try() -> None:
    with serve(answer(b"HTTP/1.1 400 Bad Request\r\n\r\n"), reads_request=False) as server:
        failure = refusal(LeadingTo(server))

    assert failure.code is FetchFailure.UNREACHABLE
    assert failure.retryable is False


def test_the_next_checked_address_is_tried_when_one_does_not_answer() -> None:
    with serve(answer(OK)) as server:
        network = LeadingTo(server)
        network.refused = {PUBLIC}

        async def run() -> Fetched:
            async with client_for(network, {"good.example": [[PUBLIC, SECOND]]}) as client:
                return await client.get("http://good.example/")

        assert asyncio.run(run()).body == b"ok"

    assert network.dials == [(PUBLIC, 80), (SECOND, 80)]


def test_few_addresses_are_tried() -> None:
    addresses = [f"93.184.215.{last}" for last in range(50)]
    network = LeadingTo(Server())
    network.refused = set(addresses)

    async def run() -> None:
        async with client_for(network, {"good.example": [addresses]}) as client:
            await client.get("http://good.example/")

    with pytest.raises(FetchError) as failure:
        asyncio.run(run())

    assert failure.value.code is FetchFailure.UNREACHABLE
    assert failure.value.retryable is False
    assert len(network.dials) == 3


@pytest.mark.parametrize(("answers", "is_retryable"), [([], False), ([b"HTTP/1.1 200"], False), ([OK], True)])
def test_a_server_that_breaks_off_is_worth_another_try_only_where_it_answered(
    answers: list[bytes], is_retryable: bool
) -> None:
    """Connections are kept, and a server may close one at the moment in which it is used again."""

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for part in answers:
            writer.write(part)
            await reader.readuntil(b"\r\n\r\n") if part == OK else await writer.drain()

    with serve(converse) as server:
        network = LeadingTo(server)

        async def run() -> None:
            async with client_for(network, {"good.example": [[PUBLIC]]}) as client:
                for _ in range(2):
                    await client.get("http://good.example/")

        with pytest.raises(FetchError) as failure:
            asyncio.run(run())

    assert failure.value.code in {FetchFailure.UNREACHABLE, FetchFailure.BAD_RESPONSE}
    assert failure.value.retryable is is_retryable
    assert len(network.dials) == 1


@pytest.mark.parametrize("book", [{}, {"gone.example": [[]]}])
def test_names_without_an_address_are_unreachable(book: dict[str, Sequence[Sequence[str]]]) -> None:
    network = LeadingTo(Server())

    async def run() -> None:
        async with client_for(network, book) as client:
            await client.get("http://gone.example/")

    with pytest.raises(FetchError) as failure:
        asyncio.run(run())

    assert failure.value.code is FetchFailure.UNREACHABLE
    assert failure.value.retryable is True
    assert network.dials == []


def test_a_slow_lookup_does_not_outlive_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lookup cannot be interrupted, so the fetch must leave it behind."""
    release, ended = threading.Event(), threading.Event()

    def stuck(*args: Any, **kwargs: Any) -> list[Any]:
        skip(3600)
        release.wait()
        ended.set()
        raise OSError

    monkeypatch.setattr(socket, "getaddrinfo", stuck)
    monkeypatch.setattr(asyncio, "run", run)
    try:
        with pytest.raises(FetchError) as failure:
            fetch_url("http://slow.example/", user_agent="Test", allow_private=frozenset(), deadline=1800)
        assert failure.value.code is FetchFailure.TIMEOUT
        assert not ended.is_set()
    finally:
        release.set()
        assert ended.wait(120)


def test_the_system_resolver_gives_numbers() -> None:
    assert set(asyncio.run(system_resolver("localhost"))) <= {"127.0.0.1", "::1"}
    with pytest.raises(OSError, match=r"."):
        asyncio.run(system_resolver("nothing.invalid"))


def test_a_caller_may_insist_on_a_media_type() -> None:
    video = b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Length: 9\r\n\r\n"
    untyped = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    def fetch(sent: bytes) -> Fetched:
        with serve(answer(sent)) as server:
            return fetch_url(
                f"http://{server.host}/",
                user_agent="Test",
                allow_private=frozenset({server.host}),
                media_types=HTML_TYPES,
            )

    with pytest.raises(FetchError) as refusal:
        fetch(video)
    assert refusal.value.code is FetchFailure.NOT_HTML
    assert refusal.value.retryable is False
    assert fetch(OK).body == b"ok"
    assert fetch(untyped).content_type == ""


def test_a_caller_may_lower_the_size() -> None:
    with serve(answer(OK)) as server, pytest.raises(FetchError) as refusal:
        fetch_url(
            f"http://{server.host}/",
            user_agent="Test",
            allow_private=frozenset({server.host}),
            max_bytes=1,
        )

    assert refusal.value.code is FetchFailure.TOO_LARGE


def test_gzip_pages_are_decoded() -> None:
    body = gzip.compress(b"<p>hello</p>")
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(body)
    with serve(answer(head + body)) as server:
        page = fetch_url(f"http://{server.host}/", user_agent="T", allow_private=frozenset({server.host}))

    assert page.body == b"<p>hello</p>"


def test_the_error_can_be_rebuilt_in_another_process() -> None:
    error = copy.copy(FetchError(FetchFailure.UNREACHABLE, retryable=False))

    assert (error.code, error.retryable) == (FetchFailure.UNREACHABLE, False)


class TestListedHosts:
    """Hosts that the operator names may be private: exactly those, at exactly that port."""

    def fetch(self, url: str, *, names: Names, listed: set[str], network: LeadingTo | None = None) -> Fetched:
        async def run() -> Fetched:
            async with SafeClient(
                user_agent="Test", resolver=names, allow_private=frozenset(listed), network=network
            ) as client:
                return await client.get(url)

        return asyncio.run(run())

    def test_a_name_that_does_not_resolve_is_this_machine(self) -> None:
        with serve(answer(OK)) as server:
            address = f"acme.test:{server.port}"
            page = self.fetch(f"http://{address}/", names=Names(), listed={address})

        assert page.body == b"ok"
        assert f"host: {address}".encode() in server.requests[0].lower()

    @pytest.mark.parametrize("host", ["localhost", "acme.localhost"])
    def test_a_local_name_is_this_machine_without_a_lookup(self, host: str) -> None:
        names = Names({host: [["10.1.2.3"]]})
        with serve(answer(OK)) as server:
            address = f"{host}:{server.port}"
            page = self.fetch(f"http://{address}/", names=names, listed={address})

        assert (page.body, names.asked) == (b"ok", [])

    @pytest.mark.parametrize("own", ["127.0.0.1", "::1", "10.1.2.3", "172.20.0.2", "192.168.0.9", "fd12::1", PUBLIC])
    def test_a_name_is_dialled_where_it_resolves(self, own: str) -> None:
        with serve(answer(OK)) as server:
            network = LeadingTo(server)
            self.fetch("http://web:8000/", names=Names({"web": [[own]]}), listed={"web:8000"}, network=network)

        assert network.dials == [(own, 8000)]

    @pytest.mark.parametrize("other", ["169.254.169.254", "fe80::1", "0.0.0.0", "224.0.0.1", "100.100.100.200"])  # noqa: S104 - refused
    def test_a_listed_name_opens_no_other_special_network(self, other: str) -> None:
        with serve(answer(OK)) as server:
            network = LeadingTo(server)
            with pytest.raises(FetchError) as refusal:
                self.fetch("http://web:8000/", names=Names({"web": [[other]]}), listed={"web:8000"}, network=network)

        assert refusal.value.code is FetchFailure.PRIVATE_ADDRESS
        assert network.dials == []

    def test_neither_another_port_nor_another_name_is_open(self) -> None:
        with serve(answer(OK)) as server:
            names = Names({"web": [["127.0.0.1"]], "b.test": [["127.0.0.1"]]})
            for url in ("http://a.test:81/", f"http://b.test:{server.port}/", f"http://{server.host}/"):
                with pytest.raises(FetchError):
                    self.fetch(url, names=names, listed={f"a.test:{server.port}", "web:80"})

        assert server.accepts == 0

    def test_a_listed_host_cannot_redirect_inside(self) -> None:
        with serve(answer(OK)) as inside:
            location = f"http://{inside.host}/".encode()
            head = b"HTTP/1.1 302 Found\r\nLocation: " + location + b"\r\nContent-Length: 0\r\n\r\n"
            with serve(answer(head)) as server, pytest.raises(FetchError) as refusal:
                self.fetch(f"http://{server.host}/", names=Names(), listed={server.host})

        assert refusal.value.code is FetchFailure.PRIVATE_ADDRESS
        assert inside.accepts == 0


class TestSettings:
    def use(self, monkeypatch: pytest.MonkeyPatch, **settings: object) -> None:
        monkeypatch.setattr(configuration, "settings", SimpleNamespace(**settings))

    def test_nothing_private_is_open_unless_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.use(monkeypatch, CRAWL_CONTACT_URL="https://launch.example/crawler")

        assert allowed_private_hosts() == frozenset()

    def test_the_settings_are_the_defaults_of_a_fetch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with serve(answer(OK)) as server:
            self.use(
                monkeypatch,
                CRAWL_CONTACT_URL="https://launch.example/crawler",
                CRAWL_ALLOW_PRIVATE_HOSTS=frozenset({server.host}),
            )
            assert fetch_url(f"http://{server.host}/").status == 200

        agent = b"User-Agent: SlipwayBot/0.1 (+https://launch.example/crawler)"
        assert agent in server.requests[0].splitlines()


def test_fetches_side_by_side_keep_their_own_limits() -> None:
    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
        for _ in range(20):
            writer.write(b"x" * 1000)
            await writer.drain()
            await asyncio.sleep(0)

    with serve(converse) as server:

        async def run() -> list[Fetched | BaseException]:
            async with SafeClient(user_agent="Test", allow_private=frozenset({server.host}), limits=Limits()) as client:
                sizes = [100, 20_000, 19_999, 30_000]
                return await asyncio.gather(
                    *(client.get(f"http://{server.host}/", max_bytes=size) for size in sizes),
                    return_exceptions=True,
                )

        results = asyncio.run(run())

    assert [len(one.body) if isinstance(one, Fetched) else cast("FetchError", one).code for one in results] == [
        FetchFailure.TOO_LARGE,
        20_000,
        FetchFailure.TOO_LARGE,
        20_000,
    ]
