"""Pages for the draft and the order, for clients that show MCP Apps; the others notice nothing."""

import json
import re
from typing import Any

import pytest
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID

from apps.mcp.subscriptions import FIRST
from apps.mcp.widgets import DRAFT, ORDER, PAGES, contents, declares_apps
from tests.mcp.clients import VERSIONS, post
from tests.mcp.test_transport import of_version
from tests.node import run_node

APPS = {"extensions": {EXTENSION_ID: {"mimeTypes": [APP_MIME_TYPE]}}}
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"


def opening(version: str, capabilities: dict[str, Any]) -> dict[str, Any]:
    params = {
        "protocolVersion": version,
        "capabilities": capabilities,
        "clientInfo": {"name": "tests", "version": "1"},
    }
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}


def ask(base_url: str, version: str, method: str, capabilities: dict[str, Any], **params: Any) -> dict[str, Any]:
    """The answer to a client with these capabilities, which it declares as its version has it."""
    message, headers = of_version({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, version)
    if version == "2026-07-28":
        message["params"]["_meta"] = message["params"]["_meta"] | {CAPABILITIES: capabilities}
        headers |= {"mcp_name": params["uri"]} if "uri" in params else {}
    else:
        opened = post(base_url, opening(version, capabilities), mcp_protocol_version=version)
        headers |= {"mcp_session_id": opened.headers.get("mcp-session-id", "")} if capabilities else {}
    answer: dict[str, Any] = post(base_url, message, **headers).json()
    return answer


@pytest.mark.django_db
@pytest.mark.parametrize("version", VERSIONS)
def test_clients_that_show_pages_get_two(version: str, base_url: str) -> None:
    tools = ask(base_url, version, "tools/list", APPS)["result"]["tools"]
    listed = ask(base_url, version, "resources/list", APPS)["result"]["resources"]

    assert {tool["name"]: tool["_meta"]["ui"]["resourceUri"] for tool in tools if "ui" in tool["_meta"]} == PAGES
    pages = {one["uri"]: one["mimeType"] for one in listed if one["uri"] != FIRST}
    assert pages == {DRAFT: APP_MIME_TYPE, ORDER: APP_MIME_TYPE}
    for uri in (DRAFT, ORDER):
        [content] = ask(base_url, version, "resources/read", APPS, uri=uri)["result"]["contents"]
        assert content["text"] == contents()[uri].text
        assert set(map(tuple, content["_meta"]["ui"]["csp"].values())) == {()}
    assert "error" in ask(base_url, version, "resources/read", APPS, uri="ui://slipway/none.html")


@pytest.mark.django_db
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("capabilities", [{}, {"extensions": {EXTENSION_ID: {"mimeTypes": ["text/html"]}}}])
def test_for_the_others_nothing_changes(version: str, capabilities: dict[str, Any], base_url: str) -> None:
    tools = ask(base_url, version, "tools/list", capabilities)["result"]["tools"]

    assert not [tool for tool in tools if "ui" in tool["_meta"]]
    listed = ask(base_url, version, "resources/list", capabilities)["result"]["resources"]
    assert [one["uri"] for one in listed] == [FIRST]
    assert "error" in ask(base_url, version, "resources/read", capabilities, uri=DRAFT)
    if version != "2026-07-28":
        opened = post(base_url, opening(version, capabilities), mcp_protocol_version=version)
        assert set(opened.json()["result"]["capabilities"]) == {"tools", "resources"}
        assert "mcp-session-id" not in opened.headers


@pytest.mark.parametrize("declared", [None, [], {"extensions": 1}, {"extensions": {EXTENSION_ID: None}}, {"x": APPS}])
def test_odd_declarations_are_none(declared: Any) -> None:
    assert not declares_apps(declared)


@pytest.mark.parametrize("uri", [DRAFT, ORDER])
def test_a_page_has_everything_inside(uri: str) -> None:
    page = contents()[uri].text
    assert not re.findall(
        r"https?:|\bsrc=|href=|url\(|@import|import\(|fetch|XMLHttp|WebSocket|innerHTML|/\* \w+\.", page
    )


# As much of a browser as the pages use. The program around the page answers every request with nothing.
BROWSER = """
class Element {
  constructor(tag) { this.tag = tag; this.textContent = ""; this.children = []; }
  append(...children) { this.children.push(...children); }
  replaceChildren(...children) { this.textContent = ""; this.children = children; }
  addEventListener() {}
  setAttribute() {}
  get text() { return [this.textContent, ...this.children.map((one) => one.text ?? one)].filter(Boolean).join(" "); }
}
const main = new Element("main");
let receive;
globalThis.document = { createElement: (tag) => new Element(tag), querySelector: () => main };
globalThis.ResizeObserver = class { observe() {} };
globalThis.window = {
  addEventListener: (_, listener) => { receive = (data) => listener({ source: window.parent, data }); },
  parent: { postMessage: ({ id }) => id && receive({ jsonrpc: "2.0", id, result: {} }) },
};
"""
ORDER_ANSWER = {
    "number": "SL-1",
    "status": "paid",
    "currency": "usd",
    "discount_cents": 0,
    "total_cents": 11781,
}


def shown(uri: str, answer: dict[str, Any]) -> str:
    """Run the script of a page in Node.js and return the text that it shows for a tool's answer."""
    [script] = re.findall(r"<script>(.*)</script>", contents()[uri].text, re.DOTALL)
    result = {"method": "ui/notifications/tool-result", "jsonrpc": "2.0", "params": {"structuredContent": answer}}
    return run_node(script=f"{BROWSER}{script}\nreceive({json.dumps(result)});\nconsole.log(main.text);")


@pytest.mark.interop
def test_an_order_is_shown_with_its_vat() -> None:
    line = {"title": "Paid launch", "listing_name": "Orbitly", "quantity": 1, "net_cents": 9900, "discount_cents": 0}
    vat = {"rate": 1900, "country": "DE", "amount_cents": 1881}
    text = shown(ORDER, {**ORDER_ANSWER, "lines": [line], "vat": vat})
    assert "Paid launch · Orbitly $99.00 VAT 19% DE $18.81 Total $117.81" in text
    assert "VAT 25.5% FI" in shown(ORDER, {**ORDER_ANSWER, "vat": {**vat, "rate": 2550, "country": "FI"}})


@pytest.mark.interop
def test_a_short_order_is_shown_without_lines_and_vat() -> None:
    assert shown(ORDER, ORDER_ANSWER).split() == ["Order", "SL-1", "Status:", "paid", "Total", "$117.81"]
