"""What a person does when an assistant asks for access: sign in, look, allow or deny, disconnect."""

import base64
import hashlib
import re
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2
import pytest

from apps.core.api.scopes import SCOPE_TEXTS, Scope
from tests.browser.axe import violations
from tests.browser.conftest import visit, with_script
from tests.browser.playwright import Browser, Page, expect
from tests.browser.test_sign_in import sign_in
from tests.installation import Account
from tests.running import Running
from tests.waiting import PATIENCE_SECONDS

# What Chromium notes of a page that says why a request for access ends there.
REFUSED = "the server responded with a status of 400 "
LISTINGS_TOOL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "list_my_listings", "arguments": {}},
}


@dataclass
class Assistant:
    """A program that registers itself, and waits for a code on loopback."""

    slipway: Running
    redirect_uri: str
    name: str
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    client_id: str = ""

    def __post_init__(self) -> None:
        metadata = {"client_name": self.name, "redirect_uris": [self.redirect_uri]}
        answer = httpx2.post(f"{self.slipway.base_url}/oauth/register", json=metadata, timeout=PATIENCE_SECONDS)
        self.client_id = answer.raise_for_status().json()["client_id"]

    @property
    def address(self) -> str:
        digest = hashlib.sha256(self.verifier.encode()).digest()
        asked = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "state": "as sent",
            "scope": "account:read listings:write orders:write",
            "resource": self.slipway.up["mcp_url"],
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
        return f"/oauth/authorize?{urlencode(asked)}"

    def redeem(self, code: str) -> dict[str, str]:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "code_verifier": self.verifier,
        }
        answer = httpx2.post(f"{self.slipway.base_url}/oauth/token", data=form, timeout=PATIENCE_SECONDS)
        token: dict[str, str] = answer.raise_for_status().json()
        return token

    def call(self, access_token: str) -> httpx2.Response:
        headers = {"Authorization": f"Bearer {access_token}", "Accept": "application/json, text/event-stream"}
        return httpx2.post(self.slipway.up["mcp_url"], json=LISTINGS_TOOL, headers=headers, timeout=PATIENCE_SECONDS)


class _Sending(BaseHTTPRequestHandler):
    target: str | None

    def do_GET(self) -> None:
        self.send_response(302 if self.target else 200)
        self.send_header(*(("Location", self.target) if self.target else ("Content-Type", "text/plain")))
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        pass


