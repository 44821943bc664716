"""The official SDK's client as an assistant: it requests access automatically, and keeps what it was given."""

from dataclasses import dataclass, field
from typing import Protocol

import anyio
import httpx2
from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

# Nothing listens there: the tests read where a browser is sent.
CALLBACK = "http://127.0.0.1:33418/callback"


class Allows(Protocol):
    """Who is asked for access; answers with the address that the browser is sent back to. May take its time."""

    def allow(self, url: str) -> str: ...


@dataclass
class Memory:
    """What a client keeps between two conversations."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


@dataclass
class Assistant:
    """A client of the SDK, whose person allows whatever it asks for."""

    url: str
    person: Allows
    document_url: str | None = None
    name: str = "Test assistant"
    callback: str = CALLBACK
    memory: Memory = field(default_factory=Memory)
    _sent_back_to: str = ""

    def provider(self) -> OAuthClientProvider:
        metadata = OAuthClientMetadata(client_name=self.name, redirect_uris=[AnyUrl(self.callback)])
        return OAuthClientProvider(
            self.url, metadata, self.memory, self._open, self._answer, client_metadata_url=self.document_url
        )

    async def _open(self, url: str) -> None:
        self._sent_back_to = await anyio.to_thread.run_sync(self.person.allow, url)

    async def _answer(self) -> AuthorizationCodeResult:
        assert self._sent_back_to.startswith(f"{self.callback}?")
        return AuthorizationCodeResult.model_validate(parameters(self._sent_back_to))


def parameters(url: str) -> dict[str, str]:
    """The query of an address, in which nothing may stand twice."""
    values = httpx2.URL(url).params
    assert len(values.multi_items()) == len(values)
    return dict(values)
