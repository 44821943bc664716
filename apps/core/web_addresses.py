"""Reading web addresses that strangers wrote."""

from functools import lru_cache
from urllib.parse import SplitResult, urlsplit

NOWHERE = SplitResult("", "", "", "", "")
# The same links stand on every page of a site and are asked about for many reasons. Long ones are not kept: strangers
# wrote them, and what is kept must stay small.
_KEPT = 2048
_KEPT_CHARACTERS = 500


def parts_of(address: str) -> SplitResult:
    """The parts of an address that strangers wrote, with a port that can be read; all empty if it is malformed."""
    return _kept_parts_of(address) if len(address) <= _KEPT_CHARACTERS else _parts_of(address)


def host_of(url: str) -> str:
    """The host in lower case, without port; empty if there is none."""
    return (parts_of(url).hostname or "").rstrip(".").lower()


def _parts_of(address: str) -> SplitResult:
    try:
        parts = urlsplit(address)
        # Reading the port is what checks it.
        _ = parts.port
    except ValueError:
        return NOWHERE
    return parts


_kept_parts_of = lru_cache(maxsize=_KEPT)(_parts_of)
