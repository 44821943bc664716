"""Web addresses that strangers wrote, and where a form may lead back to."""

import ipaddress
import unicodedata
from functools import cache, lru_cache
from urllib.parse import SplitResult, urlsplit

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme
from publicsuffixlist import PublicSuffixList


def has_controls(text: str) -> bool:
    """Whether text has control characters, or halves of characters: in an address, neither is ever meant."""
    return any(unicodedata.category(character) in {"Cc", "Cs"} for character in text)


@lru_cache(maxsize=1024)
def registrable_domain(host: str) -> str | None:
    """The registrable domain of a host in lower case: "blog.acme.co.uk" gives "acme.co.uk".

    None for numeric addresses and for names that nobody can register, such as "localhost" and "co.uk".
    """
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return _suffixes().privatesuffix(host)
    return None


@lru_cache(maxsize=1024)
def is_private_suffix(host: str) -> bool:
    """Whether people get names or paths of their own directly below this host, such as "github.io"."""
    return _is_private_name(host) and _suffixes().publicsuffix(host) == host


def _is_private_name(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return bool(_suffixes().publicsuffix(host) != _registries().publicsuffix(host))
    return False


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


@cache
def _registries() -> PublicSuffixList:
    """The list without its private section: what registries give out."""
    return PublicSuffixList(only_icann=True)


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


def next_path(request: HttpRequest, otherwise: str) -> str:
    """The path of this site that the form names as `next`; `otherwise` for none, and for what leads elsewhere."""
    target = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(target, allowed_hosts=None)
    return target if is_ours and target.startswith("/") else otherwise
