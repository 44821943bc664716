"""Reserve an order's spots in launch weeks and placements while it is being paid.

Reserving costs nothing, so there are limits on how much one account can keep from others, and for how long.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone
from redis.exceptions import RedisError

from apps.accounts.models import User
from apps.core.stores.valkey.counters import Limit
from apps.core.text.weeks import Week
from apps.launches.calendar import launch_weeks, reservations
from apps.launches.models import SpotReservation
from apps.orders.checkout import other_launches
from apps.orders.checkout.validation import CannotDeliver, check_deliverable
from apps.orders.models import Order, OrderLine, Product
from apps.orders.products.registry import kind_of

logger = logging.getLogger(__name__)

RESERVED_FOR = timedelta(minutes=15)
# Per account while it pays: for a product in one week, and in total. One order can book a placement for a year.
MOST_IN_A_WEEK = 2
MOST_AT_ONCE = 60
# Per account and product. Paid spots don't count.
PERIODS_AN_HOUR = Limit("reservations", 6, 3600)


def reserve_spots(order: Order) -> None:
    """Reserve every spot of an order for RESERVED_FOR, in the caller's transaction. The caller locks the order.

    All or nothing. Concurrent reservations and deliveries of these spots wait. Paying again within RESERVED_FOR keeps
    the first end. Raises CannotDeliver (409) when a spot is taken, another order is being paid for the same one, or the
    account reserves too much.
    """
    # Lock the account: its payments run one after another, so that the limits hold.
    User.objects.lock(order.account_id)
    lines = list(order.lines.all())
    spots = [spot for line in lines for spot in _spots_of(line, order)]
    _lock(order, spots)
    # Expired reservations are removed under the lock, so that a payment that arrives now can't also keep them.
    run_out = SpotReservation.objects.filter(site=order.site, expires_at__lte=timezone.now())
    _locked(
        run_out.filter(week__in={spot.week for spot in spots}, product__in={spot.product for spot in spots})
    ).delete()
    release_spots(lines)
    check_deliverable(order)
    _check_launches(order, spots)
    _check_others(order, lines, spots)
    ends_at = _first_end(order)
    if ends_at is None and spots:
        ends_at = timezone.now() + RESERVED_FOR
        _count_period(order, {spot.product for spot in spots})
    for spot in spots:
        spot.expires_at = ends_at
    SpotReservation.objects.bulk_create(spots)


def keep_spots(order: Order) -> None:
    """Keep a paid order's unexpired reservations until delivery."""
    own = SpotReservation.objects.filter(holder__in=_holders(order.lines.all()))
    reserved = _locked(own.filter(expires_at__gt=timezone.now()))
    names = set(reserved.values_list("product", flat=True))
    reserved.update(expires_at=None)
    try:
        for name in names:
            PERIODS_AN_HOUR.give_back(_counted_as(order, name))
    except RedisError:
        logger.warning("a reservation that was paid stays counted", exc_info=True)


def release_spots(lines: Iterable[OrderLine]) -> None:
    """Release the reservations of lines. Doing it twice is a no-op."""
    _locked(SpotReservation.objects.filter(holder__in=_holders(lines))).delete()


def _locked(reservations: QuerySet[SpotReservation]) -> QuerySet[SpotReservation]:
    """Lock them one by one in a fixed order, so that concurrent cleanups don't deadlock.

    This waits for locked rows: their payment may be arriving, and then they count.
    """
    locked = reservations.select_for_update().order_by("pk")
    return SpotReservation.objects.filter(pk__in=[row.pk for row in locked])


def _first_end(order: Order) -> datetime | None:
    """Return when an earlier payment's period ends. None if it is over, or there was none."""
    began: datetime | None = None
    for started_at in order.payments.order_by("attempt").values_list("created_at", flat=True):
        if began is None or started_at >= began + RESERVED_FOR:
            began = started_at
    ends_at = began and began + RESERVED_FOR
    return ends_at if ends_at and ends_at > timezone.now() else None


