"""The setup page for people, and what programs read of a site: llms.txt and the API catalog."""

import base64
import json
import re
import shlex
import tomllib
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qs, urlsplit

import orjson
import pytest
from django.test import Client

from apps.core.api import schema
from apps.mcp.registry import read_tools
from apps.sites import guide
from apps.sites.guide import Addresses, snippets
from apps.sites.models import Site
from tests.factories import SiteFactory, UserFactory
from tests.process_caches import forget_everything

pytestmark = pytest.mark.django_db
HOST = "harbour.localhost"


@pytest.fixture
def second(settings: Any) -> Site:
    settings.PUBLIC_BASE_URL = "https://slipway.example"
    settings.PUBLIC_HOST = "slipway.example"
    settings.ALLOWED_HOSTS = ["slipway.example", HOST]
    settings.SECURE_SSL_REDIRECT = False
    site: Site = SiteFactory.create(host=HOST, name="Harbour & Sons", tagline="Boats first.")
    return site


def addresses(host: str = "slipway.example") -> Addresses:
    origin = f"https://{host}"
    return Addresses(
        origin=origin,
        mcp=f"{origin}/mcp",
        rest=f"{origin}/api/v1",
        openapi=f"{origin}/api/v1/openapi.json",
        mcp_metadata="",
        rest_metadata="",
        server_metadata="",
    )


