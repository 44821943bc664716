"""Mark orders for review when their money or delivery is not as expected."""

import logging

from django.urls import reverse

from apps.accounts.actors import Actor
from apps.core.email.text import render_words
from apps.core.errors import Forbidden
from apps.core.text.digest import short_digest
from apps.events.recording import record
from apps.listings import emails
from apps.orders.models import Order, Payment

logger = logging.getLogger(__name__)

REASON_LENGTH = 300


def ask_for_review(*, order: Order, reason: str) -> None:
    """Mark an order for review, and alert site admins once per reason.

    Runs in the caller's transaction, with the order locked. A second reason is added to the first one.
    """
    if reason not in order.review_reason:
        order.review_reason = f"{order.review_reason} {reason}".strip()[:REASON_LENGTH]
    order.needs_review = True
    order.save(update_fields=["needs_review", "review_reason"])
    record("order.review_needed", order.event_subject())
    logger.error("an order needs review", extra={"order": order.number, "reason": reason})
    address = order.site.url(reverse("admin:orders_order_change", args=[order.pk]))
    context = {"order": order, "site": order.site, "reason": reason, "admin_url": address}
    emails.notify_team(
        site=order.site,
        key=f"review-{order.number}-{short_digest(reason)}",
        words=render_words("orders/emails/review", context),
    )


def end_review(order: Order) -> None:
    """End the review of a locked order, unless another of its payments still needs one."""
    order.needs_review = order.payments.filter(status=Payment.Status.NEEDS_REVIEW).exists()
    if not order.needs_review:
        order.review_reason = ""
    order.save(update_fields=["needs_review", "review_reason"])


def check_staff(by: Actor) -> None:
    """Raise Forbidden (403) unless the user is a site admin."""
    if not by.account.is_staff:
        raise Forbidden("Only site admins can decide about payments.")
