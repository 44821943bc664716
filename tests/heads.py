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
    result = _SCRIPT.findall(html)
    assert len(result) <= 1
    graph: list[dict[str, Any]] = json.loads(result[0])["@graph"] if result else []
    return graph


def thing_of(html: str, kind: str) -> dict[str, Any]:
    """The one thing of a type of schema.org that the page describes."""
    (result,) = (thing for thing in graph_of(html) if thing["@type"] == kind)
    return result


def meta_of(html: str) -> dict[str, str]:
    """The meta elements by name or property; none is there twice."""
    result = _META.findall(html)
    told = {name: unescape(content) for name, content in result}
    assert len(told) == len(result), "a meta element is there twice"
    return told


def canonical_of(html: str) -> str:
    """The canonical address; empty where the page has none."""
    result = [unescape(address) for address in _CANONICAL.findall(html)]
    assert len(result) <= 1
    return result[0] if result else ""
