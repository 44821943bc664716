"""The checkout page of an order that can be paid through Stripe."""

import pytest
from django.test import Client

from apps.listings.models import Listing
from apps.orders.models import Order, SellerSettings
from tests.api import ApiClient
from tests.orders.carts import check_out, launch, press_pay
from tests.providers.stripe_server import StripeServer

pytestmark = pytest.mark.db


@pytest.fixture
def order(owner: ApiClient, listing: Listing, seller: SellerSettings, stripe: StripeServer) -> Order:
    return check_out(owner, launch(listing))


def test_only_the_checkout_page_lets_forms_lead_to_stripe(client: Client, order: Order, stripe: StripeServer) -> None:
    def form_action(path: str) -> str:
        policy = client.get(path)["Content-Security-Policy"]
        return next(part.strip() for part in policy.split(";") if part.strip().startswith("form-action"))

    allowed = form_action(f"/checkout/{order.secret}")
    assert stripe.url in allowed.split()
    assert "'self'" in allowed.split()
    assert form_action("/") == "form-action 'self'"
    refused = press_pay(order, method="stripe", terms="")
    assert refused.status_code == 422
    assert stripe.url in refused["Content-Security-Policy"]


def test_stripe_is_offered_to_sellers_alone(client: Client, order: Order, seller: SellerSettings) -> None:
    assert 'value="stripe"' in client.get(f"/checkout/{order.secret}").content.decode()
    seller.delete()
    assert 'value="stripe"' not in client.get(f"/checkout/{order.secret}").content.decode()


def test_the_page_is_a_test_only_when_no_way_to_pay_moves_money(
    client: Client, order: Order, seller: SellerSettings
) -> None:
    def page() -> str:
        return client.get(f"/checkout/{order.secret}").content.decode()

    assert 'value="test"' in page()
    assert 'aria-label="Test mode"' not in page()
    seller.delete()
    assert 'aria-label="Test mode"' in page()
