"""HTTPS over real sockets, with an authority of the test's own."""

import asyncio
import ssl
from pathlib import Path
from typing import Any

import pytest

from apps.core.fetch import Fetched, FetchError, FetchFailure, SafeClient
from apps.core.fetch.backend import shared_tls
from tests.certificates import make_certificate
from tests.core.hostile_server import OK, PUBLIC, LeadingTo, Names, answer, serve

Certified = tuple[ssl.SSLContext, ssl.SSLContext]


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> Certified:
    """A server's context for good.example, and a client's that trusts it."""
    pem = make_certificate(tmp_path_factory.mktemp("tls"), "good.example")
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(pem)
    return server, ssl.create_default_context(cafile=pem)


def fetch(url: str, network: LeadingTo, tls: ssl.SSLContext | None) -> Fetched:
    names = Names({"good.example": [[PUBLIC]], "other.example": [[PUBLIC]]})

    async def run() -> Fetched:
        async with SafeClient(
            user_agent="Test", resolver=names, allow_private=frozenset(), network=network, tls=tls
        ) as client:
            return await client.get(url)

    return asyncio.run(run())


def test_a_page_comes_over_tls_under_its_own_name(certified: Certified) -> None:
    ours, theirs = certified
    with serve(answer(OK), tls=ours) as server:
        network = LeadingTo(server)
        page = fetch("https://good.example/", network, theirs)

    assert page.body == b"ok"
    assert network.dials == [(PUBLIC, 443)]
    assert b"host: good.example\r\n" in server.requests[0].lower()


def test_limits_hold_inside_tls(certified: Certified) -> None:
    ours, theirs = certified
    head = b"HTTP/1.1 200 OK\r\nX: " + b"y" * 70_000 + b"\r\n\r\n"
    with serve(answer(head), tls=ours) as server, pytest.raises(FetchError) as cut:
        fetch("https://good.example/", LeadingTo(server), theirs)

    assert cut.value.code is FetchFailure.HEADERS_TOO_LARGE


@pytest.mark.parametrize(("url", "is_trusted"), [("https://other.example/", True), ("https://good.example/", False)])
def test_wrong_certificates_are_refused_for_good(certified: Certified, url: str, is_trusted: bool) -> None:
    ours, theirs = certified
    with serve(answer(OK), tls=ours) as server, pytest.raises(FetchError) as refusal:
        fetch(url, LeadingTo(server), theirs if is_trusted else None)

    assert refusal.value.code is FetchFailure.UNREACHABLE
    assert refusal.value.retryable is False
    assert server.requests == []


def test_an_authority_of_the_operators_own_is_believed(tmp_path: Path, settings: Any) -> None:
    pem = make_certificate(tmp_path, "good.example")
    ours = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ours.load_cert_chain(pem)
    settings.CRAWL_EXTRA_CA_FILE = str(pem)
    # Not the shared one itself, which is kept for the whole process.
    theirs = shared_tls.__wrapped__()
    with serve(answer(OK), tls=ours) as server:
        page = fetch("https://good.example/", LeadingTo(server), theirs)

    assert page.body == b"ok"