class Shown(HTMLParser):
    """The texts that can be copied, and the addresses that are linked."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: list[str] = []
        self.links: list[str] = []
        self.codes: list[str] = []
        self._in_code = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "input" and "readonly" in values:
            self.fields.append(values["value"] or "")
        if tag == "a":
            self.links.append(values.get("href") or "")
        if tag == "pre":
            self._in_code = True
            self.codes.append("")

    def handle_endtag(self, tag: str) -> None:
        self._in_code = self._in_code and tag != "pre"

    def handle_data(self, data: str) -> None:
        if self._in_code:
            self.codes[-1] += data


def shown_on(client: Client, host: str) -> Shown:
    answer = client.get("/connect", headers={"host": host})
    assert answer.status_code == 200
    shown = Shown()
    shown.feed(answer.content.decode())
    return shown


def test_the_address_is_the_one_of_the_host(client: Client, second: Site) -> None:
    assert shown_on(client, HOST).fields == [f"https://{HOST}/mcp"]
    assert shown_on(client, "slipway.example").fields == ["https://slipway.example/mcp"]


def test_everything_to_copy_is_readable_without_javascript(client: Client, second: Site) -> None:
    shown = shown_on(client, HOST)
    texts = snippets(site=second, addresses=addresses(HOST))
    linked, name = texts.pop("cursor_link"), texts.pop("server_name")
    assert name == "harbour-sons"
    assert linked in shown.links
    assert sorted(shown.codes) == sorted(texts.values())


def test_public_tools_are_told_from_the_others(client: Client, site: Site) -> None:
    context = client.get("/connect").context
    tools = read_tools(schema.document())
    public = {name for name, tool in tools.items() if tool.scope is None}
    assert {tool.name for tool in context["public_tools"]} == public
    assert {tool.name for tool in context["account_tools"]} == tools.keys() - public


def test_an_address_of_this_computer_is_told_as_such(client: Client, site: Site, settings: Any) -> None:
    warning = "This address only works on this computer"
    assert warning in client.get("/connect").content.decode()
    settings.IS_LOOPBACK = False
    forget_everything()
    assert warning not in client.get("/connect").content.decode()


def test_the_page_is_linked_from_every_page_and_from_the_account(client: Client, site: Site) -> None:
    assert client.get("/").content.decode().count('href="/connect"') >= 2
    client.force_login(UserFactory.create())
    account = client.get("/account/keys").content.decode()
    assert 'href="/connect"' in account.split("<main")[1].split("</main")[0]
    page = client.get("/connect").content.decode()
    assert 'href="/account/apps"' in page
    assert 'href="/account/keys/new"' in page


def test_settings_are_of_the_form_that_the_clients_read(site: Site) -> None:
    texts = snippets(site=site, addresses=addresses())
    mcp = "https://slipway.example/mcp"
    assert json.loads(texts["cursor"])["mcpServers"]["slipway"] == {"url": mcp}
    assert json.loads(texts["cursor_key"])["mcpServers"]["slipway"]["headers"] == {
        "Authorization": "Bearer ${env:SLIPWAY_KEY}"
    }
    assert json.loads(texts["vscode_json"])["servers"]["slipway"] == {"type": "http", "url": mcp}
    vscode = json.loads(texts["vscode_key"])
    [asked] = vscode["inputs"]
    assert vscode["servers"]["slipway"]["headers"]["Authorization"] == f"Bearer ${{input:{asked['id']}}}"
    assert asked["password"] is True
    assert json.loads(texts["devin"])["mcpServers"]["slipway"]["url"] == mcp
    assert json.loads(texts["windsurf"])["mcpServers"]["slipway"] == {"serverUrl": mcp}
    assert json.loads(texts["other_key"])["mcpServers"]["slipway"]["headers"] == {"Authorization": "Bearer YOUR_KEY"}
    assert tomllib.loads(texts["codex_key"])["mcp_servers"]["slipway"] == {
        "url": mcp,
        "bearer_token_env_var": "SLIPWAY_KEY",
    }


@pytest.mark.parametrize(
    "name", ["claude_code", "claude_code_key", "codex", "gemini", "gemini_key", "vscode", "curl_key"]
)
def test_commands_survive_a_shell_whatever_the_site_is_called(name: str, site: Site) -> None:
    site.name = 'Tom\'s "Best" $(of) 日本'
    words = shlex.split(snippets(site=site, addresses=addresses())[name])
    assert any(word.startswith("https://slipway.example/") or '"https://slipway.example/mcp"' in word for word in words)
    assert not any("$(" in word for word in words)
    if name == "vscode":
        assert json.loads(words[2]) == {"name": "toms-best-of", "type": "http", "url": "https://slipway.example/mcp"}


def test_the_link_for_cursor_carries_the_address(site: Site) -> None:
    link = urlsplit(snippets(site=site, addresses=addresses())["cursor_link"])
    query = parse_qs(link.query)
    assert (link.scheme, link.netloc, link.path) == ("cursor", "anysphere.cursor-deeplink", "/mcp/install")
    assert query["name"] == ["slipway"]
    assert json.loads(base64.b64decode(query["config"][0])) == {"url": "https://slipway.example/mcp"}


def test_llms_txt_is_of_the_published_form_and_of_its_host(client: Client, second: Site) -> None:
    answer = client.get("/llms.txt", headers={"host": HOST})
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert set(answer["Cache-Control"].split(", ")) == {"public", "max-age=3600"}
    lines = answer.content.decode().splitlines()
    assert lines[0] == "# Harbour & Sons"
    assert lines[2].startswith("> Boats first. ")
    headings = ["# Harbour & Sons", "## Interfaces", "## Pages", "## Feeds"]
    assert [line for line in lines if line.startswith("#")] == headings
    listed = lines[lines.index("## Interfaces") + 1 :]
    assert all(re.fullmatch(r"- \[[^]]+\]\(https://\S+\)(: .+)?", line) for line in listed if line and line[0] != "#")
    text = "\n".join(lines)
    for path in ("/mcp", "/api/v1", "/api/v1/openapi.json", "/.well-known/oauth-protected-resource/mcp"):
        assert f"https://{HOST}{path}" in text
    assert "https://slipway.example/.well-known/oauth-authorization-server" in text
    assert "&amp;" not in text


def test_llms_txt_tells_the_flow_by_real_operations(client: Client, site: Site) -> None:
    text = client.get("/llms.txt").content.decode()
    steps = re.findall(r"^\d+\. (\w+) \((\w+) (\S+)\)", text, re.MULTILINE)
    paths = schema.document()["paths"]
    assert [name for name, _, _ in steps][:3] == ["create_draft", "get_draft", "submit_draft"]
    assert all(paths[path][method.lower()]["operationId"] == name for name, method, path in steps)
    assert (
        "\n3. submit_draft (POST /api/v1/drafts/{id}/submit): Submit a draft as a listing (when the status is" in text
    )


@pytest.mark.slow
def test_every_page_and_document_that_is_named_is_there(client: Client, site: Site) -> None:
    text = client.get("/llms.txt").content.decode()
    addressed = re.findall(r"\]\(http://[^/]+(/[^)]*)\)", text)
    assert len(addressed) > 10
    answers = {path: client.get(path).status_code for path in addressed if path != "/mcp"}
    assert set(answers.values()) == {200}, answers


def test_the_api_catalog_is_a_linkset_and_says_so_to_head(client: Client, second: Site) -> None:
    address = "/.well-known/api-catalog"
    answer = client.get(address, headers={"host": HOST})
    assert answer["Content-Type"].startswith("application/linkset+json")
    assert 'profile="https://www.rfc-editor.org/info/rfc9727"' in answer["Content-Type"]
    rest, mcp = orjson.loads(answer.content)["linkset"]
    assert (rest["anchor"], mcp["anchor"]) == (f"https://{HOST}/api/v1", f"https://{HOST}/mcp")
    assert rest["service-desc"][0]["href"] == f"https://{HOST}/api/v1/openapi.json"
    linked = [
        link["href"] for entry in (rest, mcp) for name, links in entry.items() if name != "anchor" for link in links
    ]
    for link in linked:
        assert client.get(urlsplit(link).path, headers={"host": HOST}).status_code == 200, link
    head = client.head(address, headers={"host": HOST})
    assert head["Link"] == f'<https://{HOST}{address}>; rel="api-catalog"'


@pytest.mark.parametrize("path", ["/connect", "/llms.txt", "/.well-known/api-catalog"])
def test_reading_only(client: Client, site: Site, path: str) -> None:
    assert client.post(path).status_code == 405


def test_llms_txt_names_the_calls_without_tools(client: Client, site: Site) -> None:
    text = client.get("/llms.txt").content.decode()
    [line] = re.findall(r"^- Over REST only, without MCP tools: (.+)\.$", text, re.MULTILINE)
    assert set(line.split(", ")) == guide.operations().keys() - read_tools(schema.document()).keys()
