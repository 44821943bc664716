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


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()
