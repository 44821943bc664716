"""When two addresses are the same website."""

from urllib.parse import urlsplit


def website_key(url: str) -> str:
    """The address as it is compared: host in lower case without www, path without last slash; port kept.

    Expects an absolute http(s) address, as `apps.core.fetch.normalise_address` makes them.
    """
    parts = urlsplit(url)
    host = (parts.hostname or "").lower().removeprefix("www.")
    port = f":{parts.port}" if parts.port and parts.port not in {80, 443} else ""
    return f"{host}{port}{parts.path.rstrip('/')}"
