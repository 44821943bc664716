"""Look up TXT records with the operator's resolver."""

import dns.exception
import dns.nameserver
import dns.resolver
from django.conf import settings
from dns.rdtypes.ANY.TXT import TXT

QUERY_SECONDS = 2.0
LOOKUP_SECONDS = 4.0
DNS_PORT = 53


class NoAnswerError(Exception):
    """The resolver could not say whether there are records."""


def text_records(name: str) -> list[str]:
    """Return the TXT records at the name itself. Empty if there is no such name.

    Aliases (CNAME, DNAME) are not followed, because an alias's target doesn't own the name. Raises NoAnswerError.
    """
    try:
        answer = _resolver().resolve(f"{name}.", "TXT", search=False, raise_on_no_answer=False, lifetime=LOOKUP_SECONDS)
    except dns.resolver.NXDOMAIN:
        return []
    except (dns.exception.DNSException, OSError) as error:
        raise NoAnswerError(str(error)) from None
    if answer.rrset is None or answer.rrset.name != answer.qname:
        return []
    return [b"".join(record.strings).decode("utf-8", "replace") for record in answer.rrset if isinstance(record, TXT)]


def _resolver() -> dns.resolver.Resolver:
    """Created for each check, because the machine's resolver may change while a worker runs."""
    servers = settings.CLAIM_DNS_SERVERS
    resolver = dns.resolver.Resolver(configure=not servers)
    if servers:
        resolver.nameservers = [_nameserver(server) for server in servers]
    resolver.timeout = QUERY_SECONDS
    return resolver


def _nameserver(server: str) -> dns.nameserver.Nameserver:
    """`1.1.1.1`, `127.0.0.1:5353` or `[::1]:5353`."""
    host, colon, port = server.rpartition(":")
    if not colon or not port.isdecimal() or (":" in host and not host.startswith("[")):
        host, port = server, str(DNS_PORT)
    return dns.nameserver.Do53Nameserver(host.strip("[]"), int(port))
