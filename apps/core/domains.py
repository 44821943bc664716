"""Which part of a host name somebody registered."""

import ipaddress
from functools import cache, lru_cache

from publicsuffixlist import PublicSuffixList


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


@lru_cache(maxsize=1024)
def is_below_private_suffix(host: str) -> bool:
    """Whether a host is somebody's at a provider, such as "acme.github.io": the list's private section says so."""
    return _is_private_name(host) and _suffixes().publicsuffix(host) != host


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
