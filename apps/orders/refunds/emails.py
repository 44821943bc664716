"""Emails about refunds without a credit note."""

from apps.core.email import outbox
from apps.core.email.text import render_words
from apps.core.templatetags.ui import money
from apps.orders.models import Order, Refund


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
