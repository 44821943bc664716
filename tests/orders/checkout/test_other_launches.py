"""Two orders that launch the same listing: the buyer reads so, and pays one."""

import html
import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from apps.core.text.dates import date_text
from apps.listings.models import Listing
from apps.orders.fulfillment import services
from apps.orders.models import Invoice, Order, Payment
from tests.api import ApiClient
from tests.factories import UserFactory
from tests.orders.carts import check_out, launch, pay, press_pay, start_paying, update_total, week

pytestmark = pytest.mark.db


@pytest.fixture
def orders(owner: ApiClient, listing: Listing) -> tuple[Order, Order]:
    return check_out(owner, launch(listing, week=week(1))), check_out(owner, launch(listing, week=week(2)))


def read(client: ApiClient, order: Order) -> Any:
    return client.get(f"/orders/{order.number}").json()


def page(order: Order) -> str:
    return str(Client().get(f"/checkout/{order.secret}").content.decode())


def signed_in(owner: ApiClient) -> Client:
    client = Client()
    client.force_login(owner.account)
    return client


def test_an_open_order_is_said_wherever_a_second_is_priced(owner: ApiClient, listing: Listing) -> None:
    first = check_out(owner, launch(listing, week=week(1)))
    said = f"Order {first.number} also launches {listing.company.name}"
    item = launch(listing, week=week(2))
    assert owner.post("/orders/quote", {"items": [item]}).json()["notices"][0].startswith(said)
    built = owner.post("/orders/checkout", {"items": [item]}).json()
    assert built["notices"][0].startswith(said)
    second = Order.objects.get(number=built["number"])
    assert read(owner, second)["notices"][0].startswith(said)
    assert said in page(second)
    assert f"Order {first.number} also" not in page(first)


def test_what_is_over_is_not_said(owner: ApiClient, listing: Listing, orders: tuple[Order, Order]) -> None:
    Order.objects.filter(pk=orders[0].pk).update(status="cancelled")
    assert not any(orders[0].number in notice for notice in read(owner, orders[1])["notices"])
    Order.objects.filter(pk=orders[0].pk).update(status="pending", expires_at=timezone.now())
    assert not any(orders[0].number in notice for notice in read(owner, orders[1])["notices"])


def test_a_payment_under_way_is_a_warning(owner: ApiClient, orders: tuple[Order, Order]) -> None:
    start_paying(orders[0])
    words = f"A payment for order {orders[0].number}"
    assert read(owner, orders[1])["notices"][0].startswith(words)
    assert words in page(orders[1])


@pytest.mark.parametrize("is_delivered", [False, True])
def test_once_one_is_paid_the_other_need_not_be(
    owner: ApiClient, orders: tuple[Order, Order], is_delivered: bool
) -> None:
    paid, other = pay(orders[0]), orders[1]
    if is_delivered:
        services.fulfill_order(paid.pk)
    body = read(owner, other)
    assert (body["status"], body["checkout_url"]) == ("pending", None)
    assert f"already paid with order {paid.number}" in body["next_steps"][0]
    assert f"already paid with order {paid.number}" in page(other)
    update_total(other)
    assert press_pay(other).status_code == 409
    assert not Payment.objects.filter(order=other).exists()


def test_the_page_links_where_the_other_one_is_cancelled(orders: tuple[Order, Order]) -> None:
    html = page(orders[1])
    assert f'<a href="{orders[0].page_url}">Cancel the other one</a>' in html
    assert f"on {orders[0].page_url}." not in html


@pytest.mark.slow
def test_the_checkout_of_a_needless_order_has_one_notice_and_no_form(
    owner: ApiClient, orders: tuple[Order, Order]
) -> None:
    start_paying(orders[1])
    paid, other = pay(orders[0]), orders[1]
    html = page(other)
    assert html.count("already paid with order") == 1
    assert "Pay only one" not in html
    assert f"/checkout/{other.secret}/pay" not in html
    client = signed_in(owner)
    own = client.get(f"/checkout/{other.secret}", follow=True).content.decode()
    assert own.count("already paid with order") == 1
    assert f'href="{paid.page_url}">Open order {paid.number}</a>' in own


def test_the_list_of_orders_names_the_listing(owner: ApiClient, listing: Listing, orders: tuple[Order, Order]) -> None:
    assert signed_in(owner).get("/orders").content.decode().count(f"Launch for {listing.company.name}") == 2


def test_the_choice_of_a_launch_links_the_order_that_is_not_paid_yet(owner: ApiClient, listing: Listing) -> None:
    launch_page = f"/listings/{listing.slug}/launch"
    client = signed_in(owner)
    assert "View order" not in client.get(launch_page).content.decode()
    order = check_out(owner, launch(listing, week=week(1)))
    text = html.unescape(client.get(launch_page).content.decode())
    assert f"Order {order.number} for this launch isn't paid yet." in text
    assert f'href="{order.page_url}">View order' in text


