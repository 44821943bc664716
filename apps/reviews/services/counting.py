"""Move reviews between their states, with the listing's numbers."""

from typing import Any

from apps.contributions.writing import lock_listing
from apps.core.errors import Conflict
from apps.listings.models import Listing
from apps.listings.services.ratings import count_reviews
from apps.reviews.models import Review


class NotReviewable(Conflict):
    code = "not_reviewable"
    title = "Reviews closed"


def lock_live(listing_id: int) -> Listing:
    """Lock a live listing for a change of its reviews. Raises NotReviewable (409) for any other."""
    listing = lock_listing(listing_id)
    if listing.status != Listing.Status.LIVE:
        raise NotReviewable("You can only review live listings.")
    return listing


def move(review: Review, status: Review.Status, **fields: Any) -> None:
    """Move a locked or new review with its other `fields`, and count again. Raises IllegalTransition (409)."""
    review.move_to(status, **fields)
    count_reviews(review.listing_id)
