"""The limits of a fetch and its settings, read at the time of use."""

from dataclasses import dataclass

from django.conf import settings


def allowed_private_hosts() -> frozenset[str]:
    """The private `host:port` names that may be fetched. Empty unless the operator sets it."""
    hosts: frozenset[str] = getattr(settings, "CRAWL_ALLOW_PRIVATE_HOSTS", frozenset())
    return frozenset(hosts)


def extra_authorities() -> str:
    """Return the path of a PEM file with extra certificate authorities, or "" for none."""
    path: str = getattr(settings, "CRAWL_EXTRA_CA_FILE", "")
    return path


def default_user_agent() -> str:
    """Return a user agent that names the crawler and whom to contact about it."""
    return f"SlipwayBot/0.1 (+{settings.CRAWL_CONTACT_URL})"


FETCH_SECONDS = 10.0
MAX_ADDRESS_CHARACTERS = 2048
PORTS = frozenset({80, 443})


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of one fetch. `deadline_seconds` covers all of it: lookup, redirects, head and body.

    `connect_seconds` leaves time for the other addresses of a name. `max_head_bytes` covers everything before the body,
    including informational responses.
    """

    deadline_seconds: float = FETCH_SECONDS
    connect_seconds: float = 3.0
    max_redirects: int = 5
    max_body_bytes: int = 2 * 1024 * 1024
    max_head_bytes: int = 64 * 1024
