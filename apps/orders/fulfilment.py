"""Delivering what was paid for: one transaction a line, so that each is delivered exactly once."""

import logging
from collections.abc import Callable

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from apps.core.errors import DomainError, Unprocessable
from apps.core.weeks import Week
from apps.launches.services import launch_paid
from apps.listings.models import Listing
from apps.listings.services import unlock_section
from apps.orders import refunds
from apps.orders.cart import why_not
from apps.orders.models import Order, OrderLine, Payment, Placement, Product
from apps.orders.placements import places_left, taken_places

logger = logging.getLogger(__name__)

Name = Product.Name
Status = OrderLine.Status
TRIES_BEFORE_REVIEW = 5


class Undeliverable(Unprocessable):
    code = "undeliverable"
    title = "This line cannot be delivered"


def fulfil_order(order_id: int) -> None:
    """Deliver every line of a paid order that is not delivered yet; any number of times, also at once.

    A line that can never be delivered is marked failed and its money is requested back. A line that meets an
    unexpected error stays as it is for the next try.
    """
    lines = OrderLine.objects.filter(order_id=order_id, status=Status.PENDING).order_by("position")
    for line_id in lines.values_list("id", flat=True):
        try:
            fulfil_line(line_id)
        except Exception:
            logger.exception("a paid line could not be delivered yet", extra={"line": line_id})
            _count_try(line_id)


def fulfil_line(line_id: int) -> None:
    """Deliver one line, or mark it failed with the reason and request its money back."""
    try:
        with transaction.atomic():
            line = _lock(line_id)
            if line is not None:
                _DELIVERIES[Name(line.product)](line)
                line.move_to(Status.FULFILLED)
                line.fulfilled_at = timezone.now()
                line.save(update_fields=["status", "fulfilled_at"])
    except DomainError as error:
        fail_line(line_id, error.detail)


def _lock(line_id: int) -> OrderLine | None:
    """The line with its order, both locked; None when there is nothing to deliver."""
    order_id = OrderLine.objects.values_list("order_id", flat=True).get(pk=line_id)
    order: Order = Order.objects.select_for_update().get(pk=order_id)
    line = OrderLine.objects.select_for_update(of=("self",)).select_related("order__account").get(pk=line_id)
    is_due = order.status in Order.DELIVERABLE and line.status == Status.PENDING
    return line if is_due else None


@transaction.atomic
def fail_line(line_id: int, reason: str) -> None:
    """Give up a paid line that is not delivered, and request its money back: at most what is left of the payment."""
    line = _lock(line_id)
    if line is None:
        return
    line.move_to(Status.FAILED)
    line.failure = reason[:300]
    line.save(update_fields=["status", "failure"])
    payment = line.order.payments.get(status=Payment.Status.PAID)
    amount_cents = min(line.total_cents, refunds.left_of(payment))
    refunds.request_refund(payment=payment, amount_cents=amount_cents, reason=reason, line=line)
    logger.warning("a paid line failed", extra={"line": line_id, "reason": reason})


def _count_try(line_id: int) -> None:
    OrderLine.objects.filter(pk=line_id).update(attempts=F("attempts") + 1)
    Order.objects.filter(lines__pk=line_id, lines__attempts__gte=TRIES_BEFORE_REVIEW).update(needs_review=True)


def _lock_listing(line: OrderLine) -> Listing:
    listing = Listing.objects.select_for_update().filter(pk=line.listing_id or 0).first()
    if listing is None:
        raise Undeliverable("The listing is no longer there.")
    if problem := why_not(line.product, listing, line.unlocks):
        raise Undeliverable(problem[1])
    return listing


def _launch(line: OrderLine) -> None:
    chosen = line.options["week"]
    week = None if chosen == "now" else Week.parse(chosen)
    listing = launch_paid(listing=_lock_listing(line), week=week, by=line.order.account)
    _unlock(line, listing)


def _open_section(line: OrderLine) -> None:
    _unlock(line, _lock_listing(line))


def _unlock(line: OrderLine, listing: Listing) -> None:
    for section in line.unlocks:
        unlock_section(listing=listing, section=section)


def _place(line: OrderLine) -> None:
    if line.has_listing:
        _lock_listing(line)
    categories = line.options.get("categories", [])
    # Whoever books a place of this product waits here, so that the count below is the final one.
    product = Product.objects.select_for_update().filter(site=line.order.site_id, name=line.product).first()
    taken = taken_places(site_id=line.order.site_id, weeks=line.weeks)
    for week in line.weeks:
        if product and places_left(product, week=week, categories=categories, taken=taken) < 1:
            raise Undeliverable(f"All places of {week} were taken before the payment arrived.")
    Placement.objects.bulk_create(
        [
            Placement(
                line=line,
                site_id=line.order.site_id,
                product=line.product,
                listing_id=line.listing_id,
                week=week,
                categories=categories,
                amount_cents=line.unit_price_cents,
            )
            for week in line.weeks
        ]
    )


_DELIVERIES: dict[Name, Callable[[OrderLine], None]] = {
    Name.LAUNCH: _launch,
    Name.BILLBOARD: _place,
    Name.CATEGORY_FEATURE: _place,
    Name.NEWSLETTER_SLOT: _place,
    Name.SECTION_MILESTONES: _open_section,
    Name.SECTION_GALLERY: _open_section,
    Name.SECTION_FAQ: _open_section,
}
