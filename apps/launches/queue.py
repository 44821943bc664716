"""The free queue: a listing gets its launch week once the badge is found and the profile complete."""

from django.db import transaction
from django.utils import timezone

from apps.launches import calendar
from apps.launches.badges import BadgeLook, look_for_badge
from apps.listings import guidance
from apps.listings.models import Listing

Status = Listing.Status


def check_badge(*, listing_id: int) -> Listing:
    """Look for the badge on the owner's website and queue the listing if that was all it waited for."""
    listing = Listing.objects.select_related("company", "site").get(pk=listing_id)
    return record_badge_look(listing=listing, look=look_for_badge(listing))


def record_badge_look(*, listing: Listing, look: BadgeLook) -> Listing:
    """Keep what a look for the badge found, whatever comes of the queue; then queue the listing if it is ready."""
    return queue_if_ready(listing=_kept_look(listing, look))


@transaction.atomic
def _kept_look(listing: Listing, look: BadgeLook) -> Listing:
    """'Could not look' leaves an earlier find as it is."""
    listing = locked(listing)
    listing.badge_checked_at = timezone.now()
    listing.badge_result = look.detail[:200]
    if look.is_present:
        listing.badge_seen_at = listing.badge_checked_at
    listing.save(update_fields=["badge_checked_at", "badge_result", "badge_seen_at", "updated_at"])
    return listing


@transaction.atomic
def queue_if_ready(*, listing: Listing) -> Listing:
    """Give a free listing its launch week once nothing blocks it; otherwise leave it waiting."""
    listing = locked(listing)
    if listing.status != Status.AWAITING_BADGE or guidance.blockers(listing):
        return listing
    first = calendar.current_week() + listing.site.free_queue_weeks
    listing.launch_week = str(calendar.lock_first_place(listing.site, first, Listing.Plan.FREE))
    listing.move_to(Status.SCHEDULED)
    listing.save(update_fields=["launch_week", "status", "updated_at"])
    return listing


def waiting_for_badge() -> list[int]:
    """Ids of the listings that wait for their badge."""
    return list(Listing.objects.filter(status=Status.AWAITING_BADGE).values_list("pk", flat=True))


def locked(listing: Listing) -> Listing:
    """The listing as it is now, held until the transaction ends."""
    return Listing.objects.select_for_update(of=("self",)).select_related("company__owner", "site").get(pk=listing.pk)