def _count_period(order: Order, products: Iterable[str]) -> None:
    """Count a new period. Raises CannotDeliver (409) when the account began too many lately."""
    try:
        standings = [PERIODS_AN_HOUR.try_take(_counted_as(order, name)) for name in sorted(products)]
    except RedisError:
        logger.warning("reservations cannot be counted", exc_info=True)
        return
    if wait := max((standing.seconds for standing in standings if not standing.is_within), default=0):
        detail = (
            f"You started {PERIODS_AN_HOUR.count} payments in the last hour, each reserving spots. "
            f"Try again in {-(-wait // 60)} minutes."
        )
        raise CannotDeliver(detail, retry_after=wait)


def _counted_as(order: Order, product: str) -> str:
    return f"{order.account_id}:{product}"


def _check_others(order: Order, lines: Sequence[OrderLine], spots: Sequence[SpotReservation]) -> None:
    """Refuse spots that another order is being paid for, and more than one account may reserve."""
    holders = {line.holder: line for line in lines}
    listings = {line.listing_id for line in lines if line.listing_id}
    wanted = {(holders[spot.holder].listing_id, spot.product, spot.week) for spot in spots}
    open_lines = OrderLine.objects.filter(status=OrderLine.Status.PENDING, order__site=order.site).exclude(order=order)
    concerned = open_lines.filter(Q(order__account=order.account_id) | Q(listing__in=listings))
    paying = concerned.filter(order__status__in=Order.PAYABLE | Order.DELIVERABLE).select_related("order__site")
    others = {line.holder: line for line in paying}
    unpaid: Counter[tuple[str, str]] = Counter((spot.product, spot.week) for spot in spots)
    for row in reservations.live().filter(holder__in=others):
        line = others[row.holder]
        if line.listing_id and (line.listing_id, row.product, row.week) in wanted:
            raise CannotDeliver(other_launches.paying_text(line, account_id=order.account_id))
        if row.expires_at and line.order.account_id == order.account_id:
            unpaid[row.product, row.week] += 1
    _check_bounds(unpaid, {(spot.product, spot.week) for spot in spots})


def _check_bounds(unpaid: Counter[tuple[str, str]], wanted: Iterable[tuple[str, str]]) -> None:
    """`unpaid` are all spots that the account would have reserved, `wanted` those of this order."""
    for product, week in sorted(wanted):
        if unpaid[product, week] > MOST_IN_A_WEEK:
            named = kind_of(product).label.lower()
            raise CannotDeliver(
                f"You can reserve {MOST_IN_A_WEEK} spots of one week at a time, and this order needs "
                f"more {named} in {week}. Pay for {MOST_IN_A_WEEK} first, then buy the others."
            )
    if unpaid.total() > MOST_AT_ONCE:
        raise CannotDeliver(f"You can reserve {MOST_AT_ONCE} spots at a time. Pay your other orders first.")


def reserves_spots(order: Order) -> bool:
    """Return whether an order has something to reserve."""
    return any(kind_of(line.product).spot_weeks(line) for line in order.lines.all())


def _holders(lines: Iterable[OrderLine]) -> list[str]:
    return [line.holder for line in lines]


def _spots_of(line: OrderLine, order: Order) -> list[SpotReservation]:
    return [
        SpotReservation(
            site=order.site,
            product=line.product,
            week=week,
            categories=line.options.get("categories", []),
            holder=line.holder,
        )
        for week in kind_of(line.product).spot_weeks(line)
    ]


def _check_launches(order: Order, spots: Sequence[SpotReservation]) -> None:
    """Check that launches of one order fit together, since each was only checked alone before."""
    wanted = Counter(spot.week for spot in spots if kind_of(spot.product).uses_launch_weeks)
    for week, count in wanted.items():
        (result,) = launch_weeks.places(order.site, first=Week.parse(week), count=1)
        if result.paid_left < count:
            raise CannotDeliver(
                f"Only {result.paid_left} of {count} paid spots are left in {week}. Choose another week."
            )


def _lock(order: Order, spots: Sequence[SpotReservation]) -> None:
    """Lock these spots: launch weeks first, then products, each in their order."""
    launches = {Week.parse(spot.week) for spot in spots if kind_of(spot.product).uses_launch_weeks}
    launch_weeks.lock_weeks(order.site, launches)
    names = {spot.product for spot in spots}
    list(Product.objects.select_for_update().filter(site=order.site, name__in=names).order_by("pk"))
