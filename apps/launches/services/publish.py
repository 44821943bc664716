"""Publish a listing: add it to its week's leaderboard and email its owner."""

import logging
from collections.abc import Callable
from typing import TypeVar

from django.db import transaction

from apps.core.weeks import Week
from apps.launches import emails
from apps.launches.calendar.launch_weeks import current_week
from apps.launches.votes import rankings
from apps.listings.models import Listing
from apps.listings.services.creation import publish_listing

logger = logging.getLogger(__name__)
Decided = TypeVar("Decided")


class WeekOver(Exception):  # noqa: N818 - named for what happened
    """The week ended before its board took the listing in, where nobody could vote for it; it is as it was."""


def while_the_week_lasts(decide: Callable[[], Decided]) -> Decided:
    """What was decided about the current week, in one transaction; decided anew when that week ended meanwhile.

    Between reading the clock and holding the board's ledger others may be waited for, past Monday 00:00 UTC.
    """
    while True:
        week = current_week()
        try:
            with transaction.atomic():
                return decide()
        except WeekOver:
            if week == current_week():
                # It was another week's board, so trying again would never end.
                raise
            logger.info("a week ended while a launch into it was decided")


@transaction.atomic
def go_live(*, listing: Listing, week: Week) -> Listing:
    """Publish a listing in `week` and put it on that week's board; the caller holds its lock.

    Everything that publishes comes through here. Doing it twice is a no-op. Raises WeekOver, with nothing changed, when
    the board takes nobody in any more; `while_the_week_lasts` is for that.
    """
    if listing.status == Listing.Status.LIVE:
        return listing
    published = publish_listing(listing=listing, week=week)
    if rankings.enter_board(listing=published).is_final:
        raise WeekOver
    emails.notify_live(published)
    return published
