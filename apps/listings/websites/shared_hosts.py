"""Hosts shared by many owners' websites, and how many path segments distinguish them."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from apps.core.web.urls import is_private_suffix

_DATA = Path(__file__).with_name("shared_hosts.toml")
# People's pages on a shared host: /~ada on a university's, /@ada on a network's.
_SOMEBODY = ("~", "@")
# The most segments that tell what a path is.
_LONGEST_KIND = 3
_LANGUAGE = re.compile(r"(?:intl-)?[a-z]{2}(?:[-_][a-z]{2,4})?")
_FILE = re.compile(r"(index|default)\.\w+|.*\.(x?html?|php|aspx?|jsp)")


@dataclass(frozen=True, slots=True)
class SharedHosts:
    """The data file, read once.

    `segments` by host, those of `kinds` also by how the path begins (its first segments, or `@` and `~`), hosts whose
    paths may begin with a language, hosts of stores, and first path segments that are a website's own pages.
    """

    segments: dict[str, int]
    kinds: dict[str, dict[str, int]]
    languages: frozenset[str]
    stores: frozenset[str]
    pages: frozenset[str]


def own_segments(host: str, segments: list[str]) -> slice:
    """Return the slice of path segments that belongs to the website. Empty if the host has one owner.

    `host` is in lower case and without www, `segments` are the parts of the path in lower case.
    """
    begins_with_language = (
        host in shared_hosts().languages and len(segments) > 1 and _LANGUAGE.fullmatch(segments[0]) is not None
    )
    start = 1 if begins_with_language else 0
    return slice(start, start + _count_own(host, segments[start:]))


def _count_own(host: str, segments: list[str]) -> int:
    known = shared_hosts()
    first = segments[0] if segments else ""
    kinds = known.kinds.get(host, {})
    if first.startswith(_SOMEBODY):
        return kinds.get(first[0], 1)
    if host in known.segments:
        beginnings = ("/".join(segments[:end]) for end in range(_LONGEST_KIND, 0, -1))
        count = next((kinds[beginning] for beginning in beginnings if beginning in kinds), known.segments[host])
        # A package's scope is no name of its own.
        has_scope = 1 < count <= len(segments) and segments[count - 1].startswith("@")
        return count + 1 if has_scope else count
    if is_private_suffix(host):
        return 1
    listed = known.segments.get(f"*.{host.partition('.')[2]}", 0)
    is_page = first in known.pages or _FILE.fullmatch(first) is not None
    return 0 if is_page else listed


def is_store(host: str) -> bool:
    """Return whether a host (lower case, without www) is an app store, whose pages are not websites."""
    return host in shared_hosts().stores


@cache
def shared_hosts() -> SharedHosts:
    """Return the data file, read once."""
    data = tomllib.loads(_DATA.read_text())
    return SharedHosts(
        segments={row["host"]: row.get("segments", 1) for row in data["shared"]},
        kinds={row["host"]: row["kinds"] for row in data["shared"] if "kinds" in row},
        languages=frozenset(row["host"] for row in data["shared"] if row.get("languages")),
        stores=frozenset(row["host"] for row in data["stores"]),
        pages=frozenset(data["pages"]["names"]),
    )
