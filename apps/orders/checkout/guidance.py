"""Describe an order's status and next steps, for pages and assistants."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils import timezone

from apps.core.text.dates import date_text, moment_text, time_left
from apps.core.text.weeks import Week
from apps.listings.models import Listing
from apps.orders.checkout import other_launches
from apps.orders.models import Order, OrderLine, Refund
from apps.orders.models.catalog import LAUNCH

Status = Order.Status

_SUSPENDED = Listing.Status.SUSPENDED
# Statuses of listings that visitors don't see, and may see later.
_UNSEEN = Listing.LAUNCHABLE | {Listing.Status.IN_REVIEW, _SUSPENDED}

REVIEW = "We're reviewing a payment for this order and will email you. Your money is safe. Don't pay again."


@dataclass(frozen=True, slots=True)
class StatusText:
    """An order's state for people: `tone` is good, info, warn or bad."""

    tone: str
    title: str
    text: str


def review_note(order: Order) -> str | None:
    """Return what to tell the owner while a payment is under review, or None."""
    return REVIEW if order.needs_review else None


def status_text_of(order: Order) -> StatusText:
    """The order's state as its page says it. Needs the order `with_everything()`."""
    if order.needs_review:
        return StatusText("warn", "In review", REVIEW)
    if order.status in Order.PAYABLE and order.expires_at <= timezone.now():
        return _expired(order)
    if order.is_payable and (others := paid_elsewhere(order)):
        return StatusText("warn", "Already paid", others)
    return _STATUS_TEXTS[Status(order.status)](order)


def next_steps(order: Order) -> list[str]:
    """Return what to do next, naming operations and page URLs."""
    if order.needs_review:
        return [REVIEW]
    if order.is_payable and (others := paid_elsewhere(order)):
        return [others, f"Cancel this order with cancel_order or on {order.page_url}."]
    if order.is_payable:
        return _steps_to_pay(order)
    if order.status in Order.PAYABLE | {Status.EXPIRED}:
        return ["The order expired. Create a new one with create_checkout at current prices."]
    if order.status == Status.CANCELLED:
        return ["The order was canceled. To buy anyway, call create_checkout again."]
    steps = [*_steps_of_lines(order), *ahead(order)]
    if order.invoices.all():
        steps.append(f"Invoices are in `invoices` of get_order, and on {order.page_url} after signing in.")
    return steps


def paid_elsewhere(order: Order) -> str:
    """Explain that something in an order is paid with another one. Empty when nothing is."""
    others = other_launches.of_order(order)
    done = [other.text for other in other_launches.paid(others)]
    done += map(other_launches.open_text, other_launches.open_sections(order))
    if not done:
        return ""
    if other_launches.is_redundant(order, others):
        return f"{done[0]} This order doesn't need to be paid."
    return f"{done[0]} This order can't be paid as is. Create a new one for the rest."


def open_checkout_url(order: Order) -> str | None:
    """Return the order's payment URL, as long as it can be paid. No query if loaded `with_everything()`."""
    return order.checkout_url if order.is_payable and not paid_elsewhere(order) else None


def ahead(order: Order) -> list[str]:
    """Return what was delivered and can't be seen yet, or not in all its weeks, a sentence each."""
    return [sentence for line in order.lines.all() if (sentence := ahead_of(line))]


def ahead_of(line: OrderLine) -> str:
    """Return when a delivered line starts or goes on. Empty if it isn't delivered, or all of it can be seen."""
    if line.status != OrderLine.Status.FULFILLED:
        return ""
    if is_on_hold(line):
        return f"{line.listing_name} is suspended, so it hasn't gone live."
    if week := _scheduled_week(line):
        return f"{line.listing_name} goes live on {_first_day(week)}."
    if later := [week for week in _weeks_of(line) if week > _this_week()]:
        return f"{line.title} {'starts' if starts_later(line) else 'continues'} on {_first_day(later[0])}."
    return f"{line.title} appears once {line.listing_name} is live." if _is_unseen(line) else ""


def is_on_hold(line: OrderLine) -> bool:
    """Return whether a line launches a listing that was suspended before its week."""
    listing = line.listing if line.product == LAUNCH else None
    return listing is not None and (listing.status, listing.suspended_from) == (_SUSPENDED, Listing.Status.SCHEDULED)


def starts_later(line: OrderLine) -> bool:
    """Return whether a line is delivered, and nothing of it has begun."""
    if line.status != OrderLine.Status.FULFILLED:
        return False
    return bool(_scheduled_week(line)) or min(_weeks_of(line), default="") > _this_week()


