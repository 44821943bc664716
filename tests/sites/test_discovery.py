"""Programs find the site's interfaces without help."""

import json
from datetime import datetime, timedelta
from io import StringIO

import httpx2
import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from jsonschema import Draft202012Validator

from apps.core.api import schema
from apps.core.web.markdown.to_markdown import to_markdown
from apps.mcp.registry import read_tools
from apps.sites.models import Site
from config import __version__
from tests.factories import ListingFactory, UserFactory
from tests.mcp.clients import VERSIONS

TOOLS = read_tools(schema.document())
pytestmark = pytest.mark.django_db

URN = r"^urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._-]+)+$"
ENTRY = {
    "type": "object",
    "required": ["identifier", "displayName", "type", "url", "representativeQueries"],
    "properties": {
        "identifier": {"type": "string", "pattern": URN},
        "representativeQueries": {"type": "array", "minItems": 2, "maxItems": 5, "items": {"type": "string"}},
    },
}
SERVER = {
    "type": "object",
    "required": ["$schema", "name", "description", "version", "remotes"],
    "properties": {
        "name": {"type": "string", "pattern": r"^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$", "minLength": 3, "maxLength": 200},
        "title": {"type": "string", "minLength": 1, "maxLength": 100},
        "description": {"type": "string", "minLength": 1, "maxLength": 100},
        "version": {"type": "string", "maxLength": 255},
        "remotes": {"type": "array", "minItems": 1, "items": {"properties": {"type": {"const": "streamable-http"}}}},
    },
}


@pytest.fixture
def site() -> Site:
    return Site.objects.get(is_default=True)


@pytest.fixture
def visitor(site: Site) -> Client:
    return Client(headers={"host": site.host})


@pytest.mark.parametrize("path", ["/.well-known/ard.json", "/.well-known/ai-catalog.json"])
def test_the_catalog_leads_to_the_server_card(visitor: Client, path: str) -> None:
    answer = visitor.get(path)
    [entry] = answer.json()["entries"]

    assert (answer.json()["specVersion"], answer["Access-Control-Allow-Origin"]) == ("1.0", "*")
    Draft202012Validator(ENTRY).validate(entry)
    # Programs that check catalogs warn of other types, such as an OpenAPI document.
    assert entry["type"] == "application/mcp-server-card+json"
    assert visitor.get(httpx2.URL(entry["url"]).path)["Content-Type"].partition(";")[0] == entry["type"]
    assert sorted(entry["capabilities"]) == sorted(TOOLS)


def test_the_server_card_names_the_server_and_its_versions(visitor: Client) -> None:
    card = visitor.get("/mcp/server-card").json()
    [remote] = card["remotes"]

    Draft202012Validator(SERVER).validate(card)
    assert remote["url"].endswith("/mcp")
    assert tuple(remote["supportedProtocolVersions"]) == VERSIONS
    assert "tools" not in card
    assert card["version"] == schema.document()["info"]["version"] == __version__


def test_server_json_is_what_the_registry_takes(site: Site) -> None:
    written = StringIO()
    call_command("server_json", stdout=written)
    entry = json.loads(written.getvalue())

    Draft202012Validator(SERVER).validate(entry)
    assert entry["remotes"] == [{"type": "streamable-http", "url": site.url("/mcp")}]


def test_security_txt_has_a_contact_and_has_not_expired(visitor: Client) -> None:
    lines = visitor.get("/.well-known/security.txt").content.decode().splitlines()
    fields = dict(line.split(": ", 1) for line in lines)

    assert fields["Contact"].startswith(("mailto:", "https://"))
    assert timezone.now() < datetime.fromisoformat(fields["Expires"]) < timezone.now() + timedelta(days=365)


def test_pages_are_markdown_under_their_own_address(visitor: Client) -> None:
    listing = ListingFactory.create(live=True, company__name="Tidewater", headline="Tides [for] all")
    answer = visitor.get(f"/listings/{listing.slug}.md")
    text = answer.content.decode()

    assert answer["Content-Type"] == "text/markdown; charset=utf-8"
    assert "# Tidewater" in text
    assert r"Tides \[for\] all" in text
    assert "<" not in text.replace(r"\<", "")


def test_clients_that_prefer_markdown_get_it_where_no_cache_mixes_it_up(visitor: Client) -> None:
    page = visitor.get("/", headers={"accept": "text/html,*/*;q=0.8"})
    text = visitor.get("/", headers={"accept": "text/markdown, text/html;q=0.9", "accept-encoding": "br, gzip"})

    assert page["Content-Type"].startswith("text/html")
    assert text["Content-Type"].startswith("text/markdown")
    assert ("no-store" in text["Cache-Control"], "Accept" in text["Vary"]) == (True, True)
    assert visitor.get("/index.md").content == text.content
    assert visitor.get("/")["Content-Type"].startswith("text/html")


@pytest.mark.parametrize("path", ["/account/keys.md", "/nothing.md", "/listings/none.md"])
def test_what_is_no_public_page_is_no_markdown(visitor: Client, path: str) -> None:
    assert not visitor.get(path)["Content-Type"].startswith("text/markdown")


def test_markdown_keeps_headings_links_lists_and_drops_controls() -> None:
    page = """<header>Menu</header><main><h1>A <em>B</em></h1><p>One <a href="/x y">two</a>.<br>*three*</p>
    <ul><li>four<li><b>five</b></ul><form><button>Vote</button></form><p hidden>six</p><pre>a  b</pre>
    <table><tr><th>k<th>v</table></main>"""
    text = to_markdown(page, url="https://a.example/")

    assert text.startswith("# A B\n\nOne [two](https://a.example/x%20y)")
    assert all(part in text for part in (r"\*three\*", "- four", "- **five**", "```\na  b\n```", "- k | v"))
    assert not {"Menu", "Vote", "six"} & set(text.split())


@pytest.mark.parametrize(
    ("path", "tools"), [("/", {"search_listings"}), ("/search", {"filter_listings"}), ("/drafts/new", {"create_draft"})]
)
def test_forms_are_tools_of_the_browser(visitor: Client, path: str, tools: set[str]) -> None:
    visitor.force_login(UserFactory.create())
    page = visitor.get(path).content.decode()
    assert all(f'toolname="{tool}" tooldescription="' in page for tool in tools)
