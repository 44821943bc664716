"""An owner gives up an order that is not paid: its payments are closed first, its promo code is free again."""

import pytest
from django.test import Client

from apps.core.errors import NotFound
from apps.listings.models import Listing
from apps.orders.models import GatewaySession, Order, Payment, PromoCode, SellerSettings
from apps.orders.payments.cancel import CannotCancel, cancel_order
from apps.orders.providers import GatewayError
from apps.orders.providers.sandbox import answer
from apps.sites.models import Site
from tests.api import ApiClient
from tests.orders.actors import by_owner
from tests.orders.carts import check_out, launch, pay, start_paying

pytestmark = pytest.mark.db


@pytest.fixture
def order(owner: ApiClient, listing: Listing, seller: SellerSettings) -> Order:
    return check_out(owner, launch(listing))


def test_the_open_payment_is_closed_and_the_code_is_free(order: Order, site: Site) -> None:
    promo = PromoCode.objects.create(site=site, code="ONE", percent_off=1000, max_uses=1)
    start_paying(order, promo_code="ONE")
    promo.refresh_from_db()
    assert promo.used == 1
    for _ in range(2):
        assert cancel_order(order=order, by=by_owner(order.account)).status == "cancelled"
    promo.refresh_from_db()
    assert (promo.used, promo.uses.get().state) == (0, "released")
    assert (Payment.objects.get().status, GatewaySession.objects.get().state) == ("failed", "expired")


def test_what_was_paid_meanwhile_is_not_cancelled(order: Order) -> None:
    address = start_paying(order)
    # The money is there, and nobody has told of it yet.
    answer(address.rpartition("/")[2], GatewaySession.State.PAID)
    with pytest.raises(CannotCancel, match="This order is paid"):
        cancel_order(order=order, by=by_owner(order.account))
    order.refresh_from_db()
    assert order.status == "paid"


def test_an_order_in_review_stays(order: Order) -> None:
    Order.objects.update(needs_review=True)
    with pytest.raises(CannotCancel, match="under review"):
        cancel_order(order=order, by=by_owner(order.account))


@pytest.mark.parametrize("status", ["expired", "refunded"])
def test_what_is_over_stays(order: Order, status: str) -> None:
    Order.objects.update(status=status)
    with pytest.raises(CannotCancel, match=status):
        cancel_order(order=order, by=by_owner(order.account))
    order.refresh_from_db()
    assert order.status == status


def test_a_provider_that_cannot_be_asked_stops_it(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    def down(*args: object, **kwargs: object) -> None:
        raise GatewayError("The provider does not answer.")

    start_paying(order)
    monkeypatch.setattr("apps.orders.providers.sandbox.TestGateway.expire", down)
    with pytest.raises(GatewayError):
        cancel_order(order=order, by=by_owner(order.account))
    order.refresh_from_db()
    assert order.status == "processing"


def test_money_for_a_cancelled_order_goes_back(client: Client, order: Order) -> None:
    address = start_paying(order)
    cancel_order(order=order, by=by_owner(order.account))
    GatewaySession.objects.update(state=GatewaySession.State.OPEN)
    client.post(address, {"action": "pay"})
    order.refresh_from_db()
    payment = order.payments.get()
    assert (order.status, payment.status) == ("cancelled", "surplus")
    assert payment.refunds.get().amount_cents == payment.amount_cents


def test_the_button_on_the_order_page(client: Client, order: Order, owner: ApiClient) -> None:
    client.force_login(owner.account)
    page = client.get(f"/orders/{order.number}").content.decode()
    assert f'action="/orders/{order.number}/cancel"' in page
    answered = client.post(f"/orders/{order.number}/cancel", follow=True)
    page = answered.content.decode()
    assert "Order canceled" in page
    assert f'action="/orders/{order.number}/cancel"' not in page
    assert "Continue to payment" not in page
    assert client.get(f"/orders/{order.number}/cancel").status_code == 405


def test_a_paid_order_has_no_button_and_says_why(client: Client, order: Order, owner: ApiClient) -> None:
    pay(order)
    client.force_login(owner.account)
    assert "Cancel the order" not in client.get(f"/orders/{order.number}").content.decode()
    page = client.post(f"/orders/{order.number}/cancel", follow=True).content.decode()
    assert "This order is paid and can" in page
    order.refresh_from_db()
    assert order.status == "paid"


def test_orders_of_others_are_not_there(client: Client, order: Order, other_owner: ApiClient) -> None:
    assert client.post(f"/orders/{order.number}/cancel")["Location"].startswith("/account/sign-in")
    client.force_login(other_owner.account)
    assert client.post(f"/orders/{order.number}/cancel").status_code == 404
    with pytest.raises(NotFound):
        cancel_order(order=order, by=by_owner(other_owner.account))
    order.refresh_from_db()
    assert order.status == "pending"


def test_the_operation_answers_the_canceled_order_also_when_called_twice(owner: ApiClient, order: Order) -> None:
    for _ in range(2):
        answer = owner.post(f"/orders/{order.number}/cancel")
        assert (answer.status_code, answer.json()["status"], answer.json()["checkout_url"]) == (200, "cancelled", None)


def test_the_operation_leaves_paid_and_other_peoples_orders_alone(
    owner: ApiClient, other_owner: ApiClient, order: Order
) -> None:
    assert other_owner.post(f"/orders/{order.number}/cancel").status_code == 404
    pay(order)
    assert owner.post(f"/orders/{order.number}/cancel").status_code == 409
    order.refresh_from_db()
    assert order.status == "paid"
