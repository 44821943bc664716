"""Pages for the draft and the order, for clients that show MCP Apps; the others notice nothing."""

import re
from typing import Any

import pytest
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID

from apps.mcp.subscriptions import FIRST
from apps.mcp.widgets import DRAFT, ORDER, PAGES, contents, declares_apps
from tests.mcp.clients import VERSIONS, post
from tests.mcp.test_transport import of_version

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
