"""Shorthand for carts, orders and payments."""

import re
from typing import Any

from django.apps import apps
from django.test import Client
from django.utils import timezone

from apps.core.text.weeks import Week
from apps.listings.models import Listing
from apps.orders.fulfillment import refunds, services
from apps.orders.models import Order, OrderLine, Product
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ListingFactory

BILLING = {
    "name": "Ada Example",
    "company": "",
    "address": "1 Example Street",
    "postal_code": "10115",
    "city": "Berlin",
    "country": "DE",
    "vat_number": "",
    "promo_code": "",
}


def week(ahead: int = 0) -> str:
    """The ISO week so many weeks from now."""
    return str(Week.of(timezone.now()) + ahead)


def row_counts() -> dict[str, int]:
    """Rows in every table of orders, to show that a refused call builds nothing."""
    return {model.__name__: model._default_manager.count() for model in apps.get_app_config("orders").get_models()}


def launch(listing: Listing, **fields: Any) -> dict[str, Any]:
    # By default a week that closes soon is passed over: what a test finds must not depend on the day it runs.
    return {"product": "launch", "listing_id": listing.pk, "week": "now", **fields}


def check_out(client: ApiClient, *items: dict[str, Any], **fields: Any) -> Order:
    """Build an order through the API and return it."""
    answer = client.post("/orders/checkout", {"items": list(items), **fields})
    assert answer.status_code == 201, answer.json()
    return Order.objects.get(number=answer.json()["number"])


def press_pay(order: Order, client: Client | None = None, **changes: Any) -> Any:
    """Post the checkout page's form as its Pay button does, with the total that the page shows now."""
    order.refresh_from_db()
    form = {**BILLING, "total_cents": order.total_cents, "method": "test", "terms": "on", **changes}
    return (client or Client()).post(f"/checkout/{order.secret}/pay", form)


def update_total(order: Order, client: Client | None = None, **changes: Any) -> Any:
    return (client or Client()).post(f"/checkout/{order.secret}", {**BILLING, **changes})


def start_paying(order: Order, **changes: Any) -> str:
    """Take over the billing details, press Pay, and return the address of the test gateway's page."""
    assert update_total(order, **changes).status_code == 302
    answer = press_pay(order, **changes)
    assert answer.status_code == 302, answer.content.decode()
    assert re.fullmatch(r"/test-gateway/test_[\w-]+", answer["Location"])
    return str(answer["Location"])


def pay(order: Order, **changes: Any) -> Order:
    """Pay an order through pages and test gateway; what follows the commit is left to the caller."""
    address = start_paying(order, **changes)
    assert Client().post(address, {"action": "pay"}).status_code == 302
    order.refresh_from_db()
    return order


def make_paid_orders(client: ApiClient, number: int) -> None:
    """Make so many orders, each with two lines, placements, a payment, a refund and an invoice."""
    Product.objects.update(capacity=None)
    Site.objects.update(paid_places_per_week=1000)
    for _ in range(number):
        listing = ListingFactory.create(company__owner=client.user, site=Site.objects.get(is_default=True))
        slot = {"product": "newsletter_slot", "listing_id": listing.pk, "weeks": [week(2)]}
        order = check_out(client, launch(listing), slot)
        pay(order)
        line = OrderLine.objects.get(order=order, position=2)
        services.fulfill_line(line.pk)
        refunds.request_refund(payment=order.payments.get(), amount_cents=1, reason="Kindness.", line=line)
