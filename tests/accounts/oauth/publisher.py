"""A host that publishes a client's metadata document over TLS, and the names and network that lead there."""

import asyncio
import gzip
import math
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import pytest

from apps.accounts.oauth import documents
from apps.core.fetch import client as fetch_client
from apps.core.fetch import resolver
from tests.accounts.oauth.flow import AuthorizationClient
from tests.core.hostile_server import PUBLIC, Handler, LeadingTo, Server, answer, serve
from tests.driven_loop import run

PUBLISHER = "client.example.com"
ADDRESS = f"https://{PUBLISHER}/oauth/client.json"
BACK = f"https://{PUBLISHER}/callback"
LOOPBACK = "http://127.0.0.1/callback"
# What a handler that drips skips of the hour in which a document must be read here.
DRIP = 1200


def document(**changes: Any) -> dict[str, Any]:
    """A document as it should be, but for the changes; ... leaves a field out."""
    fields = {
        "client_id": ADDRESS,
        "client_name": "Example Assistant",
        "client_uri": f"https://{PUBLISHER}/",
        "logo_uri": f"https://{PUBLISHER}/logo.png",
        "redirect_uris": [BACK, LOOPBACK],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
        **changes,
    }
    return {name: value for name, value in fields.items() if value is not ...}


def http(body: Any, *, status: str = "200 OK", media: str | None = "application/json", **headers: str) -> bytes:
    """An answer with its head; what is not bytes already is sent as JSON."""
    raw = body if isinstance(body, bytes) else orjson.dumps(body)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"HTTP/1.1 {status}", *([f"Content-Type: {media}"] if media else [])]
    lines += [f"{name}: {value}" for name, value in {"Content-Length": str(len(raw)), **named}.items()]
    return "\r\n".join([*lines, "", ""]).encode() + raw


def bomb(size: int) -> bytes:
    """An answer that unfolds to so many bytes."""
    return http(gzip.compress(b" " * size), Content_Encoding="gzip")


@dataclass
class Publisher:
    """The host, what it answers next, and what it was asked."""

    server: Server
    network: LeadingTo
    names: dict[str, Sequence[Sequence[str]]] = field(default_factory=lambda: {PUBLISHER: [[PUBLIC]]})
    handler: Handler = field(default_factory=lambda: answer(http(document())))
    lookups: list[str] = field(default_factory=list)

    @property
    def reads(self) -> int:
        return len(self.server.requests)

    def publish(self, body: Any = None, **options: Any) -> None:
        """Answer with a document from now on."""
        self.handler = answer(http(document() if body is None else body, **options))

    def look_up(self, host: str) -> Sequence[str]:
        """Replaces the system's resolver. Several answers for one name are given in turn."""
        self.lookups.append(host)
        answers = self.names.get(host)
        if answers is None:
            raise OSError("no such name")
        return answers[min(self.lookups.count(host), len(answers)) - 1]


@contextmanager
def publishing(monkeypatch: pytest.MonkeyPatch, certificate: Path) -> Iterator[Publisher]:
    """Run the host. Every public address leads there; whatever is no public address would be dialled, and noted."""
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await publisher.handler(reader, writer)

    with serve(handle, tls=tls) as server:
        publisher = Publisher(server, LeadingTo(server))
        trusting = ssl.create_default_context(cafile=certificate)
        safe = partial(fetch_client.SafeClient, network=publisher.network, tls=trusting)
        monkeypatch.setattr(fetch_client, "SafeClient", safe)
        slow = replace(documents._LIMITS, deadline_seconds=3600, connect_seconds=math.inf)
        monkeypatch.setattr(documents, "_LIMITS", slow)
        monkeypatch.setattr(asyncio, "run", run)
        monkeypatch.setattr(resolver, "_addresses", publisher.look_up)
        yield publisher


def known_by(address: str = ADDRESS, redirect_uri: str = BACK) -> AuthorizationClient:
    """A client that is known by its document."""
    return AuthorizationClient(address, redirect_uri)
