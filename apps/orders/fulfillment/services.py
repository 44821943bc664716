"""Delivering what was paid for: one transaction a line, so that each is delivered exactly once; and taking it back."""

import logging
from collections.abc import Callable, Collection

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from apps.core.errors import Conflict, DomainError, ServiceUnavailable, TooManyRequests, Unprocessable
from apps.core.weeks import Week
from apps.launches.calendar.launch_weeks import LAUNCHED_PAID, current_week
from apps.launches.services.launch import NotLaunchable, launch_paid, upgrade_listing, withdraw_paid_launch
from apps.listings.models import Listing
from apps.listings.services.creation import close_section, unlock_section
from apps.listings.services.locks import lock_listing
from apps.listings.services.merge_plan import PAID_SECTIONS
from apps.orders.checkout.cart import why_not
from apps.orders.checkout.reservations import release_spots
from apps.orders.checkout.validation import why_not_in_week
from apps.orders.fulfillment import emails
from apps.orders.models import Order, OrderLine, Payment, Product
from apps.orders.placements.booking import book_places
from apps.orders.products.catalogue import NOW
from apps.orders.refunds import services
from apps.orders.staff_review import ask_for_review

logger = logging.getLogger(__name__)

Name = Product.Name
Status = OrderLine.Status
ATTEMPTS_BEFORE_REVIEW = 5


class Undeliverable(Unprocessable):
    code = "undeliverable"
    title = "This line cannot be delivered"


class CannotWithdraw(Conflict):
    code = "cannot_withdraw"
    title = "This line cannot be taken back"


def fulfill_order(order_id: int) -> None:
    """Deliver every line of a paid order that is not delivered yet; any number of times, also at once.

    A line that can never be delivered is marked failed and its money is requested back. A line that meets an
    unexpected error stays as it is for the next try.
    """
    lines = OrderLine.objects.filter(order_id=order_id, status=Status.PENDING).order_by("position")
    for line_id in lines.values_list("id", flat=True):
        try:
            fulfill_line(line_id)
        except Exception:
            logger.exception("a paid line could not be delivered yet", extra={"line": line_id})
            _count_attempt(line_id)


def fulfill_line(line_id: int) -> None:
    """Deliver one line, or mark it failed with the reason and request its money back."""
    try:
        with transaction.atomic():
            line = _lock(line_id)
            if line is not None:
                _DELIVERIES[Name(line.product)](line)
                line.move_to(Status.FULFILLED)
                line.fulfilled_at = timezone.now()
                line.save(update_fields=["status", "fulfilled_at"])
                release_spots([line])
    except (ServiceUnavailable, TooManyRequests):
        # These pass; they say nothing about the line.
        raise
    except DomainError as error:
        fail_line(line_id, error.detail)


def _lock(line_id: int) -> OrderLine | None:
    """The line with its order, both locked; None when there is nothing to deliver."""
    order_id = OrderLine.objects.values_list("order_id", flat=True).get(pk=line_id)
    order: Order = Order.objects.select_for_update().get(pk=order_id)
    lines = OrderLine.objects.select_related("order__account", "order__site")
    line = lines.select_for_update(of=("self",)).get(pk=line_id)
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
    release_spots([line])
    payment = line.order.payments.get(status=Payment.Status.PAID)
    amount_cents = services.amount_of(line, payment=payment)
    services.request_refund(payment=payment, amount_cents=amount_cents, reason=reason, line=line)
    emails.email_line_failed(line, refund_cents=amount_cents)
    logger.warning("a paid line failed", extra={"line": line_id, "reason": reason})


@transaction.atomic
def _count_attempt(line_id: int) -> None:
    line = _lock(line_id)
    if line is None:
        return
    OrderLine.objects.filter(pk=line_id).update(attempts=F("attempts") + 1)
    if line.attempts + 1 == ATTEMPTS_BEFORE_REVIEW:
        reason = f"Line {line.position} could not be delivered in {ATTEMPTS_BEFORE_REVIEW} tries."
        ask_for_review(order=line.order, reason=reason)


def withdraw_line(line: OrderLine) -> None:
    """Take back what a delivered line gave; order and line are locked by the caller, in whose transaction it is.

    Placements whose weeks have all still to come, sections that nothing else opens, a launch that is still ahead, whose
    listing is a draft again, and the upgrade of a live listing, which stays live on the free plan. Twice is a no-op.
    Raises CannotWithdraw (409) with a sentence; then nothing changes.
    """
    if line.status == Status.WITHDRAWN:
        return
    if line.status != Status.FULFILLED:
        raise CannotWithdraw(f"{line.title} is {line.status}: nothing was delivered that could be taken back.")
    _WITHDRAWALS[Name(line.product)](line)
    line.move_to(Status.WITHDRAWN)
    line.save(update_fields=["status"])
    emails.email_line_withdrawn(line)
    logger.info("a delivered line was taken back", extra={"line": line.pk})


