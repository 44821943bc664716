"""Refunds that buyers claim: crypto can't be sent back without an address."""

from apps.core.email import outbox
from apps.core.email.text import render_words
from apps.core.templatetags.ui import money
from apps.orders.models import Order, Refund
from apps.orders.providers import gateway_of


def payout_url(refund: Refund) -> str:
    """Return the buyer's private claim URL, or an empty string if the refund is automatic or not made."""
    gateway = gateway_of(refund.payment.provider)
    if gateway is None or not refund.reference or refund.status != Refund.Status.DONE:
        return ""
    return gateway.payout_url(refund.reference)


def email_payout_link(*, order: Order, refund: Refund) -> bool:
    """Email the buyer where to claim a refund, in the caller's transaction and once per attempt.

    Returns whether there is something to claim. Then no email needs to say that the money arrives automatically. A
    closed account gets it, too, because nothing else reaches its buyer.
    """
    address = payout_url(refund)
    if not address:
        return False
    context = {"amount": money(refund.amount_cents), "order": order, "site": order.site, "payout_url": address}
    outbox.put(
        key=f"claim-{refund.pk}-{refund.attempt}",
        to=order.billing.get("email") or order.account.email,
        words=render_words("orders/emails/refund_to_fetch", context),
        site=order.site,
    )
    return True
