"""What was paid for is delivered once, or its money goes back."""

from typing import Any

import pytest

from apps.core.weeks import Week
from apps.listings.models import Listing
from apps.orders import fulfilment, tasks
from apps.orders.models import GatewaySession, Order, OrderLine, Placement, Product, SellerSettings
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ListingFactory
from tests.orders.carts import check_out, launch, pay, week


def paid(owner: ApiClient, *items: dict[str, Any]) -> Order:
    """A paid order of which nothing is delivered yet."""
    order = pay(check_out(owner, *items), country="US")
    assert order.status == "paid"
    return order


def test_a_launch_now(owner: ApiClient, listing: Listing) -> None:
    order = paid(owner, launch(listing))
    tasks.fulfil_order(order.pk)
    listing.refresh_from_db()
    assert (listing.status, listing.plan, listing.launch_week) == ("live", "paid", week())
    line = owner.get(f"/orders/{order.number}").json()["lines"][0]
    assert (line["status"], line["fulfilled"]) == ("fulfilled", True)
    assert line["fulfilled_at"] is not None


def test_a_launch_in_a_week(owner: ApiClient, listing: Listing) -> None:
    tasks.fulfil_order(paid(owner, launch(listing, week=week(3))).pk)
    listing.refresh_from_db()
    assert (listing.status, listing.plan, listing.launch_week) == ("scheduled", "paid", week(3))


def test_an_upgrade_of_a_queued_listing(owner: ApiClient, listing: Listing) -> None:
    Listing.objects.filter(pk=listing.pk).update(status="scheduled", plan="free", launch_week=week(4))
    tasks.fulfil_order(paid(owner, launch(listing)).pk)
    listing.refresh_from_db()
    assert (listing.status, listing.plan) == ("live", "paid")


def test_sections_and_placements(owner: ApiClient, listing: Listing, site: Site) -> None:
    order = paid(
        owner,
        {"product": "section_faq", "listing_id": listing.pk},
        {"product": "billboard", "listing_id": listing.pk, "weeks": [week(2), week(1)], "amount_cents": 40000},
        {"product": "category_feature", "listing_id": listing.pk, "weeks": [week(1)], "categories": ["design"]},
        {"product": "newsletter_slot", "listing_id": listing.pk, "weeks": [week(5)]},
    )
    tasks.fulfil_order(order.pk)
    listing.refresh_from_db()
    assert listing.unlocked_sections == ["faq"]
    placed = Placement.objects.order_by("line__position", "week").values_list(
        "product", "week", "categories", "amount_cents"
    )
    assert list(placed) == [
        ("billboard", week(1), [], 40000),
        ("billboard", week(2), [], 40000),
        ("category_feature", week(1), ["design"], 4900),
        ("newsletter_slot", week(5), [], 14900),
    ]
    assert set(order.lines.values_list("status", flat=True)) == {"fulfilled"}


def test_twice_delivers_once(owner: ApiClient, listing: Listing) -> None:
    order = paid(owner, {"product": "newsletter_slot", "listing_id": listing.pk, "weeks": [week(1)]})
    for _ in range(3):
        tasks.fulfil_order(order.pk)
    assert Placement.objects.count() == 1


def test_nothing_is_delivered_before_the_payment(owner: ApiClient, listing: Listing) -> None:
    order = check_out(owner, launch(listing))
    tasks.fulfil_order(order.pk)
    listing.refresh_from_db()
    assert (listing.status, order.lines.get().status) == ("draft", "pending")


def test_a_deleted_listing_is_refunded(owner: ApiClient, listing: Listing, seller: SellerSettings) -> None:
    order = pay(check_out(owner, launch(listing)))
    listing.delete()
    tasks.fulfil_order(order.pk)
    body = owner.get(f"/orders/{order.number}").json()
    assert (body["status"], body["lines"][0]["status"], body["lines"][0]["fulfilled"]) == ("refunded", "failed", False)
    assert body["lines"][0]["failure"] == "The listing is no longer there."
    assert list(GatewaySession.objects.get().refunds.values()) == [11781]


