"""The weekly turn: scheduled listings go live when their week begins."""

from django.db import transaction

from apps.launches.calendar import current_week
from apps.listings.models import Listing
from apps.listings.services import publish_listing

Status = Listing.Status


def turn_week() -> int:
    """Publish every scheduled listing whose week has begun; returns how many.

    Catches up after any outage, and running twice does no harm.
    """
    now = str(current_week())
    due = Listing.objects.filter(status=Status.SCHEDULED, launch_week__lte=now).order_by("launch_week", "id")
    return sum(_publish(pk, now) for pk in list(due.values_list("pk", flat=True)))


@transaction.atomic
def _publish(pk: int, now: str) -> bool:
    listing = Listing.objects.select_for_update(of=("self",)).get(pk=pk)
    if listing.status != Status.SCHEDULED or listing.launch_week > now or listing.week is None:
        return False
    publish_listing(listing=listing, week=listing.week)
    return True
