"""The weekly rollover: close leaderboards of past weeks, and publish scheduled listings when their week begins."""

import logging
from functools import partial

from apps.core.text.weeks import Week
from apps.events.recording import record
from apps.launches import emails
from apps.launches.calendar import launch_weeks
from apps.launches.calendar.launch_weeks import WeekFull, current_week
from apps.launches.services.publish import go_live, while_the_week_lasts
from apps.launches.votes import rankings
from apps.listings.models import Listing
from apps.listings.services.locks import lock_listing

logger = logging.getLogger(__name__)

Status = Listing.Status


def roll_over_week() -> int:
    """Close past weeks, then publish every scheduled listing whose week has begun. Returns how many went live.

    Catches up after any outage, and repeated or concurrent runs do no harm: each listing is checked again under its
    lock. A failure for one listing is logged and retried in the next rollover.
    """
    try:
        rankings.close_boards()
    except Exception:
        # A leaderboard that can't be closed must not hold up the launches of other sites.
        logger.exception("boards could not be closed")
    due = Listing.objects.filter(status=Status.SCHEDULED, launch_week__lte=str(current_week()))
    return sum(_roll_over_listing(pk) for pk in list(due.order_by("launch_week", "id").values_list("pk", flat=True)))


def _roll_over_listing(pk: int) -> bool:
    try:
        return while_the_week_lasts(partial(_roll_over, pk))
    except WeekFull:
        logger.info("no week has a place for a missed launch", extra={"listing": pk})
    except Exception:
        logger.exception("a listing could not go live", extra={"listing": pk})
    return False


def _roll_over(pk: int) -> bool:
    listing = lock_listing(pk)
    now, week = current_week(), listing.week
    if listing.status != Status.SCHEDULED or week is None or week > now:
        return False
    if week < now:
        return _give_another_week(listing, missed=week, now=now)
    go_live(listing=listing, week=week)
    return True


def _give_another_week(listing: Listing, *, missed: Week, now: Week) -> bool:
    """Move a listing to a later week with a spot, if no rollover ran in its whole week."""
    week = launch_weeks.lock_first_place(listing.site, now, listing.plan)
    logger.warning("a launch week was missed", extra={"listing": listing.pk, "missed": str(missed), "week": str(week)})
    if week == now:
        go_live(listing=listing, week=week)
        return True
    listing.launch_week = str(week)
    record("launch_week.changed", listing.event_subject(), previous_week=str(missed))
    listing.save(update_fields=["launch_week", "updated_at"])
    emails.notify_postponed(listing, missed=missed)
    return False
