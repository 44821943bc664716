"""The same thing at the same time, on real connections."""

from collections import Counter
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from apps.accounts.actors import SYSTEM
from apps.launches.calendar import launch_weeks
from apps.launches.models import LaunchWeek, SpotReservation
from apps.launches.services import queue
from apps.listings.models import Listing
from apps.listings.services.merging import merge_companies
from apps.orders import tasks
from apps.orders.fulfillment import services
from apps.orders.models import GatewaySession, Order, OrderLine, Payment, Placement, PromoCode, Refund
from apps.orders.payments import start
from apps.orders.payments.confirm import confirm_payment
from apps.orders.pricing import promos
from apps.orders.products.placements.booking import shown_listings
from apps.orders.providers import sandbox
from apps.orders.tax import vies
from tests.api import ApiClient
from tests.factories import ListingFactory, UserFactory, complete_profile
from tests.orders.carts import check_out, launch, pay, press_pay, start_paying, update_total, week
from tests.orders.paid import paid_line, paid_order
from tests.racing import run_at_once
from tests.waiting import is_blocking, wait_for

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deliveries are called by the tests, and not queued for a worker that is not there."""
    monkeypatch.setattr(tasks.fulfill_order, "delay", lambda _: None)
    monkeypatch.setattr(tasks.make_refunds, "delay", lambda _: None)


def test_one_key_builds_one_order(owner: ApiClient, listing: Listing) -> None:
    def build() -> Any:
        client = ApiClient(owner.user, key=owner.key)
        answer = client.post("/orders/checkout", {"items": [launch(listing)]}, Idempotency_Key="once")
        return answer.json()["number"]

    numbers = run_at_once(*[build] * 10)
    assert len(set(numbers)) == 1
    assert Order.objects.count() == 1


@pytest.mark.slow
def test_a_code_with_two_uses_pays_two_orders(owner: ApiClient, site: Any) -> None:
    PromoCode.objects.create(site=site, code="TWO", percent_off=1000, max_uses=2)
    orders = []
    for _ in range(6):
        client = ApiClient(UserFactory.create())
        order = check_out(client, launch(ListingFactory.create(company__owner=client.user)), promo_code="TWO")
        update_total(order, promo_code="TWO")
        orders.append(order)
    results = Counter(
        run_at_once(*[lambda order=order: press_pay(order, promo_code="TWO").status_code for order in orders])
    )
    assert results == {302: 2, 422: 4}
    assert (PromoCode.objects.get().used, Payment.objects.count()) == (2, 2)


@pytest.mark.slow
def test_two_orders_that_swap_codes_do_not_block_each_other(
    owner: ApiClient, site: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = (PromoCode.objects.create(site=site, code=code, percent_off=1000) for code in ("ONE", "TWO"))
    orders = []
    for before, after in ((one, two), (two, one)):
        client = ApiClient(UserFactory.create())
        order = check_out(client, launch(ListingFactory.create(company__owner=client.user)), promo_code=before.code)
        promos.reserve_use(order)
        Order.objects.filter(pk=order.pk).update(promo=after)
        orders.append(order.pk)
    released: list[int] = []
    release = promos.release_uses

    def release_and_wait(order: Order, **kwargs: Any) -> None:
        release(order, **kwargs)
        released.append(order.pk)
        # Without an order of locks both come this far, and then wait for each other.
        wait_for(lambda: len(released) == 2 or is_blocking())

    monkeypatch.setattr(promos, "release_uses", release_and_wait)

    def swap(pk: int) -> str:
        with transaction.atomic():
            promos.reserve_use(Order.objects.select_for_update().get(pk=pk))
        return "swapped"

    assert Counter(run_at_once(*[lambda pk=pk: swap(pk) for pk in orders])) == {"swapped": 2}
    assert list(PromoCode.objects.values_list("used", flat=True)) == [1, 1]


@pytest.mark.slow
def test_a_double_click_starts_one_payment(owner: ApiClient, listing: Listing) -> None:
    order = check_out(owner, launch(listing))
    update_total(order)
    run_at_once(*[lambda: press_pay(order).status_code] * 4)
    assert GatewaySession.objects.filter(state="open").count() <= 1
    assert Payment.objects.filter(status__in=["open", "starting"]).count() <= 1


def test_webhook_return_and_recovery_confirm_once(owner: ApiClient, listing: Listing) -> None:
    order = check_out(owner, launch(listing))
    reference = start_paying(order).rsplit("/", 1)[1]
    _, body, headers = sandbox.answer(reference, GatewaySession.State.PAID)
    payment = Payment.objects.get()

    def webhook() -> Any:
        answer = Client().post("/webhooks/test", body, content_type="application/json", headers=headers)
        return answer.status_code

    run_at_once(
        webhook,
        webhook,
        webhook,
        lambda: confirm_payment(payment.pk).status,
        lambda: confirm_payment(payment.pk).status,
    )
    order.refresh_from_db()
    assert (order.status, Payment.objects.filter(status="paid").count()) == ("paid", 1)


@pytest.mark.slow
def test_ten_deliveries_deliver_once(owner: ApiClient, listing: Listing) -> None:
    slot = {"product": "newsletter_slot", "listing_id": listing.pk, "weeks": [week(1)]}
    order = pay(check_out(owner, launch(listing), slot))
    run_at_once(*[lambda: tasks.fulfill_order(order.pk)] * 10)
    assert set(order.lines.values_list("status", flat=True)) == {"fulfilled"}
    assert Placement.objects.count() == 1
    assert GatewaySession.objects.get().refunds == {}


@pytest.mark.slow
def test_the_last_spot_goes_to_one_and_the_others_are_refunded(owner: ApiClient, site: Any) -> None:
    orders = []
    site.products.filter(name="newsletter_slot").update(capacity=10)
    for _ in range(10):
        listing = ListingFactory.create(company__owner=owner.user)
        item = {"product": "newsletter_slot", "listing_id": listing.pk, "weeks": [week(1)]}
        orders.append(pay(check_out(owner, item)))
    # As if all of them had paid after their reservations had run out.
    SpotReservation.objects.all().delete()
    site.products.filter(name="newsletter_slot").update(capacity=1)
    run_at_once(*[lambda order=order: tasks.fulfill_order(order.pk) for order in orders])
    assert Counter(Order.objects.values_list("status", flat=True)) == {"paid": 1, "refunded": 9}
    assert Placement.objects.count() == 1
    assert sorted(len(one.refunds) for one in GatewaySession.objects.all()) == [0, *[1] * 9]


@pytest.mark.slow
@pytest.mark.parametrize("product", ["launch", "billboard"])
def test_of_eight_who_pay_at_once_for_two_spots_two_pay_and_nobody_is_refunded(
    owner: ApiClient, site: Any, product: str
) -> None:
    LaunchWeek.objects.create(site=site, iso_week=week(1), free_places=0, paid_places=2)
    site.products.filter(name="billboard").update(capacity=2)
    options = {"week": week(1)} if product == "launch" else {"weeks": [week(1)]}
    orders = []
    for _ in range(8):
        listing = ListingFactory.create(company__owner=owner.user)
        orders.append(check_out(owner, {"product": product, "listing_id": listing.pk, "options": options}))
        update_total(orders[-1])
    results = Counter(run_at_once(*[lambda order=order: press_pay(order).status_code for order in orders]))
    assert results == {302: 2, 409: 6}
    for session in GatewaySession.objects.all():
        Client().post(f"/test-gateway/{session.reference}", {"action": "pay"})
    run_at_once(*[lambda order=order: tasks.fulfill_order(order.pk) for order in orders])
    assert Counter(Order.objects.values_list("status", flat=True)) == {"paid": 2, "pending": 6}
    assert set(OrderLine.objects.filter(order__status="paid").values_list("status", flat=True)) == {"fulfilled"}
    assert not Refund.objects.exists()


def test_two_upgrades_and_an_edit_at_once_upgrade_once(owner: ApiClient, site: Any) -> None:
    listing = ListingFactory.create(company__owner=owner.user, live=True)
    orders = [paid_order({"product": "launch", "week": None}, listing=listing) for _ in range(2)]

    def edit() -> int:
        client = ApiClient(owner.user, key=owner.key)
        body = {"fields": {"headline": "Edited meanwhile"}}
        return int(client.patch(f"/me/listings/{listing.pk}", body).status_code)

    run_at_once(edit, *[lambda order=order: services.fulfill_order(order.pk) for order in orders])
    listing.refresh_from_db()
    assert (listing.plan, listing.headline) == ("paid", "Edited meanwhile")
    assert Counter(OrderLine.objects.values_list("status", flat=True)) == {"fulfilled": 1, "failed": 1}


@pytest.mark.slow
def test_the_last_spot_of_two_categories_bought_across_each_other(owner: ApiClient, site: Any) -> None:
    site.products.filter(name="category_feature").update(capacity=1)
    orders = []
    for categories in [["design"], ["design", "productivity"], ["productivity"]] * 3:
        listing = ListingFactory.create(company__owner=owner.user)
        item = {"product": "category_feature", "weeks": [week(1), week(2)], "categories": categories}
        orders.append(paid_order(item, listing=listing))
    run_at_once(*[lambda order=order: services.fulfill_order(order.pk) for order in orders])
    taken = Counter((placed.week, slug) for placed in Placement.objects.all() for slug in placed.categories)
    assert set(taken) == {(when, slug) for when in (week(1), week(2)) for slug in ("design", "productivity")}
    assert set(taken.values()) == {1}


def test_a_merge_during_the_deliveries_loses_nothing(owner: ApiClient, site: Any) -> None:
    """Whether the merge comes before or after a delivery, it is found on the listing that stays."""
    merged, kept = (ListingFactory.create(company__owner=owner.user) for _ in range(2))
    lines = [
        paid_line("section_faq", listing=merged),
        paid_line("billboard", listing=merged, weeks=[week()]),
        paid_line("section_gallery", listing=kept),
    ]

    def merge() -> str:
        merge_companies(keep=kept.company, drop=merged.company, by=SYSTEM)
        return "merged"

    run_at_once(merge, *[lambda line=line: services.fulfill_order(line.order_id) for line in lines])
    # A delivery that met the merge in its way is left for the recovery.
    for line in lines:
        services.fulfill_order(line.order_id)
    kept.refresh_from_db()
    Listing.objects.filter(pk=kept.pk).update(status="live", launch_week=week(), launched_at=timezone.now())
    assert set(OrderLine.objects.values_list("status", flat=True)) == {"fulfilled"}
    assert sorted(kept.unlocked_sections) == ["faq", "gallery"]
    assert [one.pk for one in shown_listings(site, "billboard")] == [kept.pk]


def test_an_upgrade_and_the_free_queue_at_once_end_in_the_paid_launch(owner: ApiClient, site: Any) -> None:
    person = UserFactory.create()
    complete_profile(person)
    listing = ListingFactory.create(
        company__owner=person, status="awaiting_badge", plan="free", badge_seen_at=timezone.now()
    )
    line = paid_line("launch", listing=listing, week=week(2))
    run_at_once(queue.queue_ready, lambda: services.fulfill_order(line.order_id), queue.queue_ready)
    listing.refresh_from_db()
    assert (listing.status, listing.plan, listing.launch_week) == ("scheduled", "paid", week(2))
    free_week = launch_weeks.first_free_week(site)
    assert launch_weeks.places(site, first=free_week, count=1)[0].free_left == site.free_places_per_week


@pytest.mark.slow
def test_two_recoveries_at_once_deliver_once(owner: ApiClient, site: Any) -> None:
    orders = []
    site.products.filter(name="newsletter_slot").update(capacity=4)
    for _ in range(4):
        listing = ListingFactory.create(company__owner=owner.user)
        slot = {"product": "newsletter_slot", "listing_id": listing.pk, "weeks": [week(ahead) for ahead in range(2)]}
        orders.append(pay(check_out(owner, launch(listing), slot)))
    # As if all of them had paid after their reservations had run out.
    SpotReservation.objects.all().delete()
    site.products.filter(name="newsletter_slot").update(capacity=2)
    Listing.objects.filter(order_lines__order=orders[3]).delete()
    run_at_once(*[tasks.recover_orders] * 3)
    tasks.recover_orders()
    result = Counter(Order.objects.values_list("status", flat=True))
    # Two slots a week: the third of the listings that are left gets its launch and its money for the slot.
    assert result == {"paid": 2, "partially_refunded": 1, "refunded": 1}
    assert Placement.objects.count() == 4
    assert sum(len(one.refunds) for one in GatewaySession.objects.all()) == 3


@pytest.mark.slow
def test_providers_and_vies_are_never_called_inside_a_transaction(
    owner: ApiClient, listing: Listing, seller: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def watch(owner_of: Any, name: str) -> None:
        original = getattr(owner_of, name)

        def watched(*args: Any, **kwargs: Any) -> Any:
            seen.append(name)
            assert not connection.in_atomic_block, name
            return original(*args, **kwargs)

        monkeypatch.setattr(owner_of, name, watched)

    for name in ("start", "fetch", "expire", "refund"):
        watch(sandbox.TestGateway, name)
    watch(vies, "ask")
    body = {"items": [launch(listing)], "billing_country": "DE", "vat_number": "DE136695976"}
    number = owner.post("/orders/checkout", body, Idempotency_Key="k").json()["number"]
    order = Order.objects.get(number=number)
    start_paying(order)
    press_pay(order)
    start.poll_open_payments(order)
    pay(order)
    listing.delete()
    tasks.fulfill_order(order.pk)
    assert set(seen) == {"start", "fetch", "expire", "refund", "ask"}
