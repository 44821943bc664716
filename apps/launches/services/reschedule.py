"""Move a scheduled launch to another week."""

import logging
from functools import partial

from apps.accounts.actors import Actor
from apps.core.errors import Conflict
from apps.core.text.weeks import Week
from apps.events.recording import record
from apps.launches import emails
from apps.launches.calendar import launch_weeks
from apps.launches.calendar.launch_weeks import Places, current_week
from apps.launches.services.publish import go_live, while_the_week_lasts
from apps.listings.models import Listing
from apps.listings.services.locks import lock_listing
from apps.sites.models import Site

logger = logging.getLogger(__name__)

Plan = Listing.Plan
Status = Listing.Status


class NotMovable(Conflict):
    code = "not_movable"
    title = "Launch can't be moved"


def move_launch(*, listing: Listing, week: Week, by: Actor) -> Listing:
    """Move the owner's scheduled launch to a week with a free spot. The current week launches it immediately.

    A paid launch can move to any week of the coming year, a free one to weeks that the free queue assigns now. Moving
    to its own week is a no-op. Raises NotMovable (409), InvalidWeek (422) or WeekFull (409) and keeps the old spot.
    """
    return while_the_week_lasts(partial(_move, listing=listing, week=week, by=by, is_queue_kept=True))


def move_launch_by_team(*, listing: Listing, week: Week, by: Actor) -> Listing:
    """Move a launch as an admin, who may also move a free launch to the front of the queue or launch it now."""
    return while_the_week_lasts(partial(_move, listing=listing, week=week, by=by, is_queue_kept=False))


def first_week_to_choose(site: Site, plan: str) -> Week:
    """Return the first week that an owner can choose."""
    return launch_weeks.first_free_week(site) if plan == Plan.FREE else current_week()


def weeks_to_choose(site: Site, plan: str) -> list[Places]:
    """Return every week that a launch of this plan can move to, with the spots left, in two queries."""
    first = first_week_to_choose(site, plan)
    last = current_week() + launch_weeks.WEEKS_AHEAD
    count = (last.starts_at - first.starts_at).days // 7 + 1
    return launch_weeks.places(site, first=first, count=max(count, 0))


def _move(*, listing: Listing, week: Week, by: Actor, is_queue_kept: bool) -> Listing:
    listing = lock_listing(listing.pk)
    if is_queue_kept and listing.company.owner_id != by.account.pk:
        raise NotMovable("The listing now belongs to another account.")
    if listing.status != Status.SCHEDULED or listing.week is None:
        raise NotMovable(f"The listing is {listing.state_words}. You can only move scheduled launches.")
    if week == listing.week:
        return listing
    launch_weeks.check_week(week, first=first_week_to_choose(listing.site, listing.plan) if is_queue_kept else None)
    launch_weeks.lock_place(listing.site, week, listing.plan, leaving=listing.week)
    moved = {"listing": listing.pk, "account": by.account.pk, "from": listing.launch_week, "to": str(week)}
    logger.info("launch moved", extra=moved)
    if week <= current_week():
        return go_live(listing=listing, week=week)
    previous, listing.launch_week = listing.launch_week, str(week)
    record("launch_week.changed", listing.event_subject(), by=by, previous_week=previous)
    listing.save(update_fields=["launch_week", "updated_at"])
    emails.notify_scheduled(listing)
    return listing
