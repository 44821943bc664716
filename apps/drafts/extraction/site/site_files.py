"""Files that sites keep for programs: llms.txt, OpenAPI descriptions, MCP servers, the manifest of an app."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from apps.drafts.extraction.document.addresses import absolute
from apps.drafts.extraction.text.cleaning import clean

LLMS = "/llms.txt"
OPENAPI = "/openapi.json"
MCP_NOTICES = ("/.well-known/mcp.json", "/.well-known/oauth-protected-resource")
PATHS = (LLMS, OPENAPI, *MCP_NOTICES)
# Pages name the address of theirs.
MANIFEST = "manifest"

MAX_CHARACTERS = 500_000
MAX_LINES = 500
MAX_VALUES = 500
MAX_PICTURES = 20
_SIDE = re.compile(r"(\d{1,5})x", re.IGNORECASE)
_MARKUP = re.compile(r"\s*<(?:!doctype|html|head|\?xml|script|div)", re.IGNORECASE)
_LINK = re.compile(r"\[([^\[\]\n]{1,200})\]\(([^()\s]{1,500})\)")


class MarkdownLink(NamedTuple):
    text: str
    address: str


@dataclass(frozen=True)
class SiteFile:
    """A file at one of `PATHS`, or a `MANIFEST`. `url` is where it was found, `sha256` the hash of its bytes."""

    path: str
    url: str
    sha256: str
    text: str

    @cached_property
    def data(self) -> Any:
        """The JSON in the file, or None."""
        try:
            return json.loads(self.text)
        except (ValueError, RecursionError):
            return None

    @property
    def title(self) -> str:
        """The first heading of an llms.txt."""
        return next((clean(line[2:]) for line in self._lines if line.startswith("# ")), "")

    @property
    def summary(self) -> str:
        """The quoted summary below the title of an llms.txt."""
        return clean(" ".join(line.lstrip("> ") for line in self._lines if line.startswith(">")))

    @property
    def links(self) -> list[MarkdownLink]:
        """The links of an llms.txt."""
        return [MarkdownLink(clean(text), address) for line in self._lines for text, address in _LINK.findall(line)]

    @property
    def _lines(self) -> list[str]:
        return [line.strip() for line in self.text.splitlines()[:MAX_LINES]]


class Said(NamedTuple):
    """A text that a file gives for a field, and the place in the file."""

    text: str
    file: SiteFile
    key: str


def names_in(files: Iterable[SiteFile]) -> Iterator[Said]:
    """Yield what the manifest and llms.txt call the product."""
    return _said(files, keys=("name", "short_name"), of_llms=lambda file: file.title)


def descriptions_in(files: Iterable[SiteFile]) -> Iterator[Said]:
    """Yield how the manifest and llms.txt describe the product."""
    return _said(files, keys=("description",), of_llms=lambda file: file.summary)


def _said(files: Iterable[SiteFile], *, keys: Iterable[str], of_llms: Callable[[SiteFile], str]) -> Iterator[Said]:
    for file in files:
        texts = {LLMS: of_llms(file)} if file.path == LLMS else {}
        if file.path == MANIFEST and isinstance(file.data, dict):
            texts = {key: clean(file.data.get(key)) for key in keys}
        yield from (Said(text, file, key) for key, text in texts.items() if text)


def pictures_in(files: Iterable[SiteFile], key: str) -> Iterator[tuple[int, str, SiteFile]]:
    """Yield the width, URL and file of the manifest's `icons` or `screenshots`, the largest first."""
    for file in files:
        entries = file.data.get(key) if file.path == MANIFEST and isinstance(file.data, dict) else None
        result = []
        for entry in entries[:MAX_PICTURES] if isinstance(entries, list) else ():
            raw, sizes = (
                (str(entry.get(name) or "") for name in ("src", "sizes")) if isinstance(entry, dict) else ("", "")
            )
            if address := absolute(raw, file.url):
                result.append((max(map(int, _SIDE.findall(sizes[:100])), default=0), address, file))
        yield from sorted(result, key=lambda one: -one[0])


def is_what_it_says(file: SiteFile) -> bool:
    """Return whether a file is what its path says, and not a page for visitors, which many sites send for any path."""
    if len(file.text) > MAX_CHARACTERS or _MARKUP.match(file.text):
        return False
    if file.path == LLMS:
        return bool(file.title) or len(file.links) > 0
    data = file.data
    if not isinstance(data, dict):
        return False
    if file.path == MANIFEST:
        return any(isinstance(data.get(key), str) for key in ("name", "short_name", "description"))
    return file.path != OPENAPI or any(isinstance(data.get(key), str) for key in ("openapi", "swagger"))


def addresses_in(data: Any) -> Iterator[str]:
    """Yield the https URLs among the values of a JSON document, up to a limit."""
    left = [data]
    for _ in range(MAX_VALUES):
        if not left:
            return
        value = left.pop(0)
        if isinstance(value, dict):
            left.extend(value.values())
        elif isinstance(value, list):
            left.extend(value)
        elif isinstance(value, str) and value.startswith("https://"):
            yield value
