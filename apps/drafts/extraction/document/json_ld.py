"""Parse JSON-LD as found in practice: with comments, trailing commas, CDATA marks and raw control characters.

Strict parsing fails for one script in twenty. This parser repairs what is unambiguous and gives up otherwise.
"""

import html
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import regex

from apps.drafts.extraction.text.cleaning import words_of

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"
Node: TypeAlias = "dict[str, Json]"

# schema.org types in lower case: content of a page, the page itself, its publisher, and products.
CONTENT_TYPES = words_of("""
    article newsarticle blogposting blog socialmediaposting reportagenewsarticle opinionnewsarticle
    reviewnewsarticle analysisnewsarticle backgroundnewsarticle liveblogposting techarticle
    scholarlyarticle report review recipe howto podcastepisode audioobject videoobject musicrecording
    episode tvepisode creativework discussionforumposting question qapage course book movie event
    jobposting product softwareapplication mobileapplication webapplication softwaresourcecode dataset
""")
PAGE_TYPES = words_of("webpage aboutpage contactpage collectionpage itempage profilepage faqpage")
ORGANIZATION_TYPES = words_of("""
    organization corporation newsmediaorganization onlinebusiness onlinestore localbusiness ngo
    educationalorganization brand project store professionalservice
""")
APPLICATION_TYPES = words_of("softwareapplication mobileapplication webapplication videogame")

_INNER = ("mainEntity", "mainEntityOfPage", "@graph")
# Who makes an application or a website. What publishes an article or sells a product is often another company.
_MAKERS = ("publisher", "author", "creator", "provider", "brand")

MAX_DEPTH = 40
MAX_SCRIPT_CHARACTERS = 1024 * 1024
MAX_NODES = 2000

# An unclosed string or comment extends to the end, so each pattern reads a hostile script only once.
_STRING = r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)'
# Strings as scripts write them. An apostrophe ends a string only before what JSON allows there.
_APOSTROPHES = r"'(?P<apostrophes>(?:[^'\\]++|\\.|'(?!\s*[,\]}:]))*+)(?:'|\\?\Z)"
_TOKEN = regex.compile(rf"{_STRING}|[\[\]{{}}]", regex.DOTALL)
_REPAIRABLE = regex.compile(
    rf"(?P<string>{_STRING})|(?P<missing>:)(?=\s*[,\]}}])|{_APOSTROPHES}|/\*.*?(?:\*/|\Z)|//[^\n]*|,(?=\s*[\]}}])",
    regex.DOTALL,
)
_WRAPPERS = regex.compile(r"<!\[CDATA\[|\]\]>|<!--|-->")
_BAD_ESCAPE = regex.compile(r'(\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})|\\')
_DECODER = json.JSONDecoder(strict=False, parse_constant=lambda _: None)


@dataclass(frozen=True)
class JsonLd:
    """Return the nodes of all scripts of a page, in document order.

    Members of `@graph` and the organizations that make an application or website are nodes as well.
    """

    nodes: tuple[Node, ...] = ()
    by_id: dict[str, Node] = field(default_factory=dict)

    def resolve(self, value: Json) -> Json:
        """Resolve a bare reference `{"@id": …}` to the node that carries the facts."""
        if isinstance(value, dict) and len(value) <= 2 and isinstance(reference := value.get("@id"), str):
            return self.by_id.get(reference, value)
        return value

    def of_type(self, names: frozenset[str]) -> Iterator[Node]:
        """Return the nodes whose `@type` is in `names`, given in lower case without the vocabulary's URL."""
        return (node for node in self.nodes if types_of(node) & names)


def load(scripts: Iterable[str]) -> JsonLd:
    """Read the application/ld+json scripts of a page and skip unreadable ones."""
    nodes: list[Node] = []
    for script in scripts:
        for document in load_documents(script):
            _collect(document, nodes)
    by_id: dict[str, Node] = {}
    for node in nodes:
        if isinstance(name := node.get("@id"), str) and len(node) > len(by_id.get(name, {})):
            by_id[name] = node
    tops = tuple(node for node in nodes if set(node) - {"@id", "@context"})
    return JsonLd(tops, by_id)


def load_documents(script: str) -> list[Json]:
    """Return the JSON documents in one script, usually one. Empty if it is unreadable or deeper than `MAX_DEPTH`."""
    text = script.strip().lstrip("\ufeff").rstrip(";")
    if not text or len(text) > MAX_SCRIPT_CHARACTERS or _depth(text) > MAX_DEPTH:
        return []
    try:
        return [_DECODER.decode(text)]
    except (ValueError, RecursionError):
        repaired = _repair(text)
    return _decode_all(repaired)


def types_of(node: Node) -> frozenset[str]:
    """Return the node's types in lower case, without the vocabulary's URL."""
    value = node.get("@type")
    names = value if isinstance(value, list) else [value]
    return frozenset(regex.split(r"[/#:]", name)[-1].lower() for name in names if isinstance(name, str))


def strings(value: Json, *, key: str = "name", limit: int = 20) -> list[str]:
    """Return the texts of a property that is a text, an object with `key`, or a list of either."""
    result = []
    for item in value[:limit] if isinstance(value, list) else [value]:
        inner = item.get(key) if isinstance(item, dict) else item
        if isinstance(inner, list):
            inner = next((part for part in inner if isinstance(part, str)), None)
        if isinstance(inner, dict):
            inner = inner.get("@value")
        if isinstance(inner, str) and inner.strip():
            result.append(inner)
    return result


def _collect(document: Json, nodes: list[Node]) -> None:
    waiting: list[Json] = [document]
    while waiting and len(nodes) < MAX_NODES:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(reversed(value))
        elif isinstance(value, dict):
            nodes.append(value)
            waiting.extend(inner for key in _INNER if isinstance(inner := value.get(key), dict | list))
            if types_of(value) & (APPLICATION_TYPES | {"website"}):
                waiting.extend(reversed([inner for key in _MAKERS for inner in _organizations(value.get(key))]))


def _organizations(value: Json) -> list[Node]:
    inner = value if isinstance(value, list) else [value]
    return [one for one in inner if isinstance(one, dict) and types_of(one) & ORGANIZATION_TYPES]


def _depth(text: str) -> int:
    """Return how deep brackets nest outside strings, without parsing."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return 0
    depth = deepest = 0
    for token in _TOKEN.finditer(text):
        if token[0] in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif token[0] in "]}":
            depth -= 1
    return deepest


def _repair(text: str) -> str:
    if "&quot;" in text and '"' not in text:
        text = html.unescape(text)
    text = _WRAPPERS.sub("", text)
    for _ in range(2):
        # First for the comments, then for the commas before them.
        text = _REPAIRABLE.sub(_repair_token, text)
    return text.strip().strip(";").strip()


def _repair_token(token: regex.Match[str]) -> str:
    if string := token["string"]:
        return _BAD_ESCAPE.sub(lambda match: match[1] or "", string)
    if (inner := token["apostrophes"]) is not None:
        return json.dumps(inner.replace("\\'", "'").replace('\\"', '"'), ensure_ascii=False)
    return ": null" if token["missing"] else ""


def _decode_all(text: str) -> list[Json]:
    documents: list[Json] = []
    at = 0
    while at < len(text) and len(documents) < 50:
        try:
            document, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            break
        documents.append(document)
        while at < len(text) and text[at] in " \t\r\n,;":
            at += 1
    return documents
