"""Spots reserved during checkout. They count as taken until they expire or are released."""

from collections.abc import Collection

from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.launches.models import SpotReservation

LAUNCH = "launch"


def live() -> QuerySet[SpotReservation]:
    """Return the reservations that have not expired or been released."""
    return SpotReservation.objects.filter(Q(expires_at=None) | Q(expires_at__gt=timezone.now()))


def is_reserved_for(holder: str, *, product: str, weeks: Collection[str]) -> bool:
    """Return whether `holder` has a spot of the product reserved in each of these weeks."""
    own = live().filter(holder=holder, product=product, week__in=weeks)
    return bool(holder) and own.count() == len(set(weeks))
