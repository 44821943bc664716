"""Decide whether two URLs are the same website, and link its true owner to claiming or rereading it."""

import re
from posixpath import normpath
from unicodedata import normalize
from urllib.parse import SplitResult, quote, unquote, urlsplit, urlunsplit

from apps.core.errors import Unprocessable
from apps.core.web.hosts import ascii_host
from apps.listings.websites.shared_hosts import is_store, own_segments
from apps.sites.models import Site

# Path segments that name an owner or a project on shared hosts.
_OWN_PART = re.compile(r"[\w.@~+!-]+")
STORE_PAGE = "App store pages can't be listed. Send the product's own website."


class UnclearAddressError(Unprocessable, ValueError):
    """A path segment that would identify an owner, but is spelled so that others could imitate it."""

    code = "bad_address"
    title = "Not a website URL"


def website_key(url: str) -> str:
    """Return the key of a website: the one rule for drafts, listings, claims and merges.

    The host in lower case without www, a port that is not the default one, and on a shared host also the part of the
    path that tells owners apart (see `shared_hosts`), in lower case. Expects an absolute http(s) URL. Raises ValueError
    for anything else, and UnclearAddressError (422) for a path that disguises its text.
    """
    parts = urlsplit(url)
    segments, own = _split_path(_host(parts), parts.path)
    return "/".join([_authority(parts), *map(_part_key, segments[own])])


def home_address(url: str) -> str:
    """Return the home page of the website that an absolute http(s) URL belongs to, as written there."""
    parts = urlsplit(url)
    segments, own = _split_path(_host(parts), parts.path)
    path = "/" + "/".join(segments[: own.stop])
    # Only the website knows whether its URL needs a final slash.
    is_whole = parts.path.rstrip("/") == path.rstrip("/")
    return urlunsplit(parts._replace(path=parts.path if is_whole and path != "/" else path, query="", fragment=""))


def page_key(url: str) -> str:
    """Return a page's URL for comparison: the host as in `website_key`, with the whole path except a final slash."""
    parts = urlsplit(url)
    return f"{_authority(parts)}{parts.path.rstrip('/')}"


def is_store_page(url: str) -> bool:
    """Return whether an absolute URL is an app store entry, which is not a website of its own."""
    return is_store(_host(urlsplit(url)))


def _host(parts: SplitResult) -> str:
    """Return the host for comparison: ASCII, in lower case, without www and final dot."""
    host = ascii_host((parts.hostname or "").rstrip("."))
    return re.sub(r"^(www\.)+", "", host.lower())


def _authority(parts: SplitResult) -> str:
    host = _host(parts)
    port = f":{parts.port}" if parts.port and parts.port not in {80, 443} else ""
    return f"[{host}]{port}" if ":" in host and port else f"{host}{port}"


def _split_path(host: str, path: str) -> tuple[list[str], slice]:
    """Return the path's segments, and which belong to the website. For an app store entry all, so that none match."""
    segments = [part for part in normpath(f"/{path}").split("/") if unquote(part) not in {"", ".", ".."}]
    own = own_segments(host, [unquote(part).lower() for part in segments])
    if is_store(host):
        own = slice(0, len(segments))
    elif own.start == own.stop:
        own = slice(0, 0)
    for part in segments[: own.stop]:
        _part_key(part)
    return segments, own


def _part_key(part: str) -> str:
    """Normalize a path segment for comparison: decoded once, one form per letter, no trailing dots."""
    text = normalize("NFKC", unquote(part)).casefold().rstrip(".")
    if not _OWN_PART.fullmatch(text):
        raise UnclearAddressError("Send a URL without spaces, encoded or special characters in its path.")
    return text


def is_same_address(one: str, other: str) -> bool:
    """Return whether two websites differ only by a final slash."""
    return one.rstrip("/") == other.rstrip("/")


def claim_address(site: Site, website: str) -> str:
    """Return the URL where the true owner of a listed website can claim it."""
    return site.url(f"/claims/new?url={quote(website, safe='')}")


def claim_step(site: Site, website: str) -> str:
    """Say how the true owner of a listed website can claim it."""
    return f"If the website is yours, call claim_website or open {claim_address(site, website)}"


def reread_address(site: Site, website: str) -> str:
    """Return the URL where the owner of a listed website can reread it, to see what differs from the listing."""
    return site.url(f"/drafts/new?url={quote(website, safe='')}&refresh=1")