# ---- listings ----
def _lock_listing_of(line: OrderLine) -> Listing | None:
    """The line's listing, locked; in place of one that was merged, what it was merged into. None when it is gone."""
    found = Listing.objects.filter(pk=line.listing_id or 0).values_list("pk", "merged_into_id").first()
    # Of two that were merged only the one that stays is locked: a merge locks them in an order of its own.
    pk = found and (found[1] or found[0])
    while pk:
        try:
            listing = lock_listing(pk)
        except Listing.DoesNotExist:
            return None
        if listing.merged_into_id is None:
            return listing
        pk = listing.merged_into_id
    return None


def _deliverable_listing(line: OrderLine) -> Listing:
    listing = _lock_listing_of(line)
    if listing is None:
        raise Undeliverable("The listing is no longer there.")
    if problem := why_not(line.product, listing, line.unlocks):
        raise Undeliverable(problem[1])
    return listing


# ---- launches ----
def _launch(line: OrderLine) -> None:
    listing = _deliverable_listing(line)
    if problem := why_not_in_week(line, listing):
        raise Undeliverable(problem)
    if listing.is_upgradable:
        listing = upgrade_listing(listing=listing)
    else:
        chosen = line.options["week"]
        week = None if chosen == NOW else Week.parse(chosen)
        listing = launch_paid(listing=listing, week=week, holder=line.holder)
    _unlock(line, listing)


def _take_back_launch(line: OrderLine) -> None:
    listing = _lock_listing_of(line)
    if listing is None:
        return
    opened = set(line.unlocks)
    if listing.pk != line.listing_id and line.is_upgrade and _forget_merged_upgrade(line):
        # What the merge opened on the listing that stays, since the other one was paid.
        opened.update(PAID_SECTIONS)
    else:
        _refuse_begun_launch(line)
        try:
            listing = withdraw_paid_launch(listing=listing, is_upgrade=line.is_upgrade)
        except NotLaunchable as error:
            raise CannotWithdraw(error.detail) from error
    _close(line, listing, opened)


def _refuse_begun_launch(line: OrderLine) -> None:
    """A listing that was launched before its merge has had its launch, whatever the one that stays has bought."""
    launched = Listing.objects.filter(LAUNCHED_PAID, pk=line.listing_id or 0, launched_at__isnull=False).first()
    if launched and not line.is_upgrade:
        raise CannotWithdraw(f"The listing went live in {launched.launch_week}; that cannot be taken back.")


def _forget_merged_upgrade(line: OrderLine) -> bool:
    """Take an upgrade back from a listing that was merged since; says whether there was one."""
    merged = Listing.objects.filter(pk=line.listing_id or 0, upgraded_at__isnull=False)
    return bool(merged.update(plan=Listing.Plan.FREE, upgraded_at=None))


# ---- sections ----
def _open_section(line: OrderLine) -> None:
    _unlock(line, _deliverable_listing(line))


def _unlock(line: OrderLine, listing: Listing) -> None:
    for section in line.unlocks:
        unlock_section(listing=listing, section=section)


def _take_back_section(line: OrderLine) -> None:
    if listing := _lock_listing_of(line):
        _close(line, listing, line.unlocks)


def _close(line: OrderLine, listing: Listing, opened: Collection[str]) -> None:
    """Close what the line opened, unless another line or a paid launch that was merged into it opened it too."""
    whose = Q(listing=listing) | Q(listing__merged_into=listing)
    others = OrderLine.objects.filter(whose, status=Status.FULFILLED, unlocks__overlap=list(opened)).exclude(pk=line.pk)
    kept = {section for sections in others.values_list("unlocks", flat=True) for section in sections}
    if listing.merged.filter(plan=Listing.Plan.PAID, launched_at__isnull=False).exists():
        kept.update(PAID_SECTIONS)
    for section in opened:
        if section not in kept:
            close_section(listing=listing, section=section)


# ---- placements ----
def _place(line: OrderLine) -> None:
    book_places(line, listing=_deliverable_listing(line) if line.has_listing else None)


def _take_back_places(line: OrderLine) -> None:
    begun = line.placements.filter(week__lte=str(current_week())).order_by("week").first()
    if begun:
        raise CannotWithdraw(f"{begun.week} of {line.title} has begun, so it cannot be taken back.")
    line.placements.all().delete()


_DELIVERIES: dict[Name, Callable[[OrderLine], None]] = {
    Name.LAUNCH: _launch,
    Name.BILLBOARD: _place,
    Name.CATEGORY_FEATURE: _place,
    Name.NEWSLETTER_SLOT: _place,
    Name.SECTION_MILESTONES: _open_section,
    Name.SECTION_GALLERY: _open_section,
    Name.SECTION_FAQ: _open_section,
}
_WITHDRAWALS: dict[Name, Callable[[OrderLine], None]] = {
    Name.LAUNCH: _take_back_launch,
    Name.BILLBOARD: _take_back_places,
    Name.CATEGORY_FEATURE: _take_back_places,
    Name.NEWSLETTER_SLOT: _take_back_places,
    Name.SECTION_MILESTONES: _take_back_section,
    Name.SECTION_GALLERY: _take_back_section,
    Name.SECTION_FAQ: _take_back_section,
}
