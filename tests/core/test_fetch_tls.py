"""HTTPS over real sockets, with an authority of the test's own."""

import asyncio
import datetime
import ssl

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from apps.core.fetch import Fetched, FetchError, FetchFailure, SafeClient
from tests.core.hostile_server import OK, PUBLIC, LeadingTo, Names, answer, serve

Certified = tuple[ssl.SSLContext, ssl.SSLContext]


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> Certified:
    """A server's context for good.example, and a client's that trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "good.example")])
    today = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - datetime.timedelta(days=1))
        .not_valid_after(today + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("good.example")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = tmp_path_factory.mktemp("tls") / "good.pem"
    pem.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
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

    assert cut.value.code is FetchFailure.TOO_LARGE


@pytest.mark.parametrize(("url", "is_trusted"), [("https://other.example/", True), ("https://good.example/", False)])
def test_wrong_certificates_are_refused_for_good(certified: Certified, url: str, is_trusted: bool) -> None:
    ours, theirs = certified
    with serve(answer(OK), tls=ours) as server, pytest.raises(FetchError) as refusal:
        fetch(url, LeadingTo(server), theirs if is_trusted else None)

    assert refusal.value.code is FetchFailure.UNREACHABLE
    assert refusal.value.retryable is False
    assert server.requests == []
