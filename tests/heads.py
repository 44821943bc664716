"""What the head of a page says, as programs read it."""

import json
import re
from html import unescape
from typing import Any

_SCRIPT = re.compile(r'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)
_META = re.compile(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">')
_CANONICAL = re.compile(r'<link rel="canonical" href="([^"]*)">')


def graph_of(html: str) -> list[dict[str, Any]]:
    """Everything that the page describes in JSON-LD; there is one script at most."""
    found = _SCRIPT.findall(html)
    assert len(found) <= 1
    graph: list[dict[str, Any]] = json.loads(found[0])["@graph"] if found else []
    return graph


def thing_of(html: str, kind: str) -> dict[str, Any]:
    """The one thing of a type of schema.org that the page describes."""
    (found,) = (thing for thing in graph_of(html) if thing["@type"] == kind)
    return found


def meta_of(html: str) -> dict[str, str]:
    """The meta elements by name or property; none is there twice."""
    found = _META.findall(html)
    told = {name: unescape(content) for name, content in found}
    assert len(told) == len(found), "a meta element is there twice"
    return told


def canonical_of(html: str) -> str:
    """The canonical address; empty where the page has none."""
    found = [unescape(address) for address in _CANONICAL.findall(html)]
    assert len(found) <= 1
    return found[0] if found else ""
