"""Decide which numeric addresses are on the public internet.

The networks are listed here because `ipaddress.is_global` of Python 3.11 is older than the registries. Sources: IANA
special-purpose address registries for IPv4 and IPv6. 168.63.129.16 is Azure's host channel.
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from apps.core.fetch.errors import FetchError, FetchFailure

Address = IPv4Address | IPv6Address

LOOPBACKS = ("127.0.0.1", "::1")

_CLOSED_IPV4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "168.63.129.16/32",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
)
_OPEN_IPV6 = IPv6Network("2000::/3")
_CLOSED_IPV6 = tuple(IPv6Network(network) for network in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"))
_OWN_IPV4 = tuple(IPv4Network(network) for network in ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"))
_OWN_IPV6 = tuple(IPv6Network(network) for network in ("::1/128", "fc00::/7"))


def is_public(address: Address) -> bool:
    """Return whether this is a public internet address. Tunneled and translated forms don't count."""
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _CLOSED_IPV4)
    if address.scope_id is not None:
        return False
    return address in _OPEN_IPV6 and not any(address in network for network in _CLOSED_IPV6)


def dialable(answer: str, *, own_network: bool) -> Address:
    """Return the address to connect to for one resolver result. Raises FetchError (private_address).

    `own_network` also allows loopback and private networks, for hosts the operator has listed. Link-local addresses are
    refused even then, because cloud metadata is there.
    """
    try:
        address = ip_address(answer)
    except ValueError:
        raise FetchError(FetchFailure.PRIVATE_ADDRESS) from None
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    if is_public(address) or (own_network and _is_own(address)):
        return address
    raise FetchError(FetchFailure.PRIVATE_ADDRESS)


def _is_own(address: Address) -> bool:
    if isinstance(address, IPv4Address):
        return any(address in network for network in _OWN_IPV4)
    return any(address in network for network in _OWN_IPV6)
