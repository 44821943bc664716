"""What a paid order says of deliveries: what is there, and what begins in a later week."""

from html import unescape
from typing import Any

import pytest

from apps.accounts.actors import SYSTEM
from apps.core.text.dates import date_text
from apps.core.text.weeks import Week
from apps.launches.calendar.launch_weeks import current_week
from apps.listings.models import Listing
from apps.listings.services.moderation import suspend_listing
from apps.orders.fulfillment.services import fulfill_order
from apps.orders.models import Order, SellerSettings
from tests.api import ApiClient
from tests.factories import ListingFactory
from tests.orders.paid import paid_order

pytestmark = pytest.mark.django_db


@pytest.fixture
def listing(owner: ApiClient) -> Listing:
    made: Listing = ListingFactory.create(company__owner=owner.user, company__name="Tidewater")
    return made


def delivered(listing: Listing, *items: dict[str, Any]) -> Order:
    order = paid_order(*items, listing=listing)
    fulfill_order(order.pk)
    return order


def told(order: Order, owner: ApiClient) -> tuple[str, list[str]]:
    """The order's page, and the steps that the API tells."""
    page = owner.browser().get(f"/orders/{order.number}").content.decode()
    return page, owner.get(f"/orders/{order.number}").json()["next_steps"]


def day(week: Week) -> str:
    return date_text(week.starts_at)


def test_a_launch_in_a_later_week_is_not_delivered_yet(
    owner: ApiClient, listing: Listing, seller: SellerSettings, time_machine: Any
) -> None:
    week = current_week() + 2
    order = delivered(listing, {"product": "launch", "week": str(week)})
    page, steps = told(order, owner)
    sentence = f"Tidewater goes live on {day(week)}."
    assert sentence in page
    assert sentence in steps
    assert "Everything is delivered" not in page
    assert "Scheduled</span></div>" in page


def test_a_launch_now_is_delivered(owner: ApiClient, listing: Listing, seller: SellerSettings) -> None:
    page, steps = told(delivered(listing, {"product": "launch"}), owner)
    assert "Everything is delivered." in page
    assert ">Delivered</span>" in page
    assert "goes live" not in "".join(steps)


def test_a_launch_that_was_suspended_before_its_week_is_on_hold(
    owner: ApiClient, listing: Listing, seller: SellerSettings
) -> None:
    order = delivered(listing, {"product": "launch", "week": str(current_week() + 2)})
    suspend_listing(listing=listing, reason="Spam", by=SYSTEM)
    page, steps = told(order, owner)
    sentence = "Tidewater is suspended, so it hasn&#x27;t gone live."
    assert sentence in page
    assert unescape(sentence) in steps
    assert "Everything is delivered" not in page
    assert "On hold</span></div>" in page
    assert "Scheduled</span>" not in page


def test_a_launch_that_was_suspended_after_its_week_was_delivered(
    owner: ApiClient, listing: Listing, seller: SellerSettings
) -> None:
    order = delivered(listing, {"product": "launch"})
    suspend_listing(listing=listing, reason="Spam", by=SYSTEM)
    assert "Everything is delivered." in told(order, owner)[0]


@pytest.mark.parametrize(
    "of_listing",
    [
        {"status": "draft"},
        {"status": "in_review"},
        {"status": "awaiting_badge"},
        {"status": "scheduled", "launch_week": "2999-W01"},
        {"status": "suspended", "suspended_from": "scheduled", "launch_week": "2999-W01"},
    ],
)
@pytest.mark.parametrize("product", ["newsletter_slot", "section_milestones"])
def test_what_is_bought_for_a_listing_that_is_not_live_waits_for_its_launch(
    product: str, of_listing: dict[str, Any], owner: ApiClient, listing: Listing, seller: SellerSettings
) -> None:
    item = {"product": product} | ({"weeks": [str(current_week())]} if product == "newsletter_slot" else {})
    order = delivered(listing, item)
    Listing.objects.update(**of_listing)
    page, steps = told(order, owner)
    assert "appears once Tidewater is live." in page
    assert "appears once Tidewater is live." in " ".join(steps)
    assert "Everything is delivered" not in page


@pytest.mark.parametrize(("weeks", "sentence"), [((1, 2), "starts on"), ((0, 2), "continues on"), ((0,), "")])
def test_a_placement_says_when_it_begins(
    weeks: tuple[int, ...], sentence: str, owner: ApiClient, seller: SellerSettings
) -> None:
    listing = ListingFactory.create(live=True, company__owner=owner.user)
    bought = [current_week() + ahead for ahead in weeks]
    order = delivered(listing, {"product": "newsletter_slot", "weeks": [str(week) for week in bought]})
    page, steps = told(order, owner)
    first = next((week for week in bought if week > current_week()), None)
    assert ("Everything is delivered." in page) is (first is None)
    assert first is None or f"{sentence} {day(first)}." in " ".join(steps)
    # A placement that goes on has begun.
    assert ("Scheduled</span>" in page) is (sentence == "starts on")
