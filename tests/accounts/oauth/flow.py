"""A client of the authorization server and the person it asks, both over HTTP and knowing nothing of the inside."""

import base64
import hashlib
import re
import secrets
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from django.test import Client
from redis import RedisError

from apps.accounts.models import User
from apps.core.api.audience import AUDIENCE_KEY

HOST = "testserver.localhost"
ISSUER = f"http://{HOST}"
MCP = f"{ISSUER}/mcp"
REST = f"{ISSUER}/api/v1"
CALLBACK = "https://assistant.example.com/callback"
OWNER_SCOPES = "account:read listings:write orders:write"

Named = dict[str, Any]

_TICKET = re.compile(r'name="ticket" value="([^"]+)"')


def named(cases: Named) -> list[Any]:
    """The rows of a table of cases, each under its name."""
    return [pytest.param(case, id=name) for name, case in cases.items()]


def program(**options: Any) -> Client:
    """Something that calls the server without a session; what goes wrong inside is answered as in production."""
    return Client(raise_request_exception=False, **{"HTTP_HOST": HOST, **options})


def answer_of(response: Any) -> dict[str, str]:
    """What a redirect tells the client; fails when it tells anything twice."""
    pairs = parse_qsl(urlsplit(response["Location"]).query, keep_blank_values=True)
    assert len(pairs) == len(dict(pairs)), pairs
    return dict(pairs)


@dataclass
class AuthorizationClient:
    """A public client with one redirect address, and the verifier of the request it makes."""

    client_id: str
    redirect_uri: str = CALLBACK
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    http: Client = field(default_factory=program)

    @classmethod
    def registered(cls, redirect_uri: str = CALLBACK, **metadata: Any) -> Self:
        """A client that has just introduced itself."""
        answer = register({"redirect_uris": [redirect_uri], **metadata})
        assert answer.status_code == 201, answer.content
        return cls(answer.json()["client_id"], redirect_uri)

    @property
    def challenge(self) -> str:
        digest = hashlib.sha256(self.verifier.encode()).digest()
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()

    def request(self, **changes: str | list[str] | None) -> str:
        """The query string of an authorization request; None leaves a parameter out, a list sends it repeatedly."""
        asked: dict[str, Any] = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "scope": OWNER_SCOPES,
            "state": "as sent",
            "resource": MCP,
            "code_challenge": self.challenge,
            "code_challenge_method": "S256",
            **changes,
        }
        return urlencode({name: value for name, value in asked.items() if value is not None}, doseq=True)

    def redemption(self, code: str) -> dict[str, Any]:
        """The fields of a form that exchanges a code for tokens."""
        form = {"code": code, "redirect_uri": self.redirect_uri, "code_verifier": self.verifier}
        return {"grant_type": "authorization_code", **form}

    def redeem(self, code: str, /, **changes: str | list[str] | None) -> Any:
        return self.post("token", **{**self.redemption(code), **changes})

    def refresh(self, refresh_token: str, /, **changes: str | list[str] | None) -> Any:
        return self.post("token", **{"grant_type": "refresh_token", "refresh_token": refresh_token, **changes})

    def revoke(self, token: str, /, **changes: str | list[str] | None) -> Any:
        return self.post("revoke", **{"token": token, **changes})

    def post(self, endpoint: str, /, **fields: Any) -> Any:
        """Send a form; None leaves a field out, a list sends it repeatedly."""
        form = {"client_id": self.client_id, **fields}
        body = urlencode({name: value for name, value in form.items() if value is not None}, doseq=True)
        return self.http.post(f"/oauth/{endpoint}", body, content_type="application/x-www-form-urlencoded")


@dataclass
class Person:
    """An account, signed in in a browser."""

    user: User
    browser: Client = field(default_factory=program)

    def __post_init__(self) -> None:
        self.browser.force_login(self.user)

    def ask(self, client: AuthorizationClient, /, **changes: str | list[str] | None) -> Any:
        """Open the consent page; the answer is the page, or a redirect."""
        return self.browser.get(f"/oauth/authorize?{client.request(**changes)}")

    def decide(self, page: Any, decision: str = "allow", *, scope: str = OWNER_SCOPES, **fields: Any) -> Any:
        """Press a button on the consent page."""
        form = {"ticket": ticket_of(page), "decision": decision, "scope": scope.split(), **fields}
        return self.browser.post("/oauth/authorize", form)

    def allow(
        self, client: AuthorizationClient, /, *, scope: str = OWNER_SCOPES, **changes: str | list[str] | None
    ) -> str:
        """Allow access; returns the code."""
        return answer_of(self.decide(self.ask(client, **changes), scope=scope))["code"]

    def connect(
        self, client: AuthorizationClient, /, *, scope: str = OWNER_SCOPES, **changes: str | list[str] | None
    ) -> dict[str, Any]:
        """Allow access, and have the client redeem the code; returns its tokens."""
        answer = client.redeem(self.allow(client, scope=scope, **changes))
        assert answer.status_code == 200, answer.content
        tokens: dict[str, Any] = answer.json()
        return tokens


def register(metadata: Any, **options: Any) -> Any:
    """Introduce a client."""
    return program(**options).post("/oauth/register", metadata, content_type="application/json")


def ticket_of(page: Any) -> str:
    """The ticket on a consent page."""
    result = _TICKET.search(page.content.decode())
    assert result, (page.status_code, page.content)
    return result[1]


def status_of(access_token: str, resource: str = MCP) -> int:
    """What a resource says to a token, asked as REST clients and the MCP adapter ask."""
    parts = urlsplit(resource)
    caller = program(HTTP_HOST=parts.netloc, **({AUDIENCE_KEY: "/mcp"} if parts.path == "/mcp" else {}))
    answer = caller.get("/api/v1/me/listings", headers={"Authorization": f"Bearer {access_token}"})
    status: int = answer.status_code
    return status


def is_dead(tokens: dict[str, Any], client: AuthorizationClient) -> bool:
    """Whether neither token of a pair opens anything any more."""
    refreshed = client.refresh(tokens["refresh_token"])
    return status_of(tokens["access_token"]) == 401 and refreshed.status_code == 400


def out_of_order(text: str) -> Any:
    """Replaces the counters' scripts while Valkey does not answer."""
    raise RedisError(text)


def refused(answer: Any, *, status: int = 400, error: str | None = None) -> None:
    """Fail unless a client was refused in the way of RFC 6749, section 5.2, in JSON that no cache keeps."""
    assert answer.status_code == status, (answer.status_code, answer.content)
    assert answer["Content-Type"].split(";")[0] == "application/json"
    assert "no-store" in answer["Cache-Control"]
    said = answer.json()
    assert isinstance(said["error"], str)
    assert said["error_description"]
    assert not {"access_token", "refresh_token", "client_id"} & said.keys()
    if error is not None:
        assert said["error"] == error
