"""One installation for every test of a run that starts processes, and changes only objects of its own."""

import asyncio
import json
import secrets
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import httpx2

    from tests.email_server import EmailServer
    from tests.faults.shop import Team
    from tests.pages_server import PagesServer, Website
    from tests.running import Running

# A test has one that no other drafts from.
_WEBSITES = tuple(f"website{number}.localhost" for number in range(64))
_ASSISTANT = "assistant.localhost"
# So many tests ask more often than a minute allows.
LIMITS = {"RATE_LIMIT_PER_ADDRESS": "1000000", "RATE_LIMIT_PER_KEY": "1000000"}


@dataclass(frozen=True)
class Document:
    """A client ID metadata document: who serves it, who vouches for that, and the requests for it so far."""

    host: str
    authority: Path
    requests: list[bytes]

    @property
    def url(self) -> str:
        return f"https://{self.host}/client.json"


@dataclass(frozen=True)
class Account:
    """An account: how it signs in, the session of a browser where it has, and its REST client."""

    account_id: int
    email: str
    password: str
    session: str
    rest: "httpx2.Client"


@pytest.fixture(scope="session")
def websites() -> Iterator["PagesServer"]:
    """The websites that the installation can draft from; nothing is served there yet."""
    from tests.pages_server import PagesServer

    with PagesServer() as server:
        yield server


@pytest.fixture(scope="session")
def mailbox() -> Iterator["EmailServer"]:
    """Where the emails go."""
    from tests.email_server import EmailServer

    with EmailServer() as server:
        yield server


@pytest.fixture(scope="session")
def client_document(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Document]:
    """A client ID metadata document on a TLS server on loopback, whose certificate is its own authority."""
    from tests.certificates import make_certificate
    from tests.core.hostile_server import serve
    from tests.mcp.assistants import CALLBACK

    pem = make_certificate(tmp_path_factory.mktemp("assistant"), _ASSISTANT)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(pem)
    content = b""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        writer.write(head.encode() + content)
        await writer.drain()

    with serve(handle, tls=tls) as server:
        document = Document(f"{_ASSISTANT}:{server.port}", pem, server.requests)
        metadata = {"client_id": document.url, "client_name": "Test assistant", "redirect_uris": [CALLBACK]}
        content = json.dumps(metadata).encode()
        yield document


@pytest.fixture(scope="session")
def slipway(
    websites: "PagesServer",
    mailbox: "EmailServer",
    client_document: Document,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator["Running"]:
    """The installation, which knows these servers. A test that needs other settings, or breaks more than it mends,
    starts one with `tests.running.running`.
    """
    from tests.running import running

    hosts = [*(websites.host(name) for name in _WEBSITES), client_document.host]
    settings = {
        **LIMITS,
        "CRAWL_EXTRA_CA_FILE": str(client_document.authority),
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_URL": mailbox.url,
    }
    with running(tmp_path_factory.mktemp("slipway") / "data", private_hosts=hosts, settings=settings) as started:
        yield started


@pytest.fixture(scope="session")
def _hosts() -> Iterator[str]:
    return iter(_WEBSITES)


@pytest.fixture
def website(websites: "PagesServer", _hosts: Iterator[str]) -> "Website":
    """A website of the test's own, empty."""
    return websites.website(next(_hosts))


@pytest.fixture(scope="session")
def console(slipway: "Running") -> Iterator["Team"]:
    """Makes objects at the installation: the calls of tests.people."""
    from config.local.places import addresses
    from tests.faults.shop import console_of

    where = addresses(slipway.data_dir)
    with console_of(slipway, data_dir=slipway.data_dir, where=where, calls="tests.people") as opened:
        yield opened


@pytest.fixture
def account(slipway: "Running", console: "Team") -> Iterator[Account]:
    """An account of the test's own, which has nothing yet."""
    import httpx2

    from tests.waiting import PATIENCE_SECONDS

    name = f"person-{secrets.token_hex(4)}"
    made: dict[str, Any] = console.do("make_account", name=name)
    headers = {"Authorization": f"Bearer {made.pop('key')}"}
    with httpx2.Client(base_url=f"{slipway.up['api_url']}/", headers=headers, timeout=PATIENCE_SECONDS) as rest:
        yield Account(**made, rest=rest)


@pytest.fixture
def listing(account: Account, console: "Team") -> dict[str, Any]:
    """The account's listing, as the API shows it: live on this week's board, with every section."""
    listing_id = console.do("make_listing", account_id=account.account_id)
    result: dict[str, Any] = account.rest.get(f"me/listings/{listing_id}").raise_for_status().json()
    return result
