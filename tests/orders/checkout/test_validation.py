"""Every line is looked at again before money is taken."""

from typing import Any

import pytest
import time_machine

from apps.core.text.weeks import Week
from apps.listings.models import Listing
from apps.orders.checkout.validation import CannotDeliver, check_deliverable
from apps.orders.models import Order, Placement, Product
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ListingFactory
from tests.orders.carts import check_out, launch, press_pay, update_total, week

pytestmark = pytest.mark.db


def slot(listing: Listing, *weeks: str) -> dict[str, Any]:
    return {"product": "newsletter_slot", "listing_id": listing.pk, "weeks": list(weeks)}


def test_what_can_be_delivered_passes(owner: ApiClient, listing: Listing) -> None:
    order = check_out(owner, launch(listing, week=week(2)), slot(listing, week(1), week(2)))
    check_deliverable(order)


def test_a_listing_that_is_gone(owner: ApiClient, listing: Listing) -> None:
    order = check_out(owner, slot(listing, week(1)))
    order.lines.update(listing=None)
    with pytest.raises(CannotDeliver, match=r"Newsletter slot for .+: The listing no longer exists\."):
        check_deliverable(order)


@pytest.mark.parametrize("status", ["archived", "rejected", "in_review"])
def test_a_listing_that_cannot_be_shown(owner: ApiClient, listing: Listing, status: str) -> None:
    order = check_out(owner, slot(listing, week(1)))
    Listing.objects.update(status=status)
    with pytest.raises(CannotDeliver, match=f"This listing is {status.replace('_', ' ')}"):
        check_deliverable(order)


def test_a_launch_week_that_filled_up(owner: ApiClient, listing: Listing) -> None:
    order = check_out(owner, launch(listing, week=week(3)))
    Site.objects.update(paid_places_per_week=0)
    with pytest.raises(CannotDeliver, match=r"^Launch for "):
        check_deliverable(order)


def test_a_week_that_is_over(owner: ApiClient, listing: Listing) -> None:
    order = check_out(owner, slot(listing, week(0)), launch(listing))
    with time_machine.travel(Week.parse(week(1)).starts_at), pytest.raises(CannotDeliver, match="is over"):
        check_deliverable(order)


def test_spots_that_were_taken_meanwhile(owner: ApiClient, listing: Listing, site: Site) -> None:
    order = check_out(owner, slot(listing, week(1), week(2)))
    Product.objects.filter(name="newsletter_slot").update(capacity=1)
    check_deliverable(order)
    taken = check_out(owner, slot(listing, week(2))).lines.get()
    Placement.objects.create(
        line=taken, site=site, product=taken.product, listing=listing, week=week(2), amount_cents=1
    )
    with pytest.raises(CannotDeliver, match=f"All spots in {week(2)} are taken"):
        check_deliverable(order)


def test_lines_of_one_order_do_not_take_one_spot_twice(owner: ApiClient, listing: Listing, site: Site) -> None:
    other = ListingFactory.create(company__owner=owner.user, site=site)
    order = check_out(owner, slot(listing, week(1)), slot(other, week(1)))
    check_deliverable(order)
    Product.objects.filter(name="newsletter_slot").update(capacity=1)
    with pytest.raises(CannotDeliver, match=f"All spots in {week(1)} are taken"):
        check_deliverable(order)


def test_a_product_that_is_sold_no_more_was_promised(owner: ApiClient, listing: Listing) -> None:
    order = check_out(owner, slot(listing, week(1)))
    Product.objects.update(is_active=False)
    check_deliverable(order)


def test_paying_asks(owner: ApiClient, listing: Listing) -> None:
    order = check_out(owner, slot(listing, week(1)))
    update_total(order)
    Listing.objects.update(status="archived")
    answer = press_pay(order)
    assert answer.status_code == 409
    assert "be promoted" in answer.content.decode()
    order.refresh_from_db()
    assert (order.status, order.payments.count()) == (Order.Status.PENDING, 0)
