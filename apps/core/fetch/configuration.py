"""What the fetch module takes from the settings, read at the time of use."""

from django.conf import settings


def allowed_private_hosts() -> frozenset[str]:
    """The `host:port` names that may be fetched although private; empty unless the operator says so."""
    hosts: frozenset[str] = getattr(settings, "CRAWL_ALLOW_PRIVATE_HOSTS", frozenset())
    return frozenset(hosts)


def extra_authorities() -> str:
    """Path of a PEM file with authorities that are believed beside the system's; empty unless the operator says so."""
    path: str = getattr(settings, "CRAWL_EXTRA_CA_FILE", "")
    return path


def default_user_agent() -> str:
    """Say who asks and where to complain."""
    return f"SlipwayBot/0.1 (+{settings.CRAWL_CONTACT_URL})"
