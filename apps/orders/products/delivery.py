"""Shared steps of deliveries and withdrawals: the line's locked listing, and its sections."""

from collections.abc import Collection

from django.db.models import Q

from apps.core.errors import Conflict, Unprocessable
from apps.listings.models import Listing
from apps.listings.services.creation import close_section, unlock_section
from apps.listings.services.locks import lock_listing
from apps.listings.services.merge_plan import PAID_SECTIONS
from apps.orders.models import OrderLine


class Undeliverable(Unprocessable):
    code = "undeliverable"
    title = "Line can't be delivered"


class CannotWithdraw(Conflict):
    code = "cannot_withdraw"
    title = "Line can't be withdrawn"


def lock_listing_of(line: OrderLine) -> Listing | None:
    """Return the line's listing, locked, or the one it was merged into. None when it is gone."""
    result = Listing.objects.filter(pk=line.listing_id or 0).values_list("pk", "merged_into_id").first()
    # Only the one that remains is locked, because a merge locks two in its own order.
    pk = result and (result[1] or result[0])
    while pk:
        try:
            listing = lock_listing(pk)
        except Listing.DoesNotExist:
            return None
        if listing.merged_into_id is None:
            return listing
        pk = listing.merged_into_id
    return None


def unlock_sections(line: OrderLine, listing: Listing) -> None:
    """Unlock the sections that the line bought, or that come with it."""
    for section in line.unlocks:
        unlock_section(listing=listing, section=section)


def close_sections(line: OrderLine, listing: Listing, opened: Collection[str]) -> None:
    """Lock what the line unlocked, unless another line, or a paid launch of a merged listing, unlocked it, too."""
    whose = Q(listing=listing) | Q(listing__merged_into=listing)
    fulfilled = OrderLine.objects.filter(whose, status=OrderLine.Status.FULFILLED, unlocks__overlap=list(opened))
    others = fulfilled.exclude(pk=line.pk)
    unlocked = {section for sections in others.values_list("unlocks", flat=True) for section in sections}
    if listing.merged.filter(plan=Listing.Plan.PAID, launched_at__isnull=False).exists():
        unlocked.update(PAID_SECTIONS)
    for section in opened:
        if section not in unlocked:
            close_section(listing=listing, section=section)
