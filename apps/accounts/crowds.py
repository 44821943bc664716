"""What accounts have in common that belong to one person, office or crowd."""

from datetime import datetime

from django.utils.crypto import salted_hmac

from apps.accounts.models.users import SIGN_UP_NETWORK_LENGTH
from apps.core.web.urls import registrable_domain

# How long the sign-ups of one burst are apart at most.
BURST_MINUTES = 10

# One mailbox of these has as many addresses as places for dots.
_IGNORE_DOTS = ("gmail.com", "googlemail.com")


def domain_of(email: str) -> str:
    """Return the domain that an email address was registered under."""
    host = email.rpartition("@")[2].lower()
    return registrable_domain(host) or host


def mailbox_of(email: str) -> str:
    """Return an email address without the parts that its provider ignores."""
    local, _, host = email.lower().rpartition("@")
    name = local.partition("+")[0]
    if host in _IGNORE_DOTS:
        name, host = name.replace(".", ""), _IGNORE_DOTS[0]
    return f"{name}@{host}"


def burst_of(joined_at: datetime) -> int:
    """Return the number of the burst in which an account signed up."""
    return int(joined_at.timestamp()) // (BURST_MINUTES * 60)


def network_mark(network: str) -> str:
    """Return a keyed digest of a network, as accounts store it, or nothing for none."""
    if not network:
        return ""
    digest = salted_hmac("apps.accounts.sign_in.network", network, algorithm="sha256").hexdigest()
    return digest[:SIGN_UP_NETWORK_LENGTH]
