"""Emails to a buyer about a line or a refund; each in the transaction that gives the reason."""

from typing import Any

from django.db import transaction
from django.db.models import CharField, Exists, OuterRef, Value
from django.db.models.functions import Cast, Concat

from apps.core.email import outbox
from apps.core.email.text import render_words
from apps.core.models import OutgoingEmail
from apps.core.templatetags.ui import money
from apps.launches.calendar.launch_weeks import current_week
from apps.listings.models import Listing
from apps.orders.models import Order, OrderLine, Placement, Refund
from apps.orders.products.registry import kind_of
from apps.orders.staff_review import ask_for_review


def email_line_failed(line: OrderLine, *, refund_cents: int) -> None:
    """Tell the buyer that the line was not delivered and `refund_cents` are refunded."""
    _put_email(line, "line_failed", key=f"order-line-{line.pk}-failed", refund_cents=refund_cents)


def email_line_withdrawn(line: OrderLine) -> None:
    """Tell the buyer that the delivered line is withdrawn."""
    _put_email(line, "line_withdrawn", key=f"order-line-{line.pk}-withdrawn")


def unannounced_placements() -> list[int]:
    """Return placements whose week has begun and whose buyers got no email yet, earliest first."""
    # Emails are kept for longer than a week, so those of the current one are all there.
    announced = OutgoingEmail.objects.filter(
        key=Concat(Value("placement-"), Cast(OuterRef("pk"), CharField()), Value("-begun"))
    )
    current = Placement.objects.filter(~Exists(announced), week=str(current_week()), listing__isnull=False)
    return list(current.filter(line__order__account__is_active=True).order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def email_placement_begun(placement_id: int) -> None:
    """Tell the buyer once that a placement's week has begun, and what hides the listing, if anything."""
    order_id = Placement.objects.values_list("line__order_id", flat=True).filter(pk=placement_id).first()
    order = Order.objects.select_for_update().filter(pk=order_id or 0).first()
    related = ("line__order__account", "line__order__site", "listing__company", "listing__merged_into__company")
    placement = Placement.objects.select_related(*related).filter(pk=placement_id).first()
    if order is None or placement is None or placement.listing is None:
        return
    listing = placement.listing.merged_into or placement.listing
    kind = kind_of(placement.product)
    pages = kind.pages(placement)
    _put_email(
        placement.line,
        "placement_begun",
        key=f"placement-{placement.pk}-begun",
        week=placement.week,
        listing=listing,
        is_live=listing.status == Listing.Status.LIVE,
        note=kind.placement_note,
        pages=pages,
    )
    if not pages:
        reason = f"Line {placement.line.position} is booked for {placement.week}, but its categories were deleted."
        ask_for_review(order=order, reason=reason)


def email_refund(*, order: Order, refund: Refund) -> None:
    """Email the buyer in the caller's transaction, once per attempt of a refund. A closed account gets nothing."""
    payment = refund.payment
    if not order.account.is_active:
        return
    amount = money(refund.amount_cents) if payment.currency == "usd" else _foreign(refund)
    context = {
        "amount": amount,
        "order": order,
        "refund": refund,
        "is_test": payment.is_test,
        "site": order.site,
    }
    outbox.put(
        key=f"refund-{refund.pk}-{refund.attempt}",
        to=order.account.email,
        words=render_words("orders/emails/refund", context),
        site=order.site,
    )


def _foreign(refund: Refund) -> str:
    whole, rest = divmod(refund.amount_cents, 100)
    return f"{whole}.{rest:02d} {refund.payment.currency.upper()}"


def _put_email(line: OrderLine, name: str, *, key: str, **more: Any) -> None:
    order = line.order
    if not order.account.is_active:
        return
    context = {"line": line, "order": order, "site": order.site, **more}
    outbox.put(
        key=key,
        to=order.account.email,
        words=render_words(f"orders/emails/{name}", context),
        site=order.site,
    )
