"""Publish a listing: add it to its week's leaderboard and email its owner."""

import logging
from collections.abc import Callable
from typing import TypeVar

from django.db import transaction

from apps.core.text.weeks import Week
from apps.launches import emails
from apps.launches.calendar.launch_weeks import current_week
from apps.launches.votes import rankings
from apps.listings.models import Listing
from apps.listings.services.creation import publish_listing

logger = logging.getLogger(__name__)
Decided = TypeVar("Decided")


class WeekOver(Exception):  # noqa: N818 - named for what happened
    """The week ended before the listing was added to its leaderboard. The listing is unchanged."""


def while_the_week_lasts(decide: Callable[[], Decided]) -> Decided:
    """Run a decision about the current week in a transaction. Repeat it if the week ended while it ran.

    Waiting for the ledger's lock may take past Monday 00:00 UTC.
    """
    while True:
        week = current_week()
        try:
            with transaction.atomic():
                return decide()
        except WeekOver:
            if week == current_week():
                # The week isn't the current one, so trying again would never end.
                raise
            logger.info("a week ended while a launch into it was decided")


@transaction.atomic
def go_live(*, listing: Listing, week: Week) -> Listing:
    """Publish a listing in `week` and add it to that week's leaderboard. The caller holds the listing's lock.

    The only way to publish. Publishing twice is a no-op. Raises WeekOver with nothing changed if the leaderboard is
    closed. `while_the_week_lasts` handles that.
    """
    if listing.status == Listing.Status.LIVE:
        return listing
    published = publish_listing(listing=listing, week=week)
    if rankings.enter_board(listing=published).is_final:
        raise WeekOver
    emails.notify_live(published)
    return published
