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
_FILE = re.compile(r"(index|default)\.\w+|.*\.(x?html?|php|aspx?|jsp)")


@dataclass(frozen=True, slots=True)
class SharedHosts:
    """The data file: `segments` by host, hosts of stores, and first path segments that are a website's own pages."""

    segments: dict[str, int]
    stores: frozenset[str]
    pages: frozenset[str]


def own_segments(host: str, segments: list[str]) -> int:
    """Return how many path segments belong to the website. 0 if the host (lower case, without www) has one owner.

    `segments` are the parts of the path in lower case.
    """
    known = shared_hosts()
    if segments and segments[0].startswith(_SOMEBODY):
        return 1
    if host in known.segments:
        return known.segments[host]
    if is_private_suffix(host):
        return 1
    listed = known.segments.get(f"*.{host.partition('.')[2]}", 0)
    is_page = bool(segments) and (segments[0] in known.pages or _FILE.fullmatch(segments[0]) is not None)
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
        stores=frozenset(row["host"] for row in data["stores"]),
        pages=frozenset(data["pages"]["names"]),
    )
