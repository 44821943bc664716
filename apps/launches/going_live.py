"""A listing goes live: it is public, on the board of its week, and its owner knows."""

from django.db import transaction

from apps.core.weeks import Week
from apps.launches import letters, standings
from apps.listings.models import Listing
from apps.listings.services import publish_listing


@transaction.atomic
def go_live(*, listing: Listing, week: Week) -> Listing:
    """Publish a listing in `week` and put it on that week's board; the caller holds its lock.

    Everything that publishes comes through here. Doing it twice is a no-op.
    """
    if listing.status == Listing.Status.LIVE:
        return listing
    published = publish_listing(listing=listing, week=week)
    standings.enter_board(listing=published)
    letters.tell_live(published)
    return published
