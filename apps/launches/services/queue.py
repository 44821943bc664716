"""The free queue: a listing gets its launch week when the badge is found and the profile is complete."""

import logging

from django.db import transaction
from django.db.models import QuerySet

from apps.core.text.weeks import Week
from apps.launches import emails
from apps.launches.calendar import launch_weeks
from apps.launches.calendar.launch_weeks import WeekFull
from apps.listings.guidance import blockers
from apps.listings.guidance.badge_status import NO_WEEK_FREE
from apps.listings.models import Listing
from apps.listings.services.locks import lock_listing

logger = logging.getLogger(__name__)

Status = Listing.Status


@transaction.atomic
def queue_if_ready(*, listing: Listing) -> Listing:
    """Give a free listing its launch week if nothing blocks it, and otherwise leave it waiting.

    If no week has a spot, the listing waits, and the badge's result tells its owner.
    """
    listing = lock_listing(listing.pk)
    if listing.status != Status.AWAITING_BADGE or blockers.blockers(listing):
        return listing
    try:
        week = launch_weeks.lock_first_place(
            listing.site, launch_weeks.first_free_week(listing.site), Listing.Plan.FREE
        )
    except WeekFull:
        _wait_for_place(listing)
        return listing
    return schedule(listing=listing, week=week)


@transaction.atomic
def schedule(*, listing: Listing, week: Week) -> Listing:
    """Set the launch week and notify the owner. The caller holds the listing's lock and a spot in the week."""
    if listing.badge_result == NO_WEEK_FREE:
        listing.badge_result = ""
    listing.move_to(Status.SCHEDULED, "plan", "badge_result", "badge_check_at", launch_week=str(week))
    emails.notify_scheduled(listing)
    return listing


def queue_ready() -> int:
    """Queue listings that became ready without a badge check, such as by a profile or a new spot. Returns how many.

    A failure for one listing is logged and doesn't stop the others.
    """
    queued = 0
    for listing in _with_badge().order_by("id"):
        if blockers.blockers(listing):
            continue
        try:
            queued += queue_if_ready(listing=listing).status == Status.SCHEDULED
        except Exception:
            logger.exception("a listing could not be queued", extra={"listing": listing.pk})
    return queued


def _wait_for_place(listing: Listing) -> None:
    if listing.badge_result == NO_WEEK_FREE:
        return
    listing.badge_result = NO_WEEK_FREE
    listing.save(update_fields=["badge_result", "updated_at"])
    logger.warning("no week has a free spot", extra={"listing": listing.pk, "site": listing.site_id})


def _with_badge() -> QuerySet[Listing]:
    """Return waiting listings with a badge, and the rows that the site's rules need."""
    with_rules = Listing.objects.select_related("company__owner__founder_profile", "site")
    return with_rules.filter(
        status=Status.AWAITING_BADGE, badge_seen_at__isnull=False, badge_missing_since__isnull=True
    )