def test_the_list_of_orders_offers_no_payment_of_a_needless_order(
    owner: ApiClient, orders: tuple[Order, Order]
) -> None:
    client = signed_in(owner)
    assert orders[1].checkout_url in client.get("/orders").content.decode()
    pay(orders[0])
    assert orders[1].checkout_url not in client.get("/orders").content.decode()


def test_what_is_left_of_an_order_can_be_bought(owner: ApiClient, listing: Listing) -> None:
    both = check_out(owner, launch(listing), {"product": "section_faq", "listing_id": listing.pk})
    pay(check_out(owner, launch(listing)))
    html = signed_in(owner).get(f"/orders/{both.number}").content.decode()
    assert f'/account/listings/{listing.pk}/buy">Buy the rest</a>' in html


def test_with_something_else_in_it_a_new_order_is_advised(owner: ApiClient, listing: Listing) -> None:
    section = {"product": "section_faq", "listing_id": listing.pk}
    both = check_out(owner, launch(listing), section)
    pay(check_out(owner, launch(listing)))
    assert "new one" in read(owner, both)["next_steps"][0]


@pytest.mark.parametrize("opened", ["section", "launch"])
def test_an_order_for_a_section_that_is_open_by_now_need_not_be_paid(
    owner: ApiClient, listing: Listing, opened: str
) -> None:
    section = {"product": "section_faq", "listing_id": listing.pk}
    order = check_out(owner, section)
    assert not any("unlocked" in notice for notice in read(owner, order)["notices"])
    paid = pay(check_out(owner, section if opened == "section" else launch(listing)))
    services.fulfill_order(paid.pk)
    body = read(owner, order)
    assert (body["status"], body["checkout_url"]) == ("pending", None)
    said = f"of {listing.company.name} is already unlocked"
    assert said in body["next_steps"][0]
    assert "Cancel this order" in body["next_steps"][1]
    assert said in body["notices"][0]
    shown = re.sub(r"\s+", " ", html.unescape(page(order)))
    assert said in shown
    assert 'id="pay"' not in shown
    update_total(order)
    assert press_pay(order).status_code == 409
    assert not Payment.objects.filter(order=order).exists()


def test_another_accounts_order_is_not_named(owner: ApiClient, listing: Listing, orders: tuple[Order, Order]) -> None:
    Order.objects.filter(pk=orders[0].pk).update(account=UserFactory.create())
    notice = read(owner, orders[1])["notices"][0]
    assert notice.startswith("Another order also launches")
    assert orders[0].number not in notice


# ---- the checkout address, long after the payment ----
@pytest.fixture
def invoice(owner: ApiClient, listing: Listing, seller: object) -> Invoice:
    order = pay(check_out(owner, launch(listing)))
    invoice: Invoice = order.invoices.get()
    return invoice


def paths(invoice: Invoice) -> list[str]:
    address = f"/checkout/{invoice.order.secret}"
    return [address, f"{address}/invoices/{invoice.number}", f"{address}/invoices/{invoice.number}.pdf"]


@pytest.mark.parametrize("method", ["get", "post"])
def test_after_thirty_days_the_address_alone_opens_nothing(invoice: Invoice, method: str) -> None:
    with time_machine.travel(timezone.now() + timedelta(days=30, minutes=1), tick=False):
        for path in paths(invoice) if method == "get" else paths(invoice)[:1]:
            answer = getattr(Client(), method)(path)
            assert answer.status_code == 302
            assert answer["Location"].startswith(f"/orders/{invoice.order.number}")
            assert Client().get(answer["Location"])["Location"].startswith("/account/sign-in")
    with time_machine.travel(timezone.now() + timedelta(days=29), tick=False):
        assert [Client().get(path).status_code for path in paths(invoice)[:2]] == [200, 200]


def test_until_then_the_address_shows_the_billing_details_of_the_invoice(invoice: Invoice) -> None:
    html = Client().get(paths(invoice)[0]).content.decode()
    assert "Ada Example" in html
    assert f"until {date_text(timezone.now() + timedelta(days=30))}." in html


def test_its_owner_still_sees_it(client: Client, owner: ApiClient, invoice: Invoice) -> None:
    with time_machine.travel(timezone.now() + timedelta(days=31), tick=False):
        client.force_login(owner.account)
        assert client.get(paths(invoice)[0], follow=True).status_code == 200
        assert client.get(paths(invoice)[1]).status_code == 200
