"""Where an order stands and what its owner can do next, in words: for the pages and for assistants."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils import timezone

from apps.core.templatetags.ui import moment_text, time_left
from apps.orders.checkout import other_launches
from apps.orders.models import Order, OrderLine, Refund

Status = Order.Status

REVIEW = (
    "The site team is looking at a payment of this order and writes to you. Nothing is lost, and there is nothing to "
    "do: please do not pay again."
)


@dataclass(frozen=True, slots=True)
class StatusText:
    """An order's state for people: `tone` is good, info, warn or bad."""

    tone: str
    title: str
    text: str


def review_note(order: Order) -> str | None:
    """What an owner is told while a person has to look at the order's money; None when nobody has to."""
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
    """What can be done now, in sentences with the names of operations and the addresses of pages."""
    if order.needs_review:
        return [REVIEW]
    if order.is_payable and (others := paid_elsewhere(order)):
        return [others, f"Cancel this order on {order.page_url}."]
    if order.is_payable:
        return _steps_to_pay(order)
    if order.status in Order.PAYABLE | {Status.EXPIRED}:
        return ["The time to pay is over. Build a new order with create_checkout, at the prices of now."]
    if order.status == Status.CANCELLED:
        return ["The order was cancelled. Build a new one with create_checkout when it is wanted after all."]
    steps = _steps_of_lines(order)
    if order.invoices.all():
        steps.append(f"Its invoices are on {order.page_url}; the owner signs in to read them.")
    return steps


def paid_elsewhere(order: Order) -> str:
    """That something in an order is paid with another one, in words; empty when nothing is."""
    others = other_launches.of_order(order)
    done = [other.text for other in other_launches.paid(others)]
    done += map(other_launches.open_text, other_launches.open_sections(order))
    if not done:
        return ""
    if other_launches.is_redundant(order, others):
        return f"{done[0]} This order doesn't need to be paid."
    return f"{done[0]} This order can't be paid as it is: build a new one for the rest."


def price_guarantee_text(order: Order) -> str:
    """How long the prices of an unpaid order are held: `for 23 more hours, until 22 November 2026, 09:05 UTC`."""
    count, unit = time_left(order.expires_at).split()
    return f"for {count} more {unit}, until {moment_text(order.expires_at)}"


def _steps_to_pay(order: Order) -> list[str]:
    if order.status == Status.PROCESSING:
        return [
            "A payment was begun. Read the order again in a moment: its status becomes paid once the money is there.",
            f"If the person broke it off, they can pay again, also in another way: {order.checkout_url}",
        ]
    return [
        f"Give this address to the person, who reviews and pays the order there: {order.checkout_url}",
        f"Prices are held {price_guarantee_text(order)}.",
        f"An order that is not wanted any more can be cancelled on {order.page_url}.",
    ]


def _steps_of_lines(order: Order) -> list[str]:
    states = {line.status for line in order.lines.all()}
    steps = []
    if OrderLine.Status.PENDING in states:
        steps.append("What was bought is being delivered. Read the order again in a minute.")
    if OrderLine.Status.FAILED in states:
        steps.append("A line could not be delivered: `failure` says why, and `refunds` where its money is.")
    if any(refund.status == Refund.Status.REQUESTED for refund in _refunds(order)):
        steps.append("A refund is on its way; banks take some days.")
    return steps


def _refunds(order: Order) -> list[Refund]:
    return [refund for payment in order.payments.all() for refund in payment.refunds.all()]


def _pending(order: Order) -> StatusText:
    return StatusText("info", "Not paid yet", f"Prices are held {price_guarantee_text(order)}.")


def _processing(order: Order) -> StatusText:
    text = (
        "Your payment is on its way. This page updates itself once it has arrived. Some ways to pay take minutes, "
        "bank transfers take days."
    )
    return StatusText("info", "Waiting for the payment", text)


def _paid(order: Order) -> StatusText:
    states = {line.status for line in order.lines.all()}
    if OrderLine.Status.FAILED in states:
        text = "The payment has arrived. A part could not be delivered: its money goes back to you, see below."
        return StatusText("warn", "Thank you", text)
    if OrderLine.Status.PENDING in states:
        return StatusText("good", "Thank you", "The payment has arrived. What you bought is being delivered.")
    return StatusText("good", "Thank you", "The payment has arrived. Everything is delivered.")


def _partially_refunded(order: Order) -> StatusText:
    return StatusText("info", "A part was sent back", "See below how much and why. Banks take some days to show it.")


def _refunded(order: Order) -> StatusText:
    text = "All that you paid was sent back to the way you paid with. Banks take some days to show it."
    return StatusText("info", "Refunded", text)


def _expired(order: Order) -> StatusText:
    text = (
        f"Prices were held until {moment_text(order.expires_at)}. Nothing was taken. Put the order together anew; "
        "money that still arrives buys it, or goes back to you."
    )
    return StatusText("warn", "The time to pay is over", text)


def _cancelled(order: Order) -> StatusText:
    return StatusText("info", "Cancelled", "Nothing was taken, and a promo code in it can be used again.")


_STATUS_TEXTS: dict[Status, Callable[[Order], StatusText]] = {
    Status.PENDING: _pending,
    Status.PROCESSING: _processing,
    Status.PAID: _paid,
    Status.PARTIALLY_REFUNDED: _partially_refunded,
    Status.REFUNDED: _refunded,
    Status.EXPIRED: _expired,
    Status.CANCELLED: _cancelled,
}
