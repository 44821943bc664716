"""MCP Apps (SEP-1865): the draft and the order as pages inside a client that shows such pages."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID, Apps, ResourceCsp

DRAFT, ORDER = "ui://slipway/draft.html", "ui://slipway/order.html"
# The tools whose answers a page shows.
PAGES = {
    **dict.fromkeys(("create_draft", "get_draft", "update_draft", "recrawl_listing"), DRAFT),
    **dict.fromkeys(("create_checkout", "get_order"), ORDER),
}
SETTINGS = {EXTENSION_ID: {"mimeTypes": [APP_MIME_TYPE]}}
_TITLES = {DRAFT: "Draft review", ORDER: "Order"}
_FOLDER = Path(__file__).parent


def declares_apps(capabilities: Any) -> bool:
    """Return whether a client's unvalidated capabilities include MCP Apps."""
    extensions = capabilities.get("extensions") if isinstance(capabilities, Mapping) else None
    settings = extensions.get(EXTENSION_ID) if isinstance(extensions, Mapping) else None
    kinds = settings.get("mimeTypes") if isinstance(settings, Mapping) else None
    return isinstance(kinds, list) and APP_MIME_TYPE in kinds


def with_page(tool: types.Tool) -> types.Tool:
    """Return the definition of a tool with the page that shows its answers, if there is one."""
    page = PAGES.get(tool.name)
    return tool.model_copy(update={"meta": {**(tool.meta or {}), "ui": {"resourceUri": page}}}) if page else tool


@cache
def resources() -> list[types.Resource]:
    """Return both pages as they are listed."""
    return [
        types.Resource(
            uri=str(one.uri), name=one.name, title=one.title, description=None, mime_type=one.mime_type, _meta=one.meta
        )
        for one in _registered()
    ]


@cache
def contents() -> dict[str, types.TextResourceContents]:
    """Return the HTML of both pages by address."""
    return {
        str(one.uri): types.TextResourceContents(
            uri=str(one.uri), mime_type=one.mime_type, text=one.text, _meta=one.meta
        )
        for one in _registered()
    }


@cache
def _registered() -> list[Any]:
    apps = Apps()
    for uri, title in _TITLES.items():
        # Everything is inside the page: it may connect to nothing.
        apps.add_html_resource(
            uri,
            _page(uri.rsplit("/", 1)[1]),
            name=title.lower().replace(" ", "_"),
            title=title,
            csp=ResourceCsp(connect_domains=[], resource_domains=[], frame_domains=[], base_uri_domains=[]),
            prefers_border=True,
        )
    return [binding.resource for binding in apps.resources()]


def _page(name: str) -> str:
    page = (_FOLDER / name).read_text()
    for part in ("style.css", "host.js"):
        page = page.replace(f"/* {part} */", (_FOLDER / part).read_text())
    return page
