"""When two addresses are the same website, who asks for one that is taken, and who has theirs read again."""

from urllib.parse import quote, urlsplit

from apps.sites.models import Site


def website_key(url: str) -> str:
    """The address as it is compared: host in lower case without www, path without last slash; port kept.

    Expects an absolute http(s) address, as `apps.core.fetch.normalise_address` makes them.
    """
    parts = urlsplit(url)
    host = (parts.hostname or "").lower().removeprefix("www.")
    port = f":{parts.port}" if parts.port and parts.port not in {80, 443} else ""
    return f"{host}{port}{parts.path.rstrip('/')}"


def is_same_address(one: str, other: str) -> bool:
    """Whether two websites differ in nothing but a last slash."""
    return one.rstrip("/") == other.rstrip("/")


def claim_address(site: Site, website: str) -> str:
    """Where the true owner of a listed website asks for it."""
    return site.url(f"/claims/new?url={quote(website, safe='')}")


def reread_address(site: Site, website: str) -> str:
    """Where the owner of a listed website has it read again, to see what differs from the listing."""
    return site.url(f"/drafts/new?url={quote(website, safe='')}&refresh=1")
