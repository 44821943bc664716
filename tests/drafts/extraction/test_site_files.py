"""Files for programs at well-known addresses: which are what they say, and what they lead to."""

import json
from hashlib import sha256
from typing import Any

import pytest

from apps.drafts.extraction import SiteFile, draft_listing, is_what_it_says
from apps.drafts.extraction.site.site_files import MANIFEST
from tests.drafts.extraction.pages import HOME, home

LLMS = "# Acme\n\n> Invoices that write\n> themselves.\n\n## Links\n- [Docs](/docs/start): how to begin\n"


def file(path: str, content: Any) -> SiteFile:
    text = content if isinstance(content, str) else json.dumps(content)
    return SiteFile(path, f"{HOME}{path[1:]}", sha256(text.encode()).hexdigest(), text)


@pytest.mark.parametrize(
    ("path", "content", "expected"),
    [
        ("/llms.txt", LLMS, True),
        ("/llms.txt", "See [docs](https://acme.com/docs)", True),
        ("/llms.txt", "<!doctype html><title># Acme</title>", False),
        ("/llms.txt", "Not found", False),
        ("/llms.txt", "", False),
        ("/openapi.json", {"openapi": "3.1.0", "paths": {}}, True),
        ("/openapi.json", {"swagger": "2.0"}, True),
        ("/openapi.json", {"error": "not found"}, False),
        ("/openapi.json", ["openapi"], False),
        ("/openapi.json", "[" * 100_000, False),
        ("/.well-known/mcp.json", {"url": "https://mcp.acme.com/"}, True),
        ("/.well-known/mcp.json", " <html>", False),
    ],
)
def test_a_file_is_what_its_address_says_or_is_not_used(path: str, content: Any, expected: bool) -> None:
    assert is_what_it_says(file(path, content)) is expected


@pytest.mark.parametrize(
    ("path", "content", "field", "value"),
    [
        ("/llms.txt", LLMS, "llms_url", f"{HOME}llms.txt"),
        ("/llms.txt", LLMS, "docs_url", f"{HOME}docs/start"),
        ("/openapi.json", {"openapi": "3.1.0"}, "openapi_url", f"{HOME}openapi.json"),
        ("/.well-known/mcp.json", {"servers": [{"url": "https://mcp.acme.com/"}]}, "mcp_url", "https://mcp.acme.com/"),
        (
            "/.well-known/oauth-protected-resource",
            {"resource": "https://acme.com/mcp", "authorization_servers": ["https://acme.com/"]},
            "mcp_url",
            "https://acme.com/mcp",
        ),
        ("/.well-known/mcp.json", {"url": "https://mcp.other.com/"}, "mcp_url", None),
        ("/.well-known/oauth-protected-resource", {"resource": "https://acme.com/api"}, "mcp_url", None),
    ],
)
def test_files_are_sources_of_links(path: str, content: Any, field: str, value: str | None) -> None:
    proposal = draft_listing([home()], [file(path, content)])
    assert proposal.fields.get(field) == value
    sources = [item for item in proposal.evidence if item.field == field]
    assert [item.page_url for item in sources] == ([f"{HOME}{path[1:]}"] if value else [])


def test_a_linked_page_of_documentation_comes_before_one_in_a_file() -> None:
    proposal = draft_listing([home('<a href="/documentation">Docs</a>')], [file("/llms.txt", LLMS)])
    assert proposal.fields["docs_url"] == f"{HOME}documentation"


def test_a_manifest_gives_the_pictures_of_an_app() -> None:
    icons = [{"src": "/s.png", "sizes": "48x48"}, {"src": "/l.png", "sizes": "any 512x512"}, "no", {"src": 4}]
    content = {"name": "Acme", "icons": icons, "screenshots": [{"src": "shots/a.png", "sizes": "1280x800"}]}
    manifest = SiteFile(MANIFEST, f"{HOME}app.webmanifest", "0", json.dumps(content))
    fields = draft_listing([home(head="<title>x</title>")], [manifest]).fields
    assert (fields["logo_url"], fields["screenshots"]) == (f"{HOME}l.png", [f"{HOME}shots/a.png"])
