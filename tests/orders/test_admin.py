"""What the site team does in the admin."""

import pytest
from django.test import Client
from django.urls import reverse

from apps.listings.models import Listing
from apps.orders.models import Order, Product, SellerSettings
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import UserFactory
from tests.orders.carts import check_out, launch, pay

MODELS = (
    "product",
    "promocode",
    "vatrate",
    "sellersettings",
    "order",
    "payment",
    "paymentevent",
    "refund",
    "placement",
)


@pytest.fixture
def team(client: Client, db: None) -> Client:
    client.force_login(UserFactory.create(is_staff=True, is_superuser=True))
    return client


@pytest.mark.parametrize("model", MODELS)
def test_every_list_opens(team: Client, owner: ApiClient, listing: Listing, model: str) -> None:
    pay(check_out(owner, launch(listing)))
    assert team.get(reverse(f"admin:orders_{model}_changelist")).status_code == 200


def test_a_new_price_holds_at_once(team: Client, anonymous: ApiClient, site: Site) -> None:
    product = Product.objects.get(site=site, name="launch")
    address = reverse("admin:orders_product_change", args=[product.pk])
    form = team.get(address).context["adminform"].form
    values = {name: value for name, value in form.initial.items() if value is not None} | {"price_cents": 12300}
    values["unlocks"] = ""
    assert team.post(address, values).status_code == 302
    prices = {item["name"]: item["price_cents"] for item in anonymous.get("/products").json()["items"]}
    assert prices["launch"] == 12300


def test_orders_are_looked_at_and_their_secret_is_not_shown(team: Client, owner: ApiClient, listing: Listing) -> None:
    order = pay(check_out(owner, launch(listing)))
    address = reverse("admin:orders_order_change", args=[order.pk])
    page = team.get(address)
    assert page.status_code == 200
    assert order.number in page.content.decode()
    assert order.secret not in page.content.decode()
    assert team.post(address, {"status": "refunded"}).status_code == 403
    assert Order.objects.get().status == "paid"


@pytest.mark.parametrize(("country", "status"), [("EE", 302), ("ZZ", 200), ("ee", 200)])
def test_a_sellers_country_has_to_exist(team: Client, site: Site, country: str, status: int) -> None:
    values = {
        "site": site.pk,
        "legal_name": "Example",
        "address": "Street",
        "country": country,
        "oss_mode": "destination",
    }
    assert team.post(reverse("admin:orders_sellersettings_add"), values).status_code == status
    assert SellerSettings.objects.exists() == (status == 302)
