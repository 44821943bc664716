"""Refuse sign-ups that a rule matches."""

from django.http import HttpRequest

from apps.blocklists.matching import find_match
from apps.blocklists.models import BlockRule
from apps.core.request.client_ip import client_address


def why_not_sign_up(request: HttpRequest, email: str) -> str:
    """Return why nobody can sign up with this email from this client, as sentences, or an empty string."""
    rule = find_match(site=getattr(request, "site", None), email=email, address=client_address(request))
    if rule is None:
        return ""
    what = "from your network" if rule.kind == BlockRule.Kind.NETWORK else "with this email address"
    return f"You can’t sign up {what}. Contact us if this is a mistake."
