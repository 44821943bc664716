"""Orders that are open, or paid for and not delivered yet, made without the pages."""

from itertools import count
from typing import Any

from django.utils import timezone

from apps.listings.models import Listing
from apps.orders.checkout.create import create_checkout
from apps.orders.checkout.quote import QuoteRequest
from apps.orders.models import Order, OrderLine, Payment
from tests.orders.actors import by_owner

_numbers = count(1)


def paid_order(*items: dict[str, Any], listing: Listing) -> Order:
    """An order as open_order makes it, paid for."""
    order = open_order(*items, listing=listing)
    Payment.objects.create(
        order=order,
        attempt=1,
        provider="test",
        reference=f"test_paid_{next(_numbers)}",
        status=Payment.Status.PAID,
        amount_cents=order.total_cents,
        is_test=True,
        return_url="http://testserver/",
    )
    order.status, order.paid_at = Order.Status.PAID, timezone.now()
    order.save()
    return order


def open_order(*items: dict[str, Any], listing: Listing) -> Order:
    """An order of the listing's owner for these items, each bought for the listing unless it names another one.

    A launch is bought for now; with `week=None` it names no week, as an upgrade does."""
    # By default a week that closes soon is passed over: what a test finds must not depend on the day it runs.
    bought = [{"week": "now", **item} if item["product"] == "launch" else item for item in items]
    bought = [{name: value for name, value in item.items() if value is not None} for item in bought]
    quote_request = QuoteRequest(items=[{"listing_id": listing.pk, **item} for item in bought])
    order, _ = create_checkout(
        quote_request, site=listing.site, by=by_owner(listing.company.owner), address="127.0.0.1"
    )
    return order


def paid_line(product: str, *, listing: Listing, **options: Any) -> OrderLine:
    """The line of an order for one product."""
    return paid_order({"product": product, **options}, listing=listing).lines.get()
