"""When two addresses are the same website, who asks for one that is taken, and who has theirs read again."""

import re
from posixpath import normpath
from unicodedata import normalize
from urllib.parse import SplitResult, quote, unquote, urlsplit, urlunsplit

import idna

from apps.core.errors import Unprocessable
from apps.listings.websites.shared_hosts import is_store, own_segments
from apps.sites.models import Site

# What names an owner or a project on hosts that owners share.
_OWN_PART = re.compile(r"[\w.@~+!-]+")
STORE_PAGE = "App store pages can't be listed. Send the product's own website."


class UnclearAddressError(Unprocessable, ValueError):
    """A part of a path that would tell owners apart, but is spelled so that others could pass for it."""

    code = "bad_address"
    title = "Not a website URL"


def website_key(url: str) -> str:
    """What makes an address the same website as another: the one rule for drafts, listings, claims and merges.

    The host in lower case without www, a port that is not the usual one, and of the path only what tells owners on a
    shared host apart (see `shared_hosts`), in lower case too. Expects an absolute http(s) address; raises ValueError
    for one that is none, and UnclearAddressError (422) for a path that hides what it says.
    """
    parts = urlsplit(url)
    host = _host(parts)
    kept = _kept_segments(host, parts.path)
    return "/".join([_authority(parts), *map(_part_key, kept)])


def home_address(url: str) -> str:
    """Return the home page of the website that an absolute http(s) URL belongs to, as written there."""
    parts = urlsplit(url)
    path = "/" + "/".join(_kept_segments(_host(parts), parts.path))
    # Whether a last slash belongs to the address is the website's to say.
    is_whole = parts.path.rstrip("/") == path.rstrip("/")
    return urlunsplit(parts._replace(path=parts.path if is_whole and path != "/" else path, query="", fragment=""))


def page_key(url: str) -> str:
    """An address as pages are compared: as `website_key` writes the host, with the whole path but its last slash."""
    parts = urlsplit(url)
    return f"{_authority(parts)}{parts.path.rstrip('/')}"


def is_store_page(url: str) -> bool:
    """Whether an absolute address is an entry of an app store, which is no website of its own."""
    return is_store(_host(urlsplit(url)))


def _host(parts: SplitResult) -> str:
    """The host as names are compared: ASCII, in lower case, without www and last dot."""
    host = (parts.hostname or "").rstrip(".")
    if not host.isascii():
        host = idna.encode(host, uts46=True).decode()
    return re.sub(r"^(www\.)+", "", host.lower())


def _authority(parts: SplitResult) -> str:
    host = _host(parts)
    port = f":{parts.port}" if parts.port and parts.port not in {80, 443} else ""
    return f"[{host}]{port}" if ":" in host and port else f"{host}{port}"


def _kept_segments(host: str, path: str) -> list[str]:
    """The parts of a path that belong to the website; of an app store's entry all, so that none is like another."""
    segments = [part for part in normpath(f"/{path}").split("/") if unquote(part) not in {"", ".", ".."}]
    count = len(segments) if is_store(host) else own_segments(host, [unquote(part).lower() for part in segments])
    for part in segments[:count]:
        _part_key(part)
    return segments[:count]


def _part_key(part: str) -> str:
    """Normalize a path segment for comparison: decoded once, one form per letter, no trailing dots."""
    text = normalize("NFKC", unquote(part)).casefold().rstrip(".")
    if not _OWN_PART.fullmatch(text):
        raise UnclearAddressError("Send a URL without spaces, encoded or special characters in its path.")
    return text


def is_same_address(one: str, other: str) -> bool:
    """Whether two websites differ in nothing but a last slash."""
    return one.rstrip("/") == other.rstrip("/")


def claim_address(site: Site, website: str) -> str:
    """Where the true owner of a listed website asks for it."""
    return site.url(f"/claims/new?url={quote(website, safe='')}")


def reread_address(site: Site, website: str) -> str:
    """Where the owner of a listed website has it read again, to see what differs from the listing."""
    return site.url(f"/drafts/new?url={quote(website, safe='')}&refresh=1")
