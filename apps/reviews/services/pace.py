"""How many reviews and codes an account, a network and a listing take in a time."""

from django.http import HttpRequest

from apps.contributions.pace import is_past, take
from apps.core.request.client_ip import client_network
from apps.core.stores.valkey.counters import Limit
from apps.listings.models import Listing

REVIEWS_AN_HOUR = Limit("reviews", 10, 3600, events="reviews")
OF_A_NETWORK = Limit("reviews-network", 30, 3600, events="reviews")
# Each wrong code is one of 31 ** 10, so this is generous.
CODES_AN_HOUR = Limit("review-codes", 10, 3600, events="review codes")
# Past these, reviews of new accounts are read first, but nobody is refused.
ON_A_LISTING = Limit("reviews-listing", 20, 600)


def take_review(request: HttpRequest, account_id: int, listing: Listing) -> bool:
    """Count a review. Returns whether the listing gets unusually many. Raises TooManyRequests (429)."""
    take(OF_A_NETWORK, client_network(request))
    take(REVIEWS_AN_HOUR, account_id)
    return is_past(ON_A_LISTING, listing.pk)


def take_wrong_code(account_id: int) -> None:
    """Count a link or code that isn't the listing's. Raises TooManyRequests (429)."""
    take(CODES_AN_HOUR, account_id)
