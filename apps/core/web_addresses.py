"""Reading web addresses that strangers wrote."""

from urllib.parse import SplitResult, urlsplit

NOWHERE = SplitResult("", "", "", "", "")


def parts_of(address: str) -> SplitResult:
    """The parts of an address that strangers wrote, with a port that can be read; all empty if it is malformed."""
    try:
        parts = urlsplit(address)
        # Reading the port is what checks it.
        _ = parts.port
    except ValueError:
        return NOWHERE
    return parts


def host_of(url: str) -> str:
    """The host in lower case, without port; empty if there is none."""
    return (parts_of(url).hostname or "").rstrip(".").lower()
