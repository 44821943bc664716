"""A payment that starts reserves the spots of its order: nobody pays for one that somebody else is paying for."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from apps.core.stores.valkey.counters import Limit
from apps.core.text.weeks import Week
from apps.launches.calendar import capacity, launch_weeks
from apps.launches.models import LaunchWeek, SpotReservation
from apps.listings.models import Listing
from apps.orders.checkout import reservations
from apps.orders.checkout.reservations import RESERVED_FOR
from apps.orders.fulfillment import services
from apps.orders.models import GatewaySession, Order, Payment, Product, Refund
from apps.orders.payments import start
from apps.orders.payments.cancel import cancel_order
from apps.orders.payments.confirm import confirm_payment
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ListingFactory
from tests.orders.actors import by_owner
from tests.orders.carts import check_out, launch, pay, press_pay, start_paying, update_total, week

pytestmark = pytest.mark.db

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


@pytest.mark.slow
@pytest.mark.parametrize("product", PRODUCTS)
def test_while_one_pays_another_cannot(owner: ApiClient, one_spot: Site, product: str) -> None:
    first, second = ordered(owner, product), ordered(owner, product)
    start_paying(first)
    assert is_refused(second)
    assert SpotReservation.objects.get().holder == first.lines.get().holder
    # The first one can turn back and pay again: its own spot is not in its way.
    page = Client().get(f"/checkout/{first.secret}").content.decode()
    assert "be paid anymore" not in page
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
        cancel_order(order=first, by=by_owner(first.account))
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
        services.fulfill_order(first.pk)
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
            services.fulfill_order(order.pk)
    assert [order.lines.get().status for order in (first, second)] == ["failed", "fulfilled"]
    assert Refund.objects.get().payment.order == first


def test_money_that_comes_late_gets_a_spot_that_is_still_there(owner: ApiClient, one_spot: Site) -> None:
    order = ordered(owner, "launch")
    address = start_paying(order)
    with time_machine.travel(timezone.now() + RESERVED_FOR, tick=False):
        answer(address, "pay")
        services.fulfill_order(order.pk)
    assert order.lines.get().status == "fulfilled"


def test_a_second_payment_of_the_same_order_keeps_the_spot(owner: ApiClient, one_spot: Site) -> None:
    order = ordered(owner, "launch")
    start_paying(order)
    start_paying(order)
    assert Payment.objects.count() == 2
    confirm_payment(Payment.objects.order_by("attempt")[0].pk)
    assert SpotReservation.objects.count() == 1


def test_two_launches_of_one_order_need_two_spots(owner: ApiClient, one_spot: Site) -> None:
    listings = [ListingFactory.create(company__owner=owner.user) for _ in range(2)]
    assert is_refused(check_out(owner, *[launch(one, week=str(NEXT)) for one in listings]))
    assert not SpotReservation.objects.exists()


def test_the_calendar_counts_it_for_everybody(client: Client, owner: ApiClient, site: Site, listing: Listing) -> None:
    LaunchWeek.objects.create(site=site, iso_week=str(NEXT), free_places=2, paid_places=3)
    start_paying(check_out(owner, launch(listing, week=str(NEXT))))
    (result,) = launch_weeks.places(site, first=NEXT, count=1)
    assert (result.paid_left, result.free_left, result.taken) == (2, 2, 0)
    shown = client.get("/weeks").context["weeks"][1]
    assert (shown["paid_left"], shown["launch_count"]) == (2, 0)
    assert capacity.with_taken(LaunchWeek.objects.all()).get().paid_taken == 1


def test_the_page_says_for_how_long(owner: ApiClient, listing: Listing, client: Client) -> None:
    words = "spot for 15 minutes"
    assert words in client.get(f"/checkout/{check_out(owner, launch(listing)).secret}").content.decode()
    section = check_out(owner, {"product": "section_faq", "listing_id": listing.pk})
    assert words not in client.get(f"/checkout/{section.secret}").content.decode()


# ---- what one account can keep from the others ----
def weekly(owner: ApiClient, product: str, listing: Listing) -> Order:
    """An order of a product for next week."""
    if product == "launch":
        return check_out(owner, launch(listing, week=str(NEXT)))
    item: dict[str, Any] = {"product": product, "listing_id": listing.pk, "weeks": [str(NEXT)]}
    return check_out(owner, item | ({"categories": ["ai"]} if product == "category_feature" else {}))


@pytest.mark.parametrize("product", PRODUCTS)
def test_two_orders_for_the_same_spot_reserve_it_once(
    owner: ApiClient, site: Site, listing: Listing, product: str
) -> None:
    first, second = weekly(owner, product, listing), weekly(owner, product, listing)
    address = start_paying(first)
    update_total(second)
    answered = press_pay(second)
    assert answered.status_code == 409
    assert f"A payment for order {first.number}" in answered.content.decode()
    assert SpotReservation.objects.get().holder == first.lines.get().holder
    answer(address, "decline")
    assert not is_refused(second)


@pytest.mark.slow
@pytest.mark.parametrize("product", PRODUCTS)
def test_an_account_reserves_two_spots_of_a_week_at_once(owner: ApiClient, site: Site, product: str) -> None:
    LaunchWeek.objects.create(site=site, iso_week=str(NEXT), free_places=1, paid_places=9)
    Product.objects.filter(site=site, capacity__isnull=False).update(capacity=9)
    orders = [ordered(owner, product) for _ in range(3)]
    addresses = [start_paying(order) for order in orders[:2]]
    assert is_refused(orders[2])
    assert SpotReservation.objects.count() == 2
    # What is paid is bought, and no longer in the way.
    answer(addresses[0], "pay")
    assert not is_refused(orders[2])


def test_an_order_cannot_reserve_more_of_a_week_either(owner: ApiClient, site: Site) -> None:
    LaunchWeek.objects.create(site=site, iso_week=str(NEXT), free_places=1, paid_places=9)
    listings = [ListingFactory.create(company__owner=owner.user) for _ in range(3)]
    assert is_refused(check_out(owner, *[launch(one, week=str(NEXT)) for one in listings]))


def test_what_an_account_reserves_is_bounded(owner: ApiClient, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reservations, "MOST_AT_ONCE", 1)
    Product.objects.filter(site=site, capacity__isnull=False).update(capacity=9)
    start_paying(ordered(owner, "launch"))
    assert is_refused(ordered(owner, "billboard"))


def test_paying_again_keeps_the_first_end(owner: ApiClient, one_spot: Site) -> None:
    order, now = ordered(owner, "launch"), timezone.now()
    with time_machine.travel(now, tick=False):
        start_paying(order)
    for minutes in (5, 14):
        with time_machine.travel(now + timedelta(minutes=minutes), tick=False):
            start_paying(order)
        assert SpotReservation.objects.get().expires_at == now + RESERVED_FOR
    with time_machine.travel(now + RESERVED_FOR, tick=False):
        start_paying(order)
    assert SpotReservation.objects.get().expires_at == now + 2 * RESERVED_FOR


def test_a_new_period_begins_a_few_times_an_hour(
    owner: ApiClient, one_spot: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reservations, "PERIODS_AN_HOUR", Limit("reservations", 2, 3600))
    orders, now = [ordered(owner, "launch") for _ in range(2)], timezone.now()
    for period, order in enumerate((orders[0], orders[1])):
        with time_machine.travel(now + period * RESERVED_FOR, tick=False):
            start_paying(order)
    with time_machine.travel(now + 2 * RESERVED_FOR, tick=False):
        assert is_refused(orders[0])
        assert not SpotReservation.objects.filter(expires_at__gt=timezone.now()).exists()


@pytest.mark.slow
def test_what_is_paid_does_not_count(owner: ApiClient, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    LaunchWeek.objects.create(site=site, iso_week=str(NEXT), free_places=1, paid_places=9)
    monkeypatch.setattr(reservations, "PERIODS_AN_HOUR", Limit("reservations", 1, 3600))
    for _ in range(3):
        pay(ordered(owner, "launch"))
    assert Order.objects.filter(status="paid").count() == 3


def test_a_payment_in_review_keeps_its_spot(owner: ApiClient, one_spot: Site) -> None:
    first, second = ordered(owner, "launch"), ordered(owner, "launch")
    reference = start_paying(first).rsplit("/", 1)[1]
    GatewaySession.objects.filter(reference=reference).update(amount_cents=5000)
    answer(f"/test-gateway/{reference}", "pay")
    first.refresh_from_db()
    assert first.needs_review
    with time_machine.travel(timezone.now() + 2 * RESERVED_FOR, tick=False):
        assert is_refused(second)
