"""A live free listing buys the product launch: it gets the paid plan, and nothing else about its launch changes."""

import json
from typing import Any

import pytest
from django.test import Client

from apps.accounts.actors import SYSTEM
from apps.core.models import OutgoingEmail
from apps.launches.calendar import launch_weeks
from apps.launches.models import Standing
from apps.listings.models import Listing
from apps.listings.services.merging import merge_companies
from apps.listings.services.sections import shows
from apps.orders.checkout import validation
from apps.orders.fulfillment import services
from apps.orders.fulfillment.refund_lines import refund_lines
from apps.orders.models import Order, OrderLine, SellerSettings
from apps.orders.products.delivery import CannotWithdraw
from apps.orders.products.kinds.launch import UPGRADE
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ListingFactory, UserFactory
from tests.orders.actors import by_staff
from tests.orders.carts import check_out, pay, week
from tests.orders.paid import paid_order

pytestmark = pytest.mark.db

SECTIONS = ("milestones", "gallery", "faq")


@pytest.fixture
def live(owner: ApiClient, site: Site) -> Listing:
    return ListingFactory.create(company__owner=owner.user, live=True, votes=7)


def upgrade(listing: Listing, **options: Any) -> dict[str, Any]:
    return {"product": "launch", "listing_id": listing.pk, **options}


def upgraded(listing: Listing) -> OrderLine:
    """The delivered line of a paid upgrade."""
    order = paid_order({"product": "launch", "week": None}, listing=listing)
    return deliver(order)


def deliver(order: Order) -> OrderLine:
    services.fulfill_order(order.pk)
    line: OrderLine = order.lines.get()
    return line


def refund(line: OrderLine) -> OrderLine:
    staff = UserFactory.create(is_staff=True)
    refund_lines(order=line.order, lines=[line], reason="Changed their mind.", withdraw=True, by=by_staff(staff))
    line.refresh_from_db()
    return line


def test_a_quote_prices_it_without_a_week(owner: ApiClient, live: Listing) -> None:
    answer = owner.post("/orders/quote", {"items": [upgrade(live)]})
    assert answer.status_code == 200, answer.json()
    assert (answer.json()["items"][0]["options"], answer.json()["subtotal_cents"]) == ({}, 9900)


@pytest.mark.parametrize("chosen", ["now", week(1)])
@pytest.mark.parametrize("path", ["/orders/quote", "/orders/checkout"])
def test_a_week_is_refused_with_the_reason(owner: ApiClient, live: Listing, chosen: str, path: str) -> None:
    answer = owner.post(path, {"items": [upgrade(live, options={"week": chosen})]})
    assert answer.status_code == 422
    (error,) = answer.json()["errors"]
    assert (error["code"], error["pointer"]) == ("week_not_used", "/items/0/options/week")


def test_paying_changes_the_plan_and_nothing_of_the_launch(owner: ApiClient, live: Listing, site: Site) -> None:
    before = (live.launch_week, live.launched_at, live.votes)
    standing = Standing.objects.values().get(listing=live)
    places = launch_weeks.places(site, first=launch_weeks.current_week(), count=1)
    order = pay(check_out(owner, upgrade(live)))
    assert deliver(order).status == "fulfilled"
    live.refresh_from_db()
    assert (live.status, live.plan) == ("live", "paid")
    assert (live.launch_week, live.launched_at, live.votes) == before
    assert Standing.objects.values().get(listing=live) == standing
    assert launch_weeks.places(site, first=launch_weeks.current_week(), count=1) == places
    assert all(shows(live, section) for section in SECTIONS)
    assert owner.get(f"/me/listings/{live.pk}").json()["plan"] == "paid"


def test_it_needs_no_spot_in_the_running_week(owner: ApiClient, live: Listing) -> None:
    Site.objects.update(paid_places_per_week=0)
    assert deliver(pay(check_out(owner, upgrade(live)))).status == "fulfilled"


@pytest.mark.parametrize("has_badge", [True, False])
@pytest.mark.parametrize("status", ["live", "suspended", "archived"])
def test_a_refund_takes_it_back(live: Listing, has_badge: bool, status: str) -> None:
    line = upgraded(live)
    changes: dict[str, Any] = {"status": status, "suspended_from": "live" if status == "suspended" else ""}
    if not has_badge:
        changes |= {"badge_seen_at": None, "badge_state": "absent"}
    Listing.objects.filter(pk=live.pk).update(**changes)
    assert refund(line).status == "withdrawn"
    services.withdraw_line(line)
    live.refresh_from_db()
    assert (live.status, live.plan, live.upgraded_at) == (status, "free", None)
    assert not any(shows(live, section) for section in SECTIONS)


def test_a_section_bought_by_itself_outlives_the_refund(live: Listing) -> None:
    services.fulfill_order(paid_order({"product": "section_faq"}, listing=live).pk)
    refund(upgraded(live))
    live.refresh_from_db()
    assert [section for section in SECTIONS if shows(live, section)] == ["faq"]


def test_of_two_orders_the_second_is_refunded(live: Listing) -> None:
    first, second = (paid_order({"product": "launch", "week": None}, listing=live) for _ in range(2))
    assert (deliver(first).status, deliver(second).status) == ("fulfilled", "failed")
    assert "paid plan" in second.lines.get().failure
    live.refresh_from_db()
    assert live.plan == "paid"


def test_after_a_refund_it_can_be_bought_again(owner: ApiClient, live: Listing) -> None:
    refund(upgraded(live))
    assert owner.post("/orders/quote", {"items": [upgrade(live)]}).status_code == 200


