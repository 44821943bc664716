"""Describe a site to assistants and people: URLs, tools, pages and commands to copy."""

import base64
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.text import slugify
from mcp_types.version import KNOWN_PROTOCOL_VERSIONS

from apps.core.api import schema
from apps.core.api.audience import Audience, metadata_url, origin_of, resource_of
from apps.core.api.operation import EXTENSION
from apps.sites.models import Site
from apps.sites.seo.feeds import FEED_LABELS

KEY_VARIABLE = "SLIPWAY_KEY"
# Below the MCP server's URL.
CARD_PATH = "/server-card"
# The oldest that is known had another transport.
MCP_VERSIONS = KNOWN_PROTOCOL_VERSIONS[1:]
_CARD_SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"
_REGISTRY_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

# The calls from a website URL to a paid launch, in order, with notes that the summaries don't have.
_FLOW = {
    "create_draft": "with the website's url",
    "get_draft": "poll while the status is crawling or drafting",
    "submit_draft": "when the status is ready. Returns listing_id",
    "choose_free_listing": "launch free. Needs the site's badge and a complete founder profile",
    "quote_order": "or launch paid: get the price with VAT",
    "create_checkout": "returns checkout_url, where the person pays",
    "get_order": "after payment",
}
_PAGES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("home", "This week's launches", ()),
    ("board", "Weekly leaderboard", ("community-weekly",)),
    ("boards", "Past leaderboards by week, month and year", ()),
    ("weeks", "Upcoming launch weeks", ()),
    ("pricing", "Pricing", ()),
    ("categories", "Categories", ()),
    ("search", "Search listings", ()),
    ("collections", "Collections, curated by people", ()),
    ("updates", "Latest product updates", ()),
    ("stories", "Founder stories", ()),
    ("founders", "Founders", ()),
    ("newsletter", "Weekly newsletter", ()),
    ("ranking", "How launches are ranked", ()),
    ("ledgers", "Vote ledgers", ()),
    ("transparency", "Votes by month, and reviewed votes", ()),
    ("connect", "Connect an assistant", ()),
    ("api_reference", "API reference with examples", ()),
    ("webhook_reference", "Webhooks: event types and verification", ()),
    ("crawler", "Our crawler, and how to block it", ()),
    ("terms", "Terms of use", ()),
    ("privacy", "Privacy", ()),
)
_FEEDS = (
    ("launches_feed", "Launches"),
    ("updates_feed", "Product updates"),
    ("stories_feed", "Founder stories"),
)


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation, with a tool of the same name if `is_tool`. A `scope` of None means no sign-in is needed."""

    name: str
    summary: str
    method: str
    path: str
    scope: str | None
    is_tool: bool


@dataclass(frozen=True, slots=True)
class Page:
    """A public page with its absolute URL."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class Addresses:
    """URLs of a site's interfaces and their descriptions, on the request's host."""

    origin: str
    mcp: str
    rest: str
    openapi: str
    mcp_metadata: str
    rest_metadata: str
    server_metadata: str

    @classmethod
    def of(cls, request: HttpRequest) -> "Addresses":
        return cls(
            origin=origin_of(request),
            mcp=resource_of(request, Audience.MCP),
            rest=resource_of(request, Audience.REST),
            openapi=f"{origin_of(request)}{reverse('openapi')}",
            mcp_metadata=metadata_url(request, Audience.MCP),
            rest_metadata=metadata_url(request, Audience.REST),
            server_metadata=f"{settings.PUBLIC_BASE_URL}/.well-known/oauth-authorization-server",
        )


def operations() -> dict[str, Operation]:
    """Return all operations by name, in OpenAPI order."""
    return {
        spec["operationId"]: Operation(
            name=spec["operationId"],
            summary=spec["summary"],
            method=method.upper(),
            path=path,
            scope=spec[EXTENSION]["scope"],
            is_tool=spec[EXTENSION].get("tool", True),
        )
        for path, methods in schema.document()["paths"].items()
        for method, spec in methods.items()
    }


def tools() -> list[Operation]:
    """Return the operations that are tools."""
    return [operation for operation in operations().values() if operation.is_tool]


def flow() -> list[tuple[Operation, str]]:
    """Return the owner's usual workflow, step by step, each with a note."""
    known = operations()
    return [(known[name], note) for name, note in _FLOW.items()]


def public_pages(origin: str) -> Iterator[Page]:
    """Return the public pages worth reading, without those this installation lacks."""
    for name, text, arguments in _PAGES:
        with suppress(NoReverseMatch):
            yield Page(text, f"{origin}{reverse(name, args=arguments)}")


