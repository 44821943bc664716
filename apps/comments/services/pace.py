"""How many comments an account, a network and a listing take in a time."""

from django.http import HttpRequest

from apps.contributions.pace import is_past, take
from apps.core.request.client_ip import client_network
from apps.core.stores.valkey.counters import Limit
from apps.listings.models import Listing

COMMENTS_AN_HOUR = Limit("comments", 20, 3600, events="comments")
COMMENTS_A_MINUTE = Limit("comments-minute", 3, 60, events="comments")
OF_A_NETWORK = Limit("comments-network", 60, 3600, events="comments")
# Past these, comments of new accounts are reviewed, but nobody is refused.
ON_A_LISTING = Limit("comments-listing", 40, 600)


def take_comment(request: HttpRequest, account_id: int, listing: Listing) -> bool:
    """Count a comment. Returns whether the listing gets unusually many. Raises TooManyRequests (429)."""
    take(OF_A_NETWORK, client_network(request))
    take(COMMENTS_AN_HOUR, account_id)
    take(COMMENTS_A_MINUTE, account_id)
    return is_past(ON_A_LISTING, listing.pk)
