"""The packages, the product as `manage.py up` starts it, and the fixture operations beside it on the same engines."""

import asyncio
import json
import os
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

from config.up import free_port
from tests.certificates import make_certificate
from tests.conformance import npm
from tests.conformance.person import Person
from tests.core.hostile_server import serve
from tests.mcp.assistants import CALLBACK
from tests.running import PROJECT, Running, running
from tests.waiting import PATIENCE_SECONDS, wait_for

# One run of the suite stays below the limits of a fresh installation, a dozen within a minute do not.
LIMITS = {"RATE_LIMIT_PER_ADDRESS": "1000000", "RATE_LIMIT_PER_KEY": "1000000"}
ASSISTANT = "assistant.localhost"


@dataclass(frozen=True)
class Document:
    """A client ID metadata document: who serves it, who vouches for that, and the requests for it so far."""

    host: str
    authority: Path
    requests: list[bytes]

    @property
    def url(self) -> str:
        return f"https://{self.host}/client.json"


@pytest.fixture(scope="session")
def packages() -> npm.Packages:
    """The npm packages; without them the tests are skipped, and fail in CI."""
    return npm.needed()


@pytest.fixture(scope="session")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("conformance") / "data"


@pytest.fixture(scope="session")
def client_document(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Document]:
    """A client ID metadata document on a TLS server on loopback, whose certificate is its own authority."""
    pem = make_certificate(tmp_path_factory.mktemp("assistant"), ASSISTANT)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(pem)
    content = b""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        writer.write(head.encode() + content)
        await writer.drain()

    with serve(handle, tls=tls) as server:
        document = Document(f"{ASSISTANT}:{server.port}", pem, server.requests)
        metadata = {"client_id": document.url, "client_name": "Test assistant", "redirect_uris": [CALLBACK]}
        content = json.dumps(metadata).encode()
        yield document


@pytest.fixture(scope="session")
def slipway(data_dir: Path, client_document: Document) -> Iterator[Running]:
    """The product, which believes the server of the client's document."""
    settings = {**LIMITS, "CRAWL_EXTRA_CA_FILE": str(client_document.authority)}
    with running(data_dir, private_hosts=[client_document.host], settings=settings) as started:
        yield started


@pytest.fixture(scope="session")
def with_fixtures(slipway: Running, data_dir: Path) -> Iterator[Callable[[str], str]]:
    """Addresses of /mcp with the fixture operations, by the form it is served in: rsgi or wsgi."""
    with ExitStack() as stack:
        started: dict[str, str] = {}

        def address(form: str) -> str:
            if form not in started:
                started[form] = stack.enter_context(_serving(form, data_dir))
            return started[form]

        yield address


@contextmanager
def _serving(form: str, data_dir: Path) -> Iterator[str]:
    port = free_port("127.0.0.1", 0)
    origin = f"http://127.0.0.1:{port}"
    env = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "tests.conformance.fixture_app.settings",
        "PUBLIC_BASE_URL": origin,
        "SLIPWAY_DATA_DIR": str(data_dir),
        **LIMITS,
    }
    command = [sys.executable, "-m", "granian", "--interface", form, "--port", str(port), "--http", "1", "--no-ws"]
    command += ["--log-level", "warning", f"config.{form}:application"]
    log = data_dir.parent / f"{form}.log"
    with (
        log.open("w") as output,
        subprocess.Popen(command, cwd=PROJECT, env=env, stdout=output, stderr=output) as server,
    ):
        try:
            wait_for(lambda: _answers(f"{origin}/mcp", server, log))
            yield f"{origin}/mcp"
        finally:
            server.terminate()
            with suppress(subprocess.TimeoutExpired):
                server.wait(20)
            # One that is told to end while it starts may go on.
            server.kill()


def _answers(url: str, server: "subprocess.Popen[bytes]", log: Path) -> bool:
    assert server.poll() is None, log.read_text()[-4000:]
    with suppress(httpx2.TransportError):
        return httpx2.get(url, timeout=PATIENCE_SECONDS).status_code == 405
    return False


@pytest.fixture
def person(slipway: Running) -> Iterator[Person]:
    """The demo owner, not yet signed in."""
    made = Person(slipway)
    yield made
    made.close()
