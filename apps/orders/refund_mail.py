"""What a buyer is told of money that went back without a credit note."""

from apps.core import outbox
from apps.core.templatetags.look import money
from apps.orders.models import Order, Refund

_TEXT = """We have sent {amount} of your payment for order {number} back to where it came from.

Why: {reason}

Depending on your bank it takes some days until you see it.{test}

The order: {address}"""
_TEST = " It was a test payment: no money has moved."


def tell_of_refund(*, order: Order, refund: Refund) -> None:
    """Mail the buyer in the caller's transaction, once for each try of a refund; a closed account gets nothing."""
    payment = refund.payment
    if not order.account.is_active:
        return
    amount = money(refund.amount_cents) if payment.currency == "usd" else _foreign(refund)
    text = _TEXT.format(
        amount=amount,
        number=order.number,
        reason=refund.reason,
        test=_TEST if payment.is_test else "",
        address=order.page_url,
    )
    outbox.put(
        key=f"refund-{refund.pk}-{refund.attempt}",
        to=order.account.email,
        subject=f"{amount} of order {order.number} are on their way back",
        text=text,
        site_name=order.site.name,
        site_url=order.site.base_url,
    )


def _foreign(refund: Refund) -> str:
    whole, rest = divmod(refund.amount_cents, 100)
    return f"{whole}.{rest:02d} {refund.payment.currency.upper()}"
