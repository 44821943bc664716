"""A listing in any status, as the commands leave it there."""

from typing import Any

from django.utils import timezone

from apps.core.text.weeks import Week
from apps.listings.models import Listing
from tests.factories import ListingFactory

Status = Listing.Status
Plan = Listing.Plan


def in_status(status: str, **fields: Any) -> Listing:
    """A listing of `status`; a suspended one was live, an archived one too. `fields` go to the factory."""
    this_week = Week.of(timezone.now())
    match status:
        case Status.LIVE:
            return ListingFactory.create(live=True, **fields)
        case Status.SUSPENDED | Status.ARCHIVED:
            listing = ListingFactory.create(live=True, **fields)
            listing.status = status
            listing.suspended_from = Status.LIVE if status == Status.SUSPENDED else ""
            listing.status_reason = "Links to spam." if status == Status.SUSPENDED else ""
            listing.save()
            return listing
        case Status.SCHEDULED:
            week = {"plan": Plan.FREE, "launch_week": str(this_week + 4)}
            return ListingFactory.create(**{"status": status, **week, **fields})
        case Status.AWAITING_BADGE:
            return ListingFactory.create(**{"status": status, "plan": Plan.FREE, **fields})
        case Status.REJECTED:
            return ListingFactory.create(**{"status": status, "status_reason": "Not a product.", **fields})
    return ListingFactory.create(status=status, **fields)
