"""A product is one class: one that only this test knows is listed, sold, delivered and taken back."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import pytest
from django.test import Client
from rest_framework import serializers

from apps.core.api.serializers import PlainTextField
from apps.listings.models import Listing
from apps.orders import tasks
from apps.orders.fulfillment.refund_lines import refund_lines
from apps.orders.models import OrderLine, Product, SellerSettings
from apps.orders.products.base import Offer, ProductKind, register, unregister
from apps.orders.products.catalog import seed_products
from apps.orders.products.delivery import lock_listing_of
from apps.orders.products.item_check import ItemCheck
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import UserFactory
from tests.orders.actors import by_staff
from tests.orders.carts import check_out, pay

pytestmark = pytest.mark.db

COLORS = ["gold", "teal"]


class Ribbon(ProductKind):
    """Words in a color in front of a listing's headline."""

    name = "ribbon"
    label = "Ribbon"
    position = 99
    defaults: ClassVar[Mapping[str, Any]] = {"title": "Ribbon", "description": "A ribbon.", "price_cents": 700}
    options: ClassVar[Sequence[str]] = ("color",)

    def option_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {"color": PlainTextField(required=False, max_length=10)}

    def option_properties(self, product: Product, offer: Offer) -> dict[str, Any]:
        return {"color": {"type": "string", "enum": COLORS}}

    def check_own_options(self, item: ItemCheck) -> dict[str, Any]:
        if item.options.get("color") not in COLORS:
            item.refuse("invalid_color", f"Choose {' or '.join(COLORS)}.", "color")
        return {}

    def option_text(self, options: Mapping[str, Any], *, site_id: int) -> str:
        return f"in {options['color']}"

    def deliver(self, line: OrderLine) -> None:
        listing = self.deliverable_listing(line)
        listing.headline = f"{line.options['color']}: {listing.headline}"
        listing.save(update_fields=["headline"])

    def take_back(self, line: OrderLine) -> None:
        if listing := lock_listing_of(line):
            listing.headline = listing.headline.removeprefix(f"{line.options['color']}: ")
            listing.save(update_fields=["headline"])


@pytest.fixture
def ribbon(site: Site) -> Iterator[None]:
    register(Ribbon)
    seed_products(site)
    yield
    unregister(Ribbon)


@pytest.fixture
def browser(owner: ApiClient) -> Client:
    client = Client()
    client.force_login(owner.account)
    return client


@pytest.mark.slow
@pytest.mark.usefixtures("ribbon")
def test_it_is_sold_from_the_catalog_to_the_refund(
    owner: ApiClient, browser: Client, listing: Listing, seller: SellerSettings
) -> None:
    sold = owner.get("/products", {"include": "options_schema"}).json()["items"][-1]
    assert (sold["name"], sold["price_cents"]) == ("ribbon", 700)
    assert sold["options_schema"]["properties"] == {"color": {"type": "string", "enum": COLORS}}

    item = {"product": "ribbon", "listing_id": listing.pk}
    refused = owner.post("/orders/quote", {"items": [{**item, "color": "pink"}]})
    assert refused.json()["errors"][0]["code"] == "invalid_color"
    quoted = owner.post("/orders/quote", {"items": [{**item, "color": "teal"}]})
    assert quoted.json()["subtotal_cents"] == 700

    headline = listing.headline
    order = pay(check_out(owner, {**item, "options": {"color": "teal"}}))
    tasks.fulfill_order(order.pk)
    listing.refresh_from_db()
    assert listing.headline == f"teal: {headline}"
    (line,) = owner.get(f"/orders/{order.number}").json()["lines"]
    assert (line["product"], line["fulfilled"], line["options"]) == ("ribbon", True, {"color": "teal"})
    assert "in teal" in browser.get(f"/orders/{order.number}").content.decode()

    staff = by_staff(UserFactory.create(is_staff=True))
    refund_lines(order=order, lines=list(order.lines.all()), reason="They asked.", withdraw=True, by=staff)
    tasks.make_refunds(order.pk)
    listing.refresh_from_db()
    order.refresh_from_db()
    assert (listing.headline, order.status) == (headline, "refunded")


@pytest.mark.usefixtures("ribbon")
def test_it_is_on_the_buy_page_and_in_the_admins_choices(browser: Client, listing: Listing) -> None:
    assert "Buy Ribbon" in browser.get(f"/account/listings/{listing.pk}/buy").content.decode()
    assert ("ribbon", "Ribbon") in list(Product._meta.get_field("name").flatchoices)


def test_without_its_class_it_is_no_product(owner: ApiClient, listing: Listing) -> None:
    answer = owner.post("/orders/quote", {"items": [{"product": "ribbon", "listing_id": listing.pk}]})
    assert answer.status_code == 422
