"""Hold payments that don't match their order for review, without delivering or refunding."""

from django.db.models import Sum
from django.utils import timezone

from apps.core.templatetags.ui import money
from apps.orders.checkout.reservations import keep_spots
from apps.orders.models import Order, Payment, Refund
from apps.orders.providers import RemotePayment, RemoteState
from apps.orders.staff_review import ask_for_review


def keep_for_review(*, order: Order, payment: Payment, problem: str) -> None:
    """Hold a payment and its order's spots for review. The caller locks the payment and the order."""
    keep_spots(order)
    payment.move_to(Payment.Status.NEEDS_REVIEW, problem=problem, settled_at=timezone.now())
    ask_for_review(order=order, reason=problem)


def check_confirmed(*, order: Order, payment: Payment, remote: RemotePayment) -> None:
    """Check that the provider still has the money of a settled payment. The caller locks both.

    Reports each finding once, because the payment remembers it after the review ends.
    """
    problem = _finding(payment, remote)
    if problem and problem != payment.problem:
        payment.problem = problem
        payment.save(update_fields=["problem"])
        ask_for_review(order=order, reason=problem)


def amount_text(cents: int, currency: str) -> str:
    """Format a sum for people. Other currencies use the provider's unit, because not all have cents."""
    return money(cents) if currency == "usd" else f"{cents} {currency.upper()} (in its smallest unit)"


def _finding(payment: Payment, remote: RemotePayment) -> str:
    if remote.is_disputed:
        return "The payer disputes a payment. Answer the dispute at the payment provider."
    if remote.state != RemoteState.PAID:
        return f"A payment arrived, but the payment provider no longer has the money. {remote.note}".strip()[:300]
    known = _sent_back(payment)
    if remote.returned_cents is not None and remote.returned_cents > known:
        back, ours = (amount_text(cents, payment.currency) for cents in (remote.returned_cents, known))
        return f"The payment provider refunded {back} of a payment. Only {ours} was refunded here."
    return ""


def _sent_back(payment: Payment) -> int:
    """Return the cents that were refunded or are being refunded."""
    asked_for = payment.refunds.exclude(status=Refund.Status.FAILED)
    return int(asked_for.aggregate(sum=Sum("amount_cents"))["sum"] or 0)