def _scheduled_week(line: OrderLine) -> str:
    """Return the week of a launch that is scheduled, or an empty text."""
    listing = line.listing if line.product == LAUNCH else None
    return listing.launch_week if listing and listing.status == Listing.Status.SCHEDULED else ""


def _is_unseen(line: OrderLine) -> bool:
    """Return whether a section or a running placement waits for its listing to be live."""
    listing = line.listing if line.product != LAUNCH else None
    is_over = max(_weeks_of(line), default=_this_week()) < _this_week()
    return listing is not None and listing.status in _UNSEEN and not is_over


def _weeks_of(line: OrderLine) -> list[str]:
    return sorted(placement.week for placement in line.placements.all())


def _this_week() -> str:
    return str(Week.of(timezone.now()))


def _first_day(week: str) -> str:
    return date_text(Week.parse(week).starts_at)


def price_guarantee_text(order: Order) -> str:
    """Return how long an unpaid order's prices are held: `for 23 more hours, until 22 November 2026, 09:05 UTC`."""
    count, unit = time_left(order.expires_at).split()
    return f"for {count} more {unit}, until {moment_text(order.expires_at)}"


def _steps_to_pay(order: Order) -> list[str]:
    if order.status == Status.PROCESSING:
        return [
            (
                "A payment is in progress. Call get_order again in a moment. The status changes to paid "
                "once the money arrives."
            ),
            f"If the person canceled the payment, they can try again or pay another way: {order.checkout_url}",
        ]
    return [
        f"Give the person this link to review and pay: {order.checkout_url}",
        f"Prices are held {price_guarantee_text(order)}.",
        f"To cancel the order, call cancel_order or open {order.page_url}.",
    ]


def _steps_of_lines(order: Order) -> list[str]:
    states = {line.status for line in order.lines.all()}
    steps = []
    if OrderLine.Status.PENDING in states:
        steps.append("Delivery is in progress. Call get_order again in a minute.")
    if OrderLine.Status.FAILED in states:
        steps.append("A line couldn't be delivered. See its `failure`, and `refunds` for the money.")
    if any(refund.status == Refund.Status.REQUESTED for refund in order.refunds):
        steps.append("A refund is on its way. It can take a few days to arrive.")
    return steps


def _pending(order: Order) -> StatusText:
    return StatusText("info", "Not paid yet", f"Prices are held {price_guarantee_text(order)}.")


def _processing(order: Order) -> StatusText:
    text = (
        "Your payment is on its way. This page updates when it arrives. Some methods take minutes, "
        "bank transfers take days."
    )
    return StatusText("info", "Waiting for payment", text)


def _paid(order: Order) -> StatusText:
    states = {line.status for line in order.lines.all()}
    if OrderLine.Status.FAILED in states:
        text = "Payment received. Part of the order couldn't be delivered and is being refunded, see below."
        return StatusText("warn", "Thank you", text)
    if OrderLine.Status.PENDING in states:
        return StatusText(
            "good", "Thank you", "Payment received. Delivery takes a few seconds. This page updates when it's done."
        )
    return StatusText("good", "Thank you", f"Payment received. {' '.join(ahead(order)) or 'Everything is delivered.'}")


def _partially_refunded(order: Order) -> StatusText:
    return StatusText(
        "info", "Partially refunded", "See the amount and reason below. It can take a few days to arrive."
    )


def _refunded(order: Order) -> StatusText:
    text = "Your payment was refunded in full to your payment method. It can take a few days to arrive."
    return StatusText("info", "Refunded", text)


def _expired(order: Order) -> StatusText:
    text = (
        f"Prices were held until {moment_text(order.expires_at)}. You weren't charged. Start a new "
        "order to buy. A payment that still arrives completes this order or is refunded."
    )
    return StatusText("warn", "Order expired", text)


def _cancelled(order: Order) -> StatusText:
    return StatusText("info", "Canceled", "You weren't charged. You can use the promo code again.")


_STATUS_TEXTS: dict[Status, Callable[[Order], StatusText]] = {
    Status.PENDING: _pending,
    Status.PROCESSING: _processing,
    Status.PAID: _paid,
    Status.PARTIALLY_REFUNDED: _partially_refunded,
    Status.REFUNDED: _refunded,
    Status.EXPIRED: _expired,
    Status.CANCELLED: _cancelled,
}