def test_a_paid_listing_needs_none(owner: ApiClient, live: Listing) -> None:
    upgraded(live)
    (error,) = owner.post("/orders/quote", {"items": [upgrade(live)]}).json()["errors"]
    assert error["code"] == "already_live"


def test_a_week_bought_before_it_went_live_is_not_taken_for_an_upgrade(owner: ApiClient, site: Site) -> None:
    listing = ListingFactory.create(company__owner=owner.user)
    order = paid_order({"product": "launch", "week": week(2)}, listing=listing)
    other = ListingFactory.create(live=True)
    fields = {name: getattr(other, name) for name in ("status", "plan", "launch_week", "launched_at")}
    Listing.objects.filter(pk=listing.pk).update(**fields)
    with pytest.raises(validation.CannotDeliver) as refused:
        validation.check_deliverable(order)
    line = deliver(order)
    assert line.status == "failed"
    assert refused.value.detail.endswith(f": {line.failure}")


def test_a_merged_listing_takes_the_upgrade_along_and_a_refund_takes_it_back(owner: ApiClient, live: Listing) -> None:
    kept = ListingFactory.create(company__owner=owner.user, live=True)
    line = upgraded(live)
    merge_companies(keep=kept.company, drop=live.company, by=SYSTEM)
    kept.refresh_from_db()
    assert all(shows(kept, section) for section in SECTIONS)
    assert refund(line).status == "withdrawn"
    kept.refresh_from_db()
    assert (kept.status, kept.plan) == ("live", "free")
    assert not any(shows(kept, section) for section in SECTIONS)


def test_the_refund_of_a_merged_launch_leaves_the_upgrade_of_the_listing_that_stays(
    owner: ApiClient, live: Listing, site: Site
) -> None:
    launched = ListingFactory.create(company__owner=owner.user)
    launch_line = deliver(paid_order({"product": "launch"}, listing=launched))
    upgrade_line = upgraded(live)
    launched.refresh_from_db()
    assert launched.launched_at
    merge_companies(keep=live.company, drop=launched.company, by=SYSTEM)
    with pytest.raises(CannotWithdraw, match="went live in"):
        refund(launch_line)
    live.refresh_from_db()
    assert (live.plan, live.upgraded_at is None) == ("paid", False)
    # The upgrade itself can still be taken back.
    assert refund(upgrade_line).status == "withdrawn"
    live.refresh_from_db()
    assert live.plan == "free"


def test_an_upgrade_paid_before_a_merge_goes_to_the_listing_that_stays(owner: ApiClient, live: Listing) -> None:
    kept = ListingFactory.create(company__owner=owner.user, live=True)
    order = paid_order({"product": "launch", "week": None}, listing=live)
    merge_companies(keep=kept.company, drop=live.company, by=SYSTEM)
    line = deliver(order)
    kept.refresh_from_db()
    assert (line.status, kept.plan) == ("fulfilled", "paid")
    refund(line)
    kept.refresh_from_db()
    assert kept.plan == "free"


def test_it_is_sold_in_its_own_words(client: Client, owner: ApiClient, live: Listing, seller: SellerSettings) -> None:
    title, description = UPGRADE
    quoted = owner.post("/orders/quote", {"items": [upgrade(live)]}).json()["items"][0]
    order = pay(check_out(owner, upgrade(live)))
    line = order.lines.get()
    assert quoted["title"] == title
    assert (line.title, line.description) == (title, description)
    assert title in json.dumps(order.invoices.get().document)
    assert title in client.get(f"/checkout/{order.secret}").content.decode()


def test_the_email_of_a_refund_says_what_becomes_of_the_listing(live: Listing) -> None:
    refund(upgraded(live))
    text = OutgoingEmail.objects.get(key__endswith="-withdrawn").text
    assert "free plan" in text
    assert "draft" not in text
    ahead = ListingFactory.create(company__owner=live.company.owner)
    refund(deliver(paid_order({"product": "launch", "week": week(2)}, listing=ahead)))
    assert "draft again" in OutgoingEmail.objects.filter(key__endswith="-withdrawn").order_by("-pk")[0].text


def test_the_pages_lead_to_it(client: Client, owner: ApiClient, live: Listing) -> None:
    client.force_login(owner.account)
    manage = client.get(f"{live.path}/manage").content.decode()
    assert f"{live.path}/launch" in manage
    assert "Upgrade to paid" in manage
    assert f'action="/account/listings/{live.pk}/buy-launch"' in client.get(f"{live.path}/launch").content.decode()
    answer = client.post(f"/account/listings/{live.pk}/buy-launch")
    assert answer["Location"].startswith("/checkout/")
    page = client.get(answer["Location"]).content.decode()
    assert live.company.name in page
    assert "be paid anymore" not in page


def test_the_buy_page_sells_it_without_a_week(client: Client, owner: ApiClient, live: Listing) -> None:
    client.force_login(owner.account)
    path = f"/account/listings/{live.pk}/buy"
    page = client.get(path).content.decode()
    assert 'name="launch"' in page
    assert 'name="launch_week"' not in page
    assert client.post(path, {"action": "checkout", "launch": "on"})["Location"].startswith("/checkout/")
    assert live.order_lines.get().options == {}


def test_what_advises_it_says_how(owner: ApiClient, live: Listing) -> None:
    steps = owner.get(f"/me/listings/{live.pk}").json()["next_steps"]
    assert any("create_checkout" in step and "without a week" in step for step in steps)
    milestone = owner.post(f"/me/listings/{live.pk}/milestones", {"date": "2026-01-02", "title": "First customer"})
    assert "section_milestones or launch" in milestone.json()["next_steps"][0]