def public_feeds(origin: str) -> Iterator[Page]:
    """Return every feed of the site in every format."""
    for name, text in _FEEDS:
        for kind, label in FEED_LABELS.items():
            yield Page(f"{text}, {label}", f"{origin}{reverse(name, kwargs={'kind': kind})}")


def description(site: Site) -> str:
    """Describe the site's interfaces in at most 100 characters, as the MCP registry wants it."""
    return f"Draft, publish and launch product listings on {site.name}, and read its leaderboards."


def server_card(site: Site, addresses: Addresses) -> dict[str, Any]:
    """Return the MCP server card of a site. Tools are in tools/list alone."""
    remote = {**_remote(addresses.mcp), "supportedProtocolVersions": list(MCP_VERSIONS)}
    return {"$schema": _CARD_SCHEMA, **_server(site), "remotes": [remote]}


def registry_entry(site: Site) -> dict[str, Any]:
    """Return the server.json that publishes a site's MCP server in the MCP registry."""
    return {"$schema": _REGISTRY_SCHEMA, **_server(site), "remotes": [_remote(site.url(settings.MCP_PATH))]}


def _server(site: Site) -> dict[str, Any]:
    return {
        "name": f"{'.'.join(reversed(site.host.split('.')))}/{site.key}",
        "title": site.name,
        "description": description(site),
        "version": settings.SPECTACULAR_SETTINGS["VERSION"],
        "websiteUrl": site.url(reverse("connect")),
    }


def _remote(url: str) -> dict[str, Any]:
    return {"type": "streamable-http", "url": url}


def snippets(*, site: Site, addresses: Addresses) -> dict[str, str]:
    """Return configuration to copy by client name. Names that end in `_key` contain an API key.

    Formats follow each client's documentation as of November 2026.
    """
    name, mcp = slugify(site.name) or site.key, addresses.mcp
    bearer = f"Bearer ${KEY_VARIABLE}"
    vscode_input = {
        "type": "promptString",
        "id": f"{name}-key",
        "description": f"{site.name} API key",
        "password": True,
    }
    vscode_headers = {"Authorization": f"Bearer ${{input:{name}-key}}"}
    return {
        "server_name": name,
        "claude_code": f"claude mcp add --transport http --scope user {name} {mcp}",
        "claude_code_key": f'claude mcp add --transport http {name} {mcp} --header "Authorization: {bearer}"',
        "codex": f"codex mcp add {name} --url {mcp}\ncodex mcp login {name}",
        "codex_key": f'[mcp_servers.{name}]\nurl = "{mcp}"\nbearer_token_env_var = "{KEY_VARIABLE}"',
        "gemini": f"gemini mcp add --scope user --transport http {name} {mcp}",
        "gemini_key": f'gemini mcp add --transport http --header "Authorization: {bearer}" {name} {mcp}',
        "cursor": _json({"mcpServers": {name: {"url": mcp}}}),
        "cursor_key": _json(
            {"mcpServers": {name: {"url": mcp, "headers": {"Authorization": f"Bearer ${{env:{KEY_VARIABLE}}}"}}}}
        ),
        "cursor_link": _cursor_link(name, mcp),
        "vscode": f"code --add-mcp '{json.dumps({'name': name, 'type': 'http', 'url': mcp})}'",
        "vscode_json": _json({"servers": {name: {"type": "http", "url": mcp}}}),
        "vscode_key": _json(
            {
                "inputs": [vscode_input],
                "servers": {name: {"type": "http", "url": mcp, "headers": vscode_headers}},
            }
        ),
        "devin": _json({"mcpServers": {name: {"url": mcp, "transport": "http"}}}),
        "windsurf": _json({"mcpServers": {name: {"serverUrl": mcp}}}),
        "other": _json({"mcpServers": {name: {"type": "http", "url": mcp}}}),
        "other_key": _json(
            {"mcpServers": {name: {"type": "http", "url": mcp, "headers": {"Authorization": "Bearer YOUR_KEY"}}}}
        ),
        "curl_key": f'curl -H "Authorization: {bearer}" {addresses.rest}/me/listings',
    }


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, indent=2)


def _cursor_link(name: str, mcp: str) -> str:
    configuration = base64.b64encode(json.dumps({"url": mcp}).encode()).decode()
    return f"cursor://anysphere.cursor-deeplink/mcp/install?name={quote(name)}&config={quote(configuration)}"
