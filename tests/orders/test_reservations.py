"""A payment that starts reserves the spots of its order: nobody pays for one that somebody else is paying for."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from apps.core.weeks import Week
from apps.launches.calendar import capacity, launch_weeks
from apps.launches.models import LaunchWeek, SpotReservation
from apps.listings.models import Listing
from apps.orders.checkout.reservations import RESERVED_FOR
from apps.orders.fulfillment import services
from apps.orders.models import Order, Payment, Product, Refund
from apps.orders.payments import start
from apps.orders.payments.cancel import cancel_order
from apps.orders.payments.confirm import settle
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ListingFactory
from tests.orders.carts import check_out, launch, pay, press_pay, start_paying, update_total, week

NEXT = Week.parse(week(1))
PRODUCTS = ["launch", "billboard", "category_feature"]


@pytest.fixture
def one_spot(site: Site) -> Site:
    """One spot of everything in next week."""
    LaunchWeek.objects.create(site=site, iso_week=str(NEXT), free_places=1, paid_places=1)
    Product.objects.filter(site=site, capacity__isnull=False).update(capacity=1)
    return site


def ordered(owner: ApiClient, product: str) -> Order:
    listing = ListingFactory.create(company__owner=owner.user)
    if product == "launch":
        return check_out(owner, launch(listing, week=str(NEXT)))
    item: dict[str, Any] = {"product": product, "listing_id": listing.pk, "weeks": [str(NEXT)]}
    return check_out(owner, item | ({"categories": ["ai"]} if product == "category_feature" else {}))


def is_refused(order: Order) -> bool:
    update_total(order)
    answer = press_pay(order)
    if answer.status_code == 302:
        return False
    assert answer.status_code == 409, answer.content.decode()
    return True


def answer(address: str, action: str) -> None:
    assert Client().post(address, {"action": action}).status_code == 302


@pytest.mark.parametrize("product", PRODUCTS)
def test_while_one_pays_another_cannot(owner: ApiClient, one_spot: Site, product: str) -> None:
    first, second = ordered(owner, product), ordered(owner, product)
    start_paying(first)
    assert is_refused(second)
    assert SpotReservation.objects.get().holder == first.lines.get().holder
    # The first one can turn back and pay again: its own spot is not in its way.
    page = Client().get(f"/checkout/{first.secret}").content.decode()
    assert "can no longer be paid" not in page
    assert not is_refused(first)


@pytest.mark.parametrize("product", PRODUCTS)
@pytest.mark.parametrize("end", ["decline", "cancel the order", "expire", "time"])
def test_the_spot_is_free_again_when_the_payment_comes_to_nothing(
    owner: ApiClient, one_spot: Site, product: str, end: str
) -> None:
    first, second = ordered(owner, product), ordered(owner, product)
    address = start_paying(first)
    now = timezone.now()
    if end == "decline":
        answer(address, "decline")
    elif end == "cancel the order":
        cancel_order(order=first, by=first.account)
    elif end == "expire":
        Order.objects.filter(pk=first.pk).update(expires_at=now)
        start.expire_order(first)
    else:
        now += RESERVED_FOR
    with time_machine.travel(now, tick=False):
        assert not is_refused(second)
    assert SpotReservation.objects.get().holder == second.lines.get().holder


@pytest.mark.parametrize("product", PRODUCTS)
def test_who_paid_in_time_gets_the_spot_however_late_it_is_delivered(
    owner: ApiClient, one_spot: Site, product: str
) -> None:
    first, second = pay(ordered(owner, product)), None
    with time_machine.travel(timezone.now() + timedelta(hours=2), tick=False):
        second = ordered_quote(owner, product)
        assert second == 422
        LaunchWeek.objects.update(paid_places=0)
        services.fulfil_order(first.pk)
    assert first.lines.get().status == "fulfilled"
    assert not SpotReservation.objects.exists()


def ordered_quote(owner: ApiClient, product: str) -> int:
    listing = ListingFactory.create(company__owner=owner.user)
    options: dict[str, Any] = {"week": str(NEXT)} if product == "launch" else {"weeks": [str(NEXT)]}
    if product == "category_feature":
        options["categories"] = ["ai"]
    item = {"product": product, "listing_id": listing.pk, "options": options}
    return int(owner.post("/orders/quote", {"items": [item]}).status_code)


def test_money_that_comes_too_late_goes_back_when_the_spot_is_gone(owner: ApiClient, one_spot: Site) -> None:
    first, second = ordered(owner, "billboard"), ordered(owner, "billboard")
    address = start_paying(first)
    with time_machine.travel(timezone.now() + RESERVED_FOR, tick=False):
        pay(second)
        answer(address, "pay")
        for order in (first, second):
            services.fulfil_order(order.pk)
    assert [order.lines.get().status for order in (first, second)] == ["failed", "fulfilled"]
    assert Refund.objects.get().payment.order == first


def test_money_that_comes_late_gets_a_spot_that_is_still_there(owner: ApiClient, one_spot: Site) -> None:
    order = ordered(owner, "launch")
    address = start_paying(order)
    with time_machine.travel(timezone.now() + RESERVED_FOR, tick=False):
        answer(address, "pay")
        services.fulfil_order(order.pk)
    assert order.lines.get().status == "fulfilled"


def test_a_second_payment_of_the_same_order_keeps_the_spot(owner: ApiClient, one_spot: Site) -> None:
    order = ordered(owner, "launch")
    start_paying(order)
    start_paying(order)
    assert Payment.objects.count() == 2
    settle(Payment.objects.order_by("attempt")[0].pk)
    assert SpotReservation.objects.count() == 1


def test_two_launches_of_one_order_need_two_spots(owner: ApiClient, one_spot: Site) -> None:
    listings = [ListingFactory.create(company__owner=owner.user) for _ in range(2)]
    assert is_refused(check_out(owner, *[launch(one, week=str(NEXT)) for one in listings]))
    assert not SpotReservation.objects.exists()


def test_the_calendar_counts_it_for_everybody(client: Client, owner: ApiClient, site: Site, listing: Listing) -> None:
    LaunchWeek.objects.create(site=site, iso_week=str(NEXT), free_places=2, paid_places=3)
    start_paying(check_out(owner, launch(listing, week=str(NEXT))))
    (found,) = launch_weeks.places(site, first=NEXT, count=1)
    assert (found.paid_left, found.free_left, found.taken) == (2, 2, 0)
    shown = client.get("/weeks").context["weeks"][1]
    assert (shown["paid_left"], shown["launch_count"]) == (2, 0)
    assert capacity.with_taken(LaunchWeek.objects.all()).get().paid_taken == 1


def test_the_page_says_for_how_long(owner: ApiClient, listing: Listing, client: Client) -> None:
    words = "Spots are reserved for 15 minutes once you start to pay."
    assert words in client.get(f"/checkout/{check_out(owner, launch(listing)).secret}").content.decode()
    section = check_out(owner, {"product": "section_faq", "listing_id": listing.pk})
    assert words not in client.get(f"/checkout/{section.secret}").content.decode()
