"""Pages of a site at acme.com, for tests of what is read there."""

import json
from typing import Any

from apps.drafts.extraction import Proposal, ReadPage, draft_listing

HOME = "https://www.acme.com/"


def page(body: str = "", *, path: str = "", head: str = "", lang: str = "en", host: str = HOME) -> ReadPage:
    """A page at a path of the site."""
    html = f'<!doctype html><html lang="{lang}"><head>{head}</head><body>{body}</body></html>'
    return ReadPage.open(html.encode(), url=f"{host}{path}", content_type="text/html; charset=utf-8")


def json_ld(data: Any) -> str:
    """A script that declares it."""
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


def home(body: str = "", *, head: str = "", lang: str = "en", host: str = HOME) -> ReadPage:
    """The home page of a product called Acme."""
    return page(body, head=f"<title>Acme</title>{head}", lang=lang, host=host)


def draft(*pages: ReadPage) -> Proposal:
    """What is proposed from these pages, of which the first is the home page."""
    return draft_listing(pages)


def field(name: str, *pages: ReadPage) -> Any:
    """One field of that; None if it is missing."""
    return draft(*pages).fields.get(name)
