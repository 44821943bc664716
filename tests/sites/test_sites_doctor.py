"""`doctor` finds addresses without DNS, and certificates that end or have ended."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from apps.sites import doctor as addresses
from apps.sites.models import Site
from tests.certificates import make_certificate
from tests.doctor import findings

pytestmark = pytest.mark.django_db


@pytest.fixture
def listening(site: Site, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """A port of this machine, which every site of a production installation is on."""
    settings.LOCAL, settings.PUBLIC_BASE_URL = False, "https://localhost"
    Site.objects.exclude(pk=site.pk).delete()
    Site.objects.filter(pk=site.pk).update(host="localhost")
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setattr(addresses, "_PORT", server.getsockname()[1])
        yield server


def serve(server: socket.socket, certificate: Path) -> Thread:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)

    def shake_hands() -> None:
        with suppress(OSError), closing(server.accept()[0]) as plain, context.wrap_socket(plain, server_side=True):
            pass

    thread = Thread(target=shake_hands)
    thread.start()
    return thread


@pytest.mark.parametrize(
    ("days", "problem"), [(60, ""), (3, "The certificate of localhost ends in"), (-2, "certificate has expired")]
)
def test_certificates(
    listening: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: int, problem: str
) -> None:
    certificate = make_certificate(tmp_path, "localhost", days=days)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    thread = serve(listening, certificate)
    result = findings("addresses")
    thread.join()
    assert len(result) == bool(problem)
    assert all(problem in finding.problem and finding.hint for finding in result)


@pytest.mark.slow
def test_an_address_without_dns(listening: socket.socket) -> None:
    Site.objects.update(host="slipway.invalid")
    [finding] = findings("addresses")
    assert (finding.level, "DNS" in finding.problem) == ("error", True)
