"""Parse untrusted URLs, and check where a form may redirect."""

import ipaddress
import unicodedata
from functools import cache, lru_cache
from urllib.parse import SplitResult, urlsplit

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme
from publicsuffixlist import PublicSuffixList


def has_controls(text: str) -> bool:
    """Return whether text has control characters or lone surrogates, which a URL never needs."""
    return any(unicodedata.category(character) in {"Cc", "Cs"} for character in text)


def is_ip_address(host: str) -> bool:
    """Return whether a host is numeric, such as 127.0.0.1 or ::1, without brackets."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=1024)
def registrable_domain(host: str) -> str | None:
    """Return the registrable domain of a host in lower case: "acme.co.uk" for "blog.acme.co.uk".

    None for numeric addresses and for names that nobody can register, such as "localhost" and "co.uk".
    """
    return None if is_ip_address(host.strip("[]")) else _suffixes().privatesuffix(host)


@lru_cache(maxsize=1024)
def is_private_suffix(host: str) -> bool:
    """Return whether people get their own names or paths directly below this host, such as "github.io"."""
    return _is_private_name(host) and _suffixes().publicsuffix(host) == host


def _is_private_name(host: str) -> bool:
    return not is_ip_address(host.strip("[]")) and bool(
        _suffixes().publicsuffix(host) != _registries().publicsuffix(host)
    )


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


@cache
def _registries() -> PublicSuffixList:
    """Return the public suffix list without its private section."""
    return PublicSuffixList(only_icann=True)


NOWHERE = SplitResult("", "", "", "", "")
# The same links appear on every page of a site and are checked many times. Long ones are not cached, because strangers
# choose them and the cache must stay small.
_CACHED = 2048
_CACHED_CHARACTERS = 500


def parts_of(address: str) -> SplitResult:
    """Split an untrusted URL, with a port that can be read. All parts are empty if it is malformed."""
    return _cached_parts_of(address) if len(address) <= _CACHED_CHARACTERS else _parts_of(address)


def host_of(url: str) -> str:
    """Return the host in lower case, without port, or an empty string."""
    return (parts_of(url).hostname or "").rstrip(".").lower()


def _parts_of(address: str) -> SplitResult:
    try:
        parts = urlsplit(address)
        # Reading the port validates it.
        _ = parts.port
    except ValueError:
        return NOWHERE
    return parts


_cached_parts_of = lru_cache(maxsize=_CACHED)(_parts_of)


def next_path(request: HttpRequest, otherwise: str) -> str:
    """Return the path on this site in `next`, or `otherwise` if there is none or it leads elsewhere."""
    target = (request.POST if request.method == "POST" else request.GET).get("next", "")
    is_ours = url_has_allowed_host_and_scheme(target, allowed_hosts=None)
    return target if is_ours and target.startswith("/") else otherwise
