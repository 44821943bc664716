"""How many comments an account, a network and a listing take in a time."""

from django.http import HttpRequest

from apps.core.api.rate_limits import breaker
from apps.core.request.client_ip import client_network
from apps.core.stores.valkey.counters import Limit
from apps.listings.models import Listing

COMMENTS_AN_HOUR = Limit("comments", 20, 3600, events="comments")
COMMENTS_A_MINUTE = Limit("comments-minute", 3, 60, events="comments")
OF_A_NETWORK = Limit("comments-network", 60, 3600, events="comments")
# Past these, comments of new accounts are reviewed, but nobody is refused.
ON_A_LISTING = Limit("comments-listing", 40, 600)


def take_comment(request: HttpRequest, account_id: int, listing: Listing) -> bool:
    """Count a comment. Returns whether the listing gets unusually many. Raises TooManyRequests (429).

    While Valkey doesn't answer, nothing is counted.
    """
    _take(OF_A_NETWORK, client_network(request))
    _take(COMMENTS_AN_HOUR, str(account_id))
    _take(COMMENTS_A_MINUTE, str(account_id))
    standing = breaker.call(lambda: ON_A_LISTING.try_take(str(listing.pk)))
    return standing is not None and not standing.is_within


def _take(limit: Limit, who: str) -> None:
    if standing := breaker.call(lambda: limit.try_take(who)):
        standing.check()