@contextmanager
def sending_on(target: str | None) -> Iterator[int]:
    """A page on loopback that sends people on, or where they end up; yields its port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Sending,), {"target": target}))
    thread = threading.Thread(target=server.serve_forever, args=(0.005,))
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def came_back(page: Page, assistant: Assistant) -> dict[str, list[str]]:
    page.wait_for_url(lambda url: url.startswith(assistant.redirect_uri))
    return parse_qs(urlsplit(page.url).query)


def test_allowing_less_and_disconnecting(page: Page, slipway: Running, account: Account) -> None:
    assistant = Assistant(slipway, "https://assistant.example.com/callback", f"Assistant {secrets.token_hex(4)}")
    page.goto(assistant.address)
    sign_in(page, account.email, account.password)
    main = page.get_by_role("main")
    expect(main).to_contain_text("An unverified app at assistant.example.com wants to access")
    expect(main).to_contain_text(f"Self-reported name: {assistant.name}")
    expect(main).to_contain_text(account.email)
    expect(main).to_contain_text("assistant.example.com")
    main.get_by_label(SCOPE_TEXTS[Scope.ORDERS_WRITE]).uncheck()
    main.get_by_role("button", name="Allow access").click()
    said = came_back(page, assistant)
    assert said["state"] == ["as sent"]
    assert said["iss"] == [slipway.base_url]
    token = assistant.redeem(said["code"][0])
    assert token["scope"] == "account:read listings:write"
    assert assistant.call(token["access_token"]).status_code == 200

    page.goto("/account/apps")
    row = page.get_by_role("main").get_by_role("listitem").filter(has_text=assistant.name)
    expect(row).to_contain_text(SCOPE_TEXTS[Scope.LISTINGS_WRITE])
    row.get_by_role("button", name=re.compile("Disconnect")).click()
    expect(page.get_by_role("main")).to_contain_text("disconnected")
    assert assistant.call(token["access_token"]).status_code == 401


@with_script
def test_both_answers_look_the_same(signed_in: Page, slipway: Running) -> None:
    page, assistant = signed_in, Assistant(slipway, "https://claude-ai-login.example/callback", "Claude by Anthropic")
    page.goto(assistant.address)
    main = page.get_by_role("main")
    expect(main).to_contain_text("We're hiding its name")
    expect(main).not_to_contain_text("Anthropic")
    page.wait_for_load_state("load")
    answers = [main.get_by_role("button", name=name) for name in ("Deny", "Allow access")]
    looks = [
        answer.evaluate(
            "one => { const {backgroundColor, color, borderColor, fontWeight, fontSize} = getComputedStyle(one);"
            "return [backgroundColor, color, borderColor, fontWeight, fontSize] }"
        )
        for answer in answers
    ]
    boxes = [answer.bounding_box() for answer in answers]
    assert looks[0] == looks[1]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert (boxes[0]["width"], boxes[0]["height"]) == (boxes[1]["width"], boxes[1]["height"])


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_pages_of_an_app_that_nobody_knows_are_accessible(
    width: int, scheme: Literal["light", "dark"], browser: Browser, slipway: Running, account: Account
) -> None:
    host = "a-rather-long-name-of-a-host-that-has-to-be-broken-somewhere.claude-ai-login.example:8443"
    assistant = Assistant(slipway, f"https://{host}/callback", "A helper with quite a long name of its own")
    looks: dict[str, Any] = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
    with visit(browser, slipway.base_url, session=account.session, noted=(REFUSED,), **looks) as page:
        for address in (assistant.address, f"{assistant.address}&prompt=none", "/oauth/authorize?client_id=unknown"):
            page.goto(address)
            expect(page.get_by_role("heading", level=1)).to_be_visible()
            assert violations(page) == [], address
            assert page.evaluate("document.documentElement.scrollWidth") <= width, address


def test_a_silent_request_ends_here(browser: Browser, slipway: Running, account: Account) -> None:
    """Nobody is sent to an address that anybody can register, unless they press a button."""
    assistant = Assistant(slipway, "https://assistant.example.com/callback", "A silent assistant")
    with visit(browser, slipway.base_url, session=account.session, noted=(REFUSED,)) as page:
        page.goto(f"{assistant.address}&prompt=none")
        assert urlsplit(page.url).path == "/oauth/authorize"
        expect(page.get_by_role("main")).to_contain_text("assistant.example.com")
        page.get_by_role("link", name="Review request").click()
        expect(page.get_by_role("button", name="Allow access")).to_be_visible()
        page.go_back()
        back = page.get_by_role("link", name="Return to the app").get_attribute("href")
        assert back is not None
        assert back.startswith(f"{assistant.redirect_uri}?error=consent_required&")


def test_denying_access(signed_in: Page, slipway: Running) -> None:
    with sending_on(None) as port:
        assistant = Assistant(slipway, f"http://127.0.0.1:{port}/callback", "Another assistant")
        signed_in.goto(assistant.address)
        signed_in.get_by_role("main").get_by_role("button", name="Deny").click()
        said = came_back(signed_in, assistant)
        # A whole browser asks the program for its icon.
        signed_in.goto("about:blank")
    assert said["error"] == ["access_denied"]
    assert said["state"] == ["as sent"]
    assert said["iss"] == [slipway.base_url]
    assert "code" not in said


@with_script
def test_a_client_that_sends_people_on(signed_in: Page, slipway: Running) -> None:
    """Chromium holds the whole chain of redirects after the form to the page's policy."""
    page = signed_in
    with sending_on(None) as last, sending_on(f"http://localhost:{last}/done") as first:
        assistant = Assistant(slipway, f"http://127.0.0.1:{first}/callback", "A program that sends on")
        page.goto(assistant.address)
        page.get_by_role("button", name="Allow access").click()
        page.wait_for_url(f"http://localhost:{last}/done")