def test_a_week_that_filled_up_is_refunded_and_the_rest_delivered(owner: ApiClient, listing: Listing) -> None:
    order = paid(owner, launch(listing, week=week(2)), {"product": "section_faq", "listing_id": listing.pk})
    Site.objects.update(paid_places_per_week=0)
    tasks.fulfil_order(order.pk)
    order.refresh_from_db()
    assert order.status == "partially_refunded"
    assert [line.status for line in order.lines.all()] == ["failed", "fulfilled"]
    assert list(GatewaySession.objects.get().refunds.values()) == [9900]
    listing.refresh_from_db()
    assert (listing.status, listing.plan, listing.unlocked_sections) == ("draft", "none", ["faq"])


def test_a_listing_that_is_live_by_now_is_refunded(owner: ApiClient, listing: Listing) -> None:
    first, second = (check_out(owner, launch(listing)) for _ in range(2))
    for order in (first, second):
        pay(order, country="US")
        tasks.fulfil_order(order.pk)
        order.refresh_from_db()
    assert (first.status, second.status) == ("paid", "refunded")


def test_a_place_that_was_taken_meanwhile_is_refunded(owner: ApiClient, site: Site) -> None:
    Product.objects.filter(site=site, name="newsletter_slot").update(capacity=1)
    listings = [ListingFactory.create(company__owner=owner.user) for _ in range(2)]
    orders = [
        paid(owner, {"product": "newsletter_slot", "listing_id": listing.pk, "weeks": [week(1)]})
        for listing in listings
    ]
    for order in orders:
        tasks.fulfil_order(order.pk)
        order.refresh_from_db()
    assert [order.status for order in orders] == ["paid", "refunded"]
    assert Placement.objects.count() == 1


def test_a_place_of_a_deleted_listing_without_a_name_is_refunded(owner: ApiClient, listing: Listing) -> None:
    order = paid(owner, {"product": "newsletter_slot", "listing_id": listing.pk, "weeks": [week(1)]})
    OrderLine.objects.update(listing_name="")
    listing.delete()
    tasks.fulfil_order(order.pk)
    order.refresh_from_db()
    assert (order.status, Placement.objects.exists()) == ("refunded", False)


def test_a_place_for_no_listing_is_delivered(owner: ApiClient, site: Site) -> None:
    Product.objects.filter(site=site, name="newsletter_slot").update(needs_listing=False)
    order = paid(owner, {"product": "newsletter_slot", "weeks": [week(1)]})
    tasks.fulfil_order(order.pk)
    assert Placement.objects.get().listing is None


def test_a_week_that_passed_before_the_payment_is_now(owner: ApiClient, listing: Listing) -> None:
    order = paid(owner, launch(listing, week=week(1)))
    OrderLine.objects.update(options={"week": "2026-W01"})
    tasks.fulfil_order(order.pk)
    listing.refresh_from_db()
    assert (listing.status, listing.week) == ("live", Week.parse(week()))


def test_an_unexpected_error_leaves_the_line_for_the_next_try(
    owner: ApiClient, listing: Listing, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = paid(owner, {"product": "section_faq", "listing_id": listing.pk}, launch(listing))

    def crash(**_: object) -> None:
        raise RuntimeError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(fulfilment, "unlock_section", crash)
        for _ in range(5):
            tasks.fulfil_order(order.pk)
    order.refresh_from_db()
    assert order.needs_review
    assert [(line.status, line.attempts) for line in order.lines.all()] == [("pending", 5), ("fulfilled", 0)]
    tasks.fulfil_order(order.pk)
    assert [line.status for line in order.lines.all()] == ["fulfilled", "fulfilled"]


def test_the_payment_starts_the_delivery(
    owner: ApiClient, listing: Listing, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    started: list[int] = []
    monkeypatch.setattr(tasks.fulfil_order, "delay", started.append)
    with django_capture_on_commit_callbacks(execute=True):
        order = paid(owner, launch(listing))
    assert started == [order.pk]
