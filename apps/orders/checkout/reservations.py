"""Spots of an order while it is being paid: launch weeks and placements that nobody else gets meanwhile."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import timedelta

from django.utils import timezone

from apps.core.weeks import Week
from apps.launches.calendar import launch_weeks
from apps.launches.models import SpotReservation
from apps.orders.checkout.validation import CannotDeliver, check_deliverable
from apps.orders.models import Order, OrderLine, Product
from apps.orders.products.catalogue import NOW

RESERVED_FOR = timedelta(minutes=15)


def reserve_spots(order: Order) -> None:
    """Reserve every spot of an order for RESERVED_FOR, in the caller's transaction; the order is locked by the caller.

    All or nothing. Whoever reserves or delivers the same spots waits. Raises CannotDeliver (409) when one is taken.
    """
    lines = list(order.lines.all())
    spots = [spot for line in lines for spot in _spots_of(line, order)]
    _lock(order, spots)
    # What has run out is cleared away under the lock, so that a payment that arrives now cannot keep it as well.
    run_out = SpotReservation.objects.filter(site=order.site, expires_at__lte=timezone.now())
    run_out.filter(week__in={spot.week for spot in spots}, product__in={spot.product for spot in spots}).delete()
    release_spots(lines)
    check_deliverable(order)
    _check_launches(order, spots)
    SpotReservation.objects.bulk_create(spots)


def keep_spots(order: Order) -> None:
    """Keep what is still reserved until it is delivered: the order is paid. What has run out stays so."""
    reserved = SpotReservation.objects.filter(holder__in=_holders(order.lines.all()), expires_at__gt=timezone.now())
    reserved.update(expires_at=None)


def release_spots(lines: Iterable[OrderLine]) -> None:
    """Give up what is reserved for lines; doing it twice is a no-op."""
    SpotReservation.objects.filter(holder__in=_holders(lines)).delete()


def reserves_spots(order: Order) -> bool:
    """Whether there is something to reserve in an order."""
    return any(line.options.get("week") or line.weeks for line in order.lines.all())


def _holders(lines: Iterable[OrderLine]) -> list[str]:
    return [line.holder for line in lines]


def _spots_of(line: OrderLine, order: Order) -> list[SpotReservation]:
    weeks = line.weeks
    if line.product == Product.Name.LAUNCH and "week" in line.options:
        chosen, now = line.options["week"], launch_weeks.current_week()
        weeks = [str(now if chosen == NOW else max(Week.parse(chosen), now))]
    return [
        SpotReservation(
            site=order.site,
            product=line.product,
            week=week,
            categories=line.options.get("categories", []),
            holder=line.holder,
            expires_at=timezone.now() + RESERVED_FOR,
        )
        for week in weeks
    ]


def _check_launches(order: Order, spots: Sequence[SpotReservation]) -> None:
    """Several launches of one order need as many spots; each by itself was looked at before."""
    wanted = Counter(spot.week for spot in spots if spot.product == Product.Name.LAUNCH)
    for week, count in wanted.items():
        (found,) = launch_weeks.places(order.site, first=Week.parse(week), count=1)
        if found.paid_left < count:
            raise CannotDeliver(f"{found.paid_left} of {count} paid spots are left in {week}. Choose another week.")


def _lock(order: Order, spots: Sequence[SpotReservation]) -> None:
    """Take the locks under which these spots are given away: launch weeks first, then products, each in their order."""
    launches = {Week.parse(spot.week) for spot in spots if spot.product == Product.Name.LAUNCH}
    launch_weeks.lock_weeks(order.site, launches)
    names = {spot.product for spot in spots}
    list(Product.objects.select_for_update().filter(site=order.site, name__in=names).order_by("pk"))
