"""What the fetch module takes from the settings, read at the time of use."""

from django.conf import settings


def allowed_private_hosts() -> frozenset[str]:
    """The `host:port` names that may be fetched although private; empty unless the operator says so."""
    hosts: frozenset[str] = getattr(settings, "CRAWL_ALLOW_PRIVATE_HOSTS", frozenset())
    return frozenset(hosts)


def default_user_agent() -> str:
    """Say who asks and where to complain."""
    return f"SlipwayBot/0.1 (+{settings.CRAWL_CONTACT_URL})"
